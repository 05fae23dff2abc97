import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { jobSetStatusEffect } from "../plan/effects.ts";
import {
  aPlan,
  aStep,
  createFailure,
  creates,
  deletes,
  done,
  execute,
  patches,
  rejectRequests,
  sendUntil,
} from "../testing/a-plan.ts";
import { PlanExecution } from "./plan-execution.ts";

const event = { type: "Normal", reason: "R", message: "m" } as const;
const metric = { name: "jobset_failed_total", labels: { jobset_name: "train" } };
const status = { restarts: 1 };

describe("decisions that do not depend on the steps", () => {
  const reported = { type: "Normal", reason: "Told", message: "anyway" } as const;
  const counted = { name: "jobset_completed_total", labels: {} };
  const written = jobSetStatusEffect(aPlan([]).jobSet, status);
  const onFailure = {
    step: aStep([written], { phase: "write-status", rule: "StatusChanged" }),
    events: [reported],
    metrics: [counted],
  };
  const plan = aPlan(
    [aStep([creates("a")]), aStep([creates("b")], { dependsOn: ["create-jobs"] })],
    {
      status,
      events: [event],
      metrics: [metric],
      onFailure,
    },
  );

  it("onFailure replaces the status and Events if a step fails, and the execution fails", () => {
    const { sent, emitted, outcome } = execute(plan, rejectRequests({ "create a": "no" }));
    expect(sent).toEqual(["create a", "updateStatus train"]);
    expect(emitted).toEqual([reported]);
    expect(outcome).toEqual({
      ok: false,
      phase: "create-jobs",
      message: "no",
      conflict: false,
      metrics: [counted],
    });
  });

  it("Events of onFailure are about the JobSet that its write returned", () => {
    const rejected = aStep([creates("a")], { failureEventReason: "JobCreationFailed" });
    const run = new PlanExecution(aPlan([rejected], { onFailure }));
    const [create] = sendUntil(run).requests;
    run.settle(create?.id ?? 0, createFailure("no"));
    const [write] = sendUntil(run).requests;
    const jobSet = { metadata: { name: "train", resourceVersion: "8" } };
    run.settle(write?.id ?? 0, { ok: true, object: jobSet });
    const about = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", ...jobSet };
    expect(run.next()).toEqual({ action: "Emit", event: reported, jobSet: about });
    expect(run.next()).toMatchObject({ event: { reason: "JobCreationFailed" }, jobSet: about });
    expect(run.next().action).toBe("Done");
  });

  it("onFailure is written once, after all executed steps", () => {
    const steps = ["a", "b", "c"].map((name) => aStep([creates(name)]));
    const respond = rejectRequests({ "create a": "no a", "create c": "no c" });
    const { sent, outcome } = execute(aPlan(steps, { onFailure }), respond);
    expect(sent).toEqual(["create a", "create b", "create c", "updateStatus train"]);
    expect(outcome).toMatchObject({ message: "no a\nno c" });
  });

  it("nothing of onFailure is emitted or counted if its write fails", () => {
    const conflict = { message: "changed", reason: "Conflict" };
    const respond = rejectRequests({ "create a": "no", "updateStatus train": conflict });
    const { emitted, outcome } = execute(plan, respond);
    expect(emitted).toEqual([]);
    expect(outcome).toEqual({
      ok: false,
      phase: "create-jobs",
      message: "no\nchanged",
      conflict: false,
      metrics: [],
    });
  });

  it("onFailure is ignored if no step fails, or only the status write does", () => {
    const sent = ["create a", "create b", "updateStatus train"];
    expect(execute(plan)).toMatchObject({ sent, emitted: [], outcome: { metrics: [metric] } });
    const respond = rejectRequests({ "updateStatus train": "no" });
    expect(execute(plan, respond)).toMatchObject({
      sent,
      emitted: [],
      outcome: { phase: "write-status", metrics: [metric] },
    });
  });
});

describe("the text of an error", () => {
  it("an error message is inserted into the step's template, with the object's name", () => {
    const step = aStep([creates("a"), creates("b$&")], {
      onError: "Continue",
      errorText: 'job "<name>" creation failed with error: <error>',
      failureEventReason: "JobCreationFailed",
    });
    const respond = rejectRequests({ "create a": "100% <name> $& <error>", "create b$&": "no" });
    const message =
      'job "a" creation failed with error: 100% <name> $& <error>\njob "b$&" creation failed with error: no';
    const { emitted, outcome } = execute(aPlan([step]), respond);
    expect(outcome).toMatchObject({ message });
    expect(emitted).toEqual([{ type: "Warning", reason: "JobCreationFailed", message }]);
  });

  it("without a template the message is the server's", () => {
    const step = aStep([creates("a")], { failureEventReason: "HeadlessServiceCreationFailed" });
    const { emitted } = execute(aPlan([step]), rejectRequests({ "create a": "quota $1" }));
    expect(emitted[0]?.message).toBe("quota $1");
  });

  it("the Event's template applies to the Event only", () => {
    const step = aStep([creates("a")], {
      failureEventReason: "FailedResourcePropagation",
      failureEventText: "Failed to propagate: <error>. Ensure it works.",
    });
    const { emitted, outcome } = execute(
      aPlan([step]),
      rejectRequests({ "create a": "$& <error>" }),
    );
    expect(emitted[0]?.message).toBe("Failed to propagate: $& <error>. Ensure it works.");
    expect(outcome).toMatchObject({ message: "$& <error>" });
  });
});

describe("an immediate Event", () => {
  it("the failure message contains only the errors that are reported", () => {
    const effects = [patches("a", {}), patches("b", {}), patches("c", {})];
    const step = aStep(effects, {
      onError: "Continue",
      failureEventReason: "JobUpdateFailed",
      ignoredErrorReasons: ["Conflict"],
    });
    const conflict = { message: "changed", reason: "Conflict" };
    const both = { "patch a": conflict, "patch b": { message: "no", reason: "Forbidden" } };
    const { emitted, outcome } = execute(aPlan([step]), rejectRequests(both));
    expect(emitted).toEqual([{ type: "Warning", reason: "JobUpdateFailed", message: "no" }]);
    expect(outcome).toMatchObject({ ok: false, message: "changed\nno" });
    const stale = execute(aPlan([step]), rejectRequests({ "patch a": conflict }));
    expect(stale.emitted).toEqual([]);
    expect(stale.outcome).toMatchObject({ ok: false, message: "changed" });
  });

  it("a failure Event is emitted once, before the execution ends, independent of the status write", () => {
    const step = aStep([creates("a")], { failureEventReason: "JobCreationFailed" });
    const run = new PlanExecution(aPlan([step], { status, events: [event] }));
    const [request] = sendUntil(run).requests;
    run.settle(request?.id ?? 0, createFailure("no"));
    expect(run.next()).toEqual({
      action: "Emit",
      event: { type: "Warning", reason: "JobCreationFailed", message: "no" },
    });
    expect(run.next()).toMatchObject({ action: "Done", outcome: { ok: false } });
    expect(run.next()).toMatchObject({ action: "Done", outcome: { ok: false } });
  });

  it("no failure Event is emitted without a failure, or if the desired state existed", () => {
    const step = aStep([creates("a", "Succeed"), creates("b")], {
      failureEventReason: "PVCCreationFailed",
    });
    const respond = rejectRequests({ "create a": { message: "exists", reason: "AlreadyExists" } });
    expect(execute(aPlan([step]), respond)).toMatchObject({
      emitted: [],
      outcome: { ok: true },
    });
  });
});

describe("the status", () => {
  const plan = aPlan([aStep([creates("a")])], {
    status,
    events: [event],
    metrics: [metric],
    requeueAfterSeconds: 1.75,
  });

  it("the status is written last, provided that the JobSet is unchanged", () => {
    const run = new PlanExecution(plan);
    run.settle(sendUntil(run).requests[0]?.id ?? 0, done);
    const { requests, behind } = sendUntil(run);
    expect(behind.action).toBe("Wait");
    const [apiVersion, kind] = ["jobset.x-k8s.io/v1alpha2", "JobSet"];
    expect(requests).toEqual([
      {
        id: 2,
        phase: "write-status",
        effect: {
          verb: "updateStatus",
          target: { apiVersion, kind, namespace: "default", name: "train" },
          object: {
            apiVersion,
            kind,
            metadata: {
              namespace: "default",
              name: "train",
              uid: "train-uid",
              resourceVersion: "7",
            },
            status,
          },
          changes: [{ path: ["status"], value: status }],
        },
      },
    ]);
    run.settle(2, done);
    expect(run.next()).toEqual({
      action: "Done",
      outcome: { ok: true, events: [event], metrics: [metric], requeueAfterSeconds: 1.75 },
    });
  });

  it("Events are about the JobSet that the status write returned, with its kind", () => {
    const { apiVersion, kind } = plan.jobSet;
    const metadata = { name: "train", resourceVersion: "8" };
    const written = { metadata } as KubernetesObject;
    const { outcome } = execute(plan, (request) =>
      request === "updateStatus train" ? { ok: true, object: written } : done,
    );
    expect(outcome).toMatchObject({ events: [event], jobSet: { apiVersion, kind, metadata } });
  });

  it("the status write has no precondition for a JobSet observed without a version", () => {
    const unobserved = { uid: undefined, resourceVersion: undefined };
    const jobSet = { ...plan.jobSet, ...unobserved };
    const { steps: _, ...rest } = plan;
    const run = new PlanExecution(aPlan([], { ...rest, jobSet }));
    const [request] = sendUntil(run).requests;
    expect(request?.effect).toMatchObject({ object: { metadata: { name: "train" } } });
    expect(request?.effect).not.toHaveProperty("object.metadata.uid");
    expect(request?.effect).not.toHaveProperty("object.metadata.resourceVersion");
  });

  it.each([
    ["Conflict", true],
    ["NotFound", false],
    ["Forbidden", false],
    [undefined, false],
  ])(
    "a status write that is rejected with %s drops the deferred Events, keeps the metrics, and is a conflict: %s",
    (reason, conflict) => {
      const respond = rejectRequests({ "updateStatus train": { message: "no", reason } });
      const { emitted, outcome } = execute(plan, respond);
      expect(emitted).toEqual([]);
      expect(outcome).toEqual({
        ok: false,
        phase: "write-status",
        message: "no",
        conflict,
        metrics: [metric],
      });
    },
  );

  it("a plan without a status still has its Events, metrics and requeue", () => {
    const { status: _, steps, ...without } = plan;
    expect(execute(aPlan(steps.slice(0, 1), without))).toEqual({
      sent: ["create a"],
      emitted: [],
      outcome: { ok: true, events: [event], metrics: [metric], requeueAfterSeconds: 1.75 },
    });
  });
});

describe("a plan that ends in an error", () => {
  const object = { kind: "Job", name: "a" };
  const error = { phase: "failure-policy", message: "cannot", object } as const;

  it("a plan with an error runs its steps and then fails with the error", () => {
    expect(execute(aPlan([aStep([deletes("a")])], { error }))).toEqual({
      sent: ["delete a"],
      emitted: [],
      outcome: {
        ok: false,
        phase: "failure-policy",
        message: "cannot",
        conflict: false,
        metrics: [],
      },
    });
  });

  it("a plan with an error fails with an earlier failed step", () => {
    const plan = aPlan([aStep([creates("a")])], { error });
    expect(execute(plan, rejectRequests({ "create a": "no" })).outcome).toMatchObject({
      phase: "create-jobs",
      message: "no",
    });
  });
});
