import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { type EffectError, type EffectResult, jobSetStatusEffect } from "../plan/effects.ts";
import type { Plan, PlannedEvent, Step } from "../plan/plan.ts";
import { createApiRequest } from "../requests/api-request.ts";
import {
  aPlan,
  aStep,
  creates,
  deletes,
  describeRequest,
  patches,
  sendUntil,
  updates,
  updatesStatus,
} from "../testing/a-plan.ts";
import { PlanExecution, type RunOutcome } from "./plan-execution.ts";

const done = { ok: true } as const;

function createFailure(message: string, reason?: string): EffectResult {
  return { ok: false, error: { message, reason } };
}

/** Executes a plan at once, with a response for each request. */
function execute(plan: Plan, respond: (request: string) => EffectResult = () => done) {
  const run = new PlanExecution(deepFreeze(plan));
  const sent: string[] = [];
  const emitted: PlannedEvent[] = [];
  for (;;) {
    const next = run.next();
    if (next.action === "Done") return { sent, emitted, outcome: next.outcome };
    if (next.action === "Wait") throw new Error("waits for a request that was answered");
    if (next.action === "Emit") emitted.push(next.event);
    else {
      const text = describeRequest(next.request);
      sent.push(text);
      run.settle(next.request.id, respond(text));
    }
  }
}

/** Responses that reject some requests. */
function rejectRequests(refusals: Readonly<Record<string, string | EffectError>>) {
  return (request: string): EffectResult => {
    const refusal = refusals[request];
    if (refusal === undefined) return done;
    return typeof refusal === "string" ? createFailure(refusal) : { ok: false, error: refusal };
  };
}

const SUCCESS_OUTCOME: RunOutcome = { ok: true, events: [], metrics: [] };
const names = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`);
const event = { type: "Normal", reason: "R", message: "m" } as const;
const metric = { name: "jobset_failed_total", labels: { jobset_name: "train" } };
const status = { restarts: 1 };

describe("the run of an empty plan", () => {
  it("an empty plan is done at once and stays done", () => {
    const run = new PlanExecution(aPlan([]));
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
  });

  it("a step without effects is skipped", () => {
    expect(execute(aPlan([aStep([])])).outcome).toEqual(SUCCESS_OUTCOME);
  });
});

describe("the order of requests", () => {
  it("requests follow the order of steps and of sequential effects", () => {
    const plan = aPlan([aStep([creates("b"), creates("a")]), aStep([deletes("c")])]);
    expect(execute(plan).sent).toEqual(["create b", "create a", "delete c"]);
  });

  it("a step starts after all requests of the previous step are settled", () => {
    const run = new PlanExecution(
      aPlan([aStep([creates("a"), creates("b")], { concurrency: 2 }), aStep([creates("c")])]),
    );
    const first = sendUntil(run);
    expect(first.requests.map(describeRequest)).toEqual(["create a", "create b"]);
    expect(first.behind.action).toBe("Wait");
    run.settle(2, done);
    expect(run.next().action).toBe("Wait");
    run.settle(1, done);
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create c"]);
  });

  it("a step sends as many requests as its concurrency, and one more for each result", () => {
    const run = new PlanExecution(
      aPlan([
        aStep(
          names(120).map((name) => creates(name)),
          { concurrency: 50 },
        ),
      ]),
    );
    const first = sendUntil(run).requests;
    expect(first).toHaveLength(50);
    run.settle(first[7]?.id ?? 0, done);
    run.settle(first[3]?.id ?? 0, done);
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create j50", "create j51"]);
  });

  it("the execution returns each request once, with its own id and phase", () => {
    const run = new PlanExecution(
      aPlan([
        aStep(
          names(3).map((name) => creates(name)),
          { concurrency: 3 },
        ),
      ]),
    );
    const { requests } = sendUntil(run);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(3);
    expect(requests.map(({ phase }) => phase)).toEqual(Array(3).fill("create-jobs"));
    expect(run.next().action).toBe("Wait");
  });
});

describe("a response", () => {
  it("settle ignores an unknown id and a second result", () => {
    const run = new PlanExecution(aPlan([aStep([creates("a"), creates("b")])], { status }));
    run.settle(1, createFailure("too early"));
    expect(sendUntil(run).requests).toHaveLength(1);
    for (const id of [0, -1, 2, 99, Number.NaN]) run.settle(id, createFailure("unknown"));
    expect(run.next().action).toBe("Wait");
    run.settle(1, done);
    run.settle(1, createFailure("again"));
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["create b"]);
    run.settle(2, done);
    const [write] = sendUntil(run).requests;
    expect(write?.phase).toBe("write-status");
    run.settle(1, createFailure("late"));
    expect(run.next().action).toBe("Wait");
    run.settle(write?.id ?? 0, done);
    run.settle(write?.id ?? 0, createFailure("again"));
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
  });

  describe("that says that a Job exists already", () => {
    const respond = rejectRequests({ "create a": { message: "exists", reason: "AlreadyExists" } });

    it("AlreadyExists fails a step that requires a new Job", () => {
      expect(execute(aPlan([aStep([creates("a")])]), respond).outcome).toMatchObject({
        ok: false,
        message: "exists",
      });
    });

    it("AlreadyExists is a success where the object may exist", () => {
      expect(execute(aPlan([aStep([creates("a", "Succeed")])]), respond).outcome).toEqual(
        SUCCESS_OUTCOME,
      );
    });

    it("any other error is a failure", () => {
      for (const reason of ["NotFound", "Conflict", "Forbidden", undefined]) {
        const refuse = rejectRequests({ "create a": { message: "no", reason } });
        const plan = aPlan([aStep([creates("a", "Succeed")])]);
        expect(execute(plan, refuse).outcome.ok).toBe(false);
      }
    });
  });

  it.each([
    ["NotFound", "Succeed", undefined, true],
    ["NotFound", "Succeed", "u", true],
    ["NotFound", "Fail", "u", false],
    ["Conflict", "Succeed", "u", true],
    // Without a UID, a deletion cannot conflict.
    ["Conflict", "Succeed", undefined, false],
    ["Conflict", "Fail", "u", false],
    ["Forbidden", "Succeed", "u", false],
    [undefined, "Succeed", "u", false],
  ] as const)(
    "the response %s to a deletion with onNotFound %s and the UID %s counts as success: %s",
    (reason, onNotFound, uid, ok) => {
      const plan = aPlan([
        aStep([deletes("a", { onNotFound, ...(uid !== undefined && { uid }) })]),
      ]);
      const respond = rejectRequests({ "delete a": { message: "no", reason } });
      expect(execute(plan, respond).outcome.ok).toBe(ok);
    },
  );

  it.each(["update", "updateStatus", "patch"])(
    "the response NotFound or Conflict to the effect %s is an error",
    (verb) => {
      const effects = [updates("a"), updatesStatus("a"), patches("a", {})];
      const effect = effects.find((one) => one.verb === verb) ?? updates("a");
      for (const reason of ["NotFound", "Conflict", "AlreadyExists"]) {
        const respond = rejectRequests({ [`${verb} a`]: { message: "no", reason } });
        expect(execute(aPlan([aStep([effect])]), respond).outcome).toMatchObject({
          ok: false,
          conflict: false,
        });
      }
    },
  );
});

describe("a failed effect", () => {
  const events = [event];
  const withStatus = (steps: readonly Step[]) =>
    aPlan(steps, { status, events, metrics: [metric], requeueAfterSeconds: 5 });

  it("a failed effect ends the execution: no further step, status, deferred Event, metric or requeue", () => {
    const plan = withStatus([
      aStep([creates("a")]),
      aStep([creates("b")], { dependsOn: ["create-jobs"] }),
    ]);
    const { sent, emitted, outcome } = execute(plan, rejectRequests({ "create a": "no" }));
    expect(sent).toEqual(["create a"]);
    expect(emitted).toEqual([]);
    expect(outcome).toEqual({
      ok: false,
      phase: "create-jobs",
      message: "no",
      conflict: false,
      metrics: [],
    });
  });

  it("a failed effect skips the remaining ones of a step that stops, except those in flight", () => {
    const effects = names(5).map((name) => creates(name));
    const run = new PlanExecution(withStatus([aStep(effects, { concurrency: 2 })]));
    const { requests } = sendUntil(run);
    run.settle(requests[0]?.id ?? 0, createFailure("no"));
    expect(run.next().action).toBe("Wait");
    run.settle(requests[1]?.id ?? 0, createFailure("neither"));
    expect(run.next()).toMatchObject({ action: "Done", outcome: { message: "no\nneither" } });
  });

  it("a step that continues runs all effects and reports their errors in order", () => {
    const effects = names(4).map((name) => deletes(name));
    const step = aStep(effects, {
      phase: "delete-previous",
      concurrency: 50,
      onError: "Continue",
    });
    const run = new PlanExecution(
      withStatus([step, aStep([creates("a")], { dependsOn: ["delete-previous"] })]),
    );
    const { requests } = sendUntil(run);
    expect(requests).toHaveLength(4);
    for (const index of [3, 2, 0, 1]) {
      const result = index === 2 ? done : createFailure(`error ${index}`);
      run.settle(requests[index]?.id ?? 0, result);
    }
    expect(run.next()).toEqual({
      action: "Done",
      outcome: {
        ok: false,
        phase: "delete-previous",
        message: "error 0\nerror 1\nerror 3",
        conflict: false,
        metrics: [],
      },
    });
  });

  it("independent later steps run after a failed one", () => {
    const step = (name: string, phase: Step["phase"], needs: Step["dependsOn"] = []) =>
      aStep([creates(name), creates(`${name}2`)], {
        phase,
        dependsOn: needs,
        failureEventReason: "Failed",
      });
    const plan = withStatus([
      step("a", "suspend"),
      step("b", "volume-claims"),
      step("c", "volume-claims", ["suspend"]),
      step("d", "resume", ["service", "volume-claims"]),
      step("e", "create-jobs", ["service"]),
    ]);
    const respond = rejectRequests({ "create a": "no a", "create b2": "no b2" });
    const { sent, emitted, outcome } = execute(plan, respond);
    expect(sent).toEqual(["create a", "create b", "create b2", "create e", "create e2"]);
    expect(emitted.map(({ message }) => message)).toEqual(["no a", "no b2"]);
    expect(outcome).toMatchObject({ phase: "suspend", message: "no a\nno b2" });
  });

  it("a later step may request an object again that could not be created", () => {
    const policies = [aStep([creates("a")]), aStep([creates("a"), creates("b")])];
    const { sent } = execute(aPlan(policies), rejectRequests({ "create a": "no" }));
    expect(sent).toEqual(["create a", "create a"]);
  });

  it("a failed effect excludes its object from later steps, and no other", () => {
    const plan = aPlan([
      aStep([patches("a", {}), patches("b", {})], { phase: "scale", onError: "Continue" }),
      aStep([deletes("a"), deletes("b")], { phase: "delete-previous" }),
    ]);
    const { sent, outcome } = execute(plan, rejectRequests({ "patch a": "no" }));
    expect(sent).toEqual(["patch a", "patch b", "delete b"]);
    expect(outcome).toMatchObject({ phase: "scale", message: "no" });
  });
});

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

describe("several effects on one Job", () => {
  const startTime = { path: ["status", "startTime"] };
  const resume = { path: ["spec", "suspend"], value: false };
  const plan = aPlan([
    aStep([patches("a", { spec: { parallelism: 4 } })], { phase: "scale" }),
    aStep([updatesStatus("a", startTime), updates("a", resume), updates("b", resume)], {
      phase: "resume",
    }),
  ]);

  function objectsSent(responses: readonly (object | undefined)[]) {
    const run = new PlanExecution(plan);
    const objects: unknown[] = [];
    for (const object of responses) {
      const [request] = sendUntil(run).requests;
      objects.push(request !== undefined && "object" in request.effect && request.effect.object);
      const result = { ok: true, ...(object !== undefined && { object }) } as EffectResult;
      run.settle(request?.id ?? 0, result);
    }
    expect(run.next()).toEqual({ action: "Done", outcome: SUCCESS_OUTCOME });
    return objects;
  }

  const createReturnedJob = (resourceVersion: string, rest: object) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "a", namespace: "default", resourceVersion },
    ...rest,
  });

  it("a later effect on a Job is based on the object that the server returned", () => {
    const scaled = createReturnedJob("2", {
      spec: { suspend: true, parallelism: 4, defaulted: true },
      status: { startTime: "t", active: 0 },
    });
    const reset = createReturnedJob("3", {
      spec: { suspend: true, parallelism: 4, defaulted: true },
      status: { active: 0, seen: true },
    });
    const [, status, main, other] = objectsSent([scaled, reset, undefined, undefined]);
    expect(status).toStrictEqual({ ...scaled, status: { active: 0 } });
    const spec = { suspend: false, parallelism: 4, defaulted: true };
    expect(main).toStrictEqual({ ...reset, spec });
    expect(other).toStrictEqual(updates("b").object);
  });

  it("a later effect on a Job uses the returned version as precondition and sends only its changes", () => {
    const run = new PlanExecution(plan);
    const bodies: unknown[] = [];
    for (const version of ["2", "3", "4"]) {
      const [request] = sendUntil(run).requests;
      const result = request && createApiRequest(request.effect);
      bodies.push(result?.ok && result.request.body);
      const object = createReturnedJob(version, { spec: { suspend: true, unknown: 1 } });
      run.settle(request?.id ?? 0, { ok: true, object });
    }
    expect(bodies).toEqual([
      { spec: { parallelism: 4 } },
      { metadata: { resourceVersion: "2" }, status: { startTime: null } },
      { metadata: { resourceVersion: "3" }, spec: { suspend: false } },
    ]);
  });

  it("a later effect starts from the last returned object", () => {
    const scaled = createReturnedJob("2", { spec: { suspend: true } });
    const [, status, main] = objectsSent([scaled, undefined, undefined, undefined]);
    expect(status).toMatchObject({ metadata: { resourceVersion: "2" } });
    expect(main).toMatchObject({ metadata: { resourceVersion: "2" }, spec: { suspend: false } });
  });

  it("a later effect is sent as planned, to be rejected, if another Job was returned", () => {
    const observed = { ...updates("a", resume).object, metadata: { name: "a", uid: "old" } };
    const update = { ...updates("a", resume), object: observed };
    const run = new PlanExecution(aPlan([aStep([patches("a", { spec: {} })]), aStep([update])]));
    const [patch] = sendUntil(run).requests;
    const { metadata, ...rest } = createReturnedJob("2", { spec: { suspend: true } });
    run.settle(patch?.id ?? 0, {
      ok: true,
      object: { ...rest, metadata: { ...metadata, uid: "new" } },
    });
    expect(sendUntil(run).requests[0]?.effect).toBe(update);
  });

  it.each(["observed", "returned"])(
    "a later effect starts from the returned object if the UID that was %s is unknown",
    (which) => {
      const known = { name: "a", uid: "u" };
      const [observed, metadata] =
        which === "observed" ? [{ name: "a" }, known] : [known, { name: "a" }];
      const object = { ...updates("a", resume).object, metadata: observed };
      const update = { ...updates("a", resume), object };
      const run = new PlanExecution(aPlan([aStep([patches("a", { spec: {} })]), aStep([update])]));
      const [patch] = sendUntil(run).requests;
      const spec = { suspend: true, parallelism: 4 };
      run.settle(patch?.id ?? 0, {
        ok: true,
        object: { ...createReturnedJob("2", { spec }), metadata },
      });
      expect(sendUntil(run).requests[0]?.effect).toMatchObject({
        object: { metadata, spec: { suspend: false, parallelism: 4 } },
      });
    },
  );

  it("a later effect is sent as planned if nothing was returned", () => {
    const [, status] = objectsSent([undefined, undefined, undefined, undefined]);
    expect(status).toEqual(updatesStatus("a").object);
  });

  it("later effects are in wire form with their kind, for any object that the client returned", () => {
    const scaled = {
      metadata: { name: "a", creationTimestamp: new Date("2026-02-07T06:56:19.900Z") },
      spec: { suspend: true, backoffLimit: undefined },
    };
    const [, status] = objectsSent([scaled, undefined, undefined, undefined]);
    expect(status).toStrictEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "a", creationTimestamp: "2026-02-07T06:56:19Z" },
      spec: { suspend: true },
    });
  });

  it("effects after a failed one on the same object are skipped in all steps", () => {
    const { sent } = execute(plan, rejectRequests({ "patch a": "no" }));
    expect(sent).toEqual(["patch a", "update b"]);
  });
});

it("a hundred thousand effects take time proportional to their number", () => {
  const effects = names(50_000).flatMap((name) => [updatesStatus(name), updates(name)]);
  const steps = [
    aStep(effects, { concurrency: 50 }),
    aStep(
      names(50_000).map((name) => deletes(name)),
      { concurrency: 50, onError: "Continue" },
    ),
  ];
  const respond = (text: string) => (text.startsWith("delete") ? createFailure("no") : done);
  const { sent, outcome } = execute(aPlan(steps), respond);
  expect(sent).toHaveLength(150_000);
  expect(outcome.ok).toBe(false);
});
