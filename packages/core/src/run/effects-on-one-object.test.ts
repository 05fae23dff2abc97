import type { Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { Effect, EffectResult } from "../plan/effects.ts";
import type { PlacementPlan, Step } from "../plan/plan.ts";
import { createApiRequest } from "../requests/api-request.ts";
import {
  aPlan,
  aStep,
  describeRequest,
  execute,
  patches,
  rejectRequests,
  SUCCESS_OUTCOME,
  sendUntil,
  updates,
  updatesStatus,
} from "../testing/a-plan.ts";
import { executePlan } from "./execute-plan.ts";
import { PlanExecution } from "./plan-execution.ts";

const target = (name: string) => ({ apiVersion: "v1", kind: "Pod", namespace: "default", name });

function createMarkEffect(name: string): Effect {
  const object: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [] },
  };
  return { verb: "updateStatus", target: target(name), object, changes: [] };
}

function deletesPod(name: string): Effect {
  return {
    verb: "delete",
    target: target(name),
    propagationPolicy: "Background",
    onNotFound: "Succeed",
  };
}

/** A plan with one step that marks Pods and deletes them. */
function aPlacementPlan(names: readonly string[], step: Partial<Step> = {}): PlacementPlan {
  const decision = {
    phase: "placement",
    rule: "ExclusivePlacementViolation",
    object: { kind: "Pod", name: "leader" },
    message: "a test",
  } as const;
  return {
    leader: target("leader"),
    steps: [
      {
        ...decision,
        effects: names.flatMap((name) => [createMarkEffect(name), deletesPod(name)]),
        concurrency: 50,
        onError: "Continue",
        dependsOn: [],
        ...step,
      },
    ],
    decisions: [decision],
    warnings: [],
  };
}

describe("a step with several effects on one object", () => {
  it("effects on one object run one after the other without blocking other objects", () => {
    const run = new PlanExecution(aPlacementPlan(["a", "b"]));
    const first = sendUntil(run).requests;
    expect(first.map(describeRequest)).toEqual(["updateStatus a", "updateStatus b"]);
    run.settle(first[1]?.id ?? -1, { ok: true });
    const second = sendUntil(run).requests;
    expect(second.map(describeRequest)).toEqual(["delete b"]);
    run.settle(first[0]?.id ?? -1, { ok: true });
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["delete a"]);
  });

  it("a waiting effect does not count towards the concurrency", () => {
    const run = new PlanExecution(aPlacementPlan(["a", "b", "c"], { concurrency: 2 }));
    expect(sendUntil(run).requests.map(describeRequest)).toEqual([
      "updateStatus a",
      "updateStatus b",
    ]);
    run.settle(1, { ok: true });
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["delete a"]);
  });

  it("effects after a failed one on the same object are skipped, others run, and each error is on its own line", async () => {
    const sent: string[] = [];
    const outcome = await executePlan(aPlacementPlan(["a", "b", "c"]), {
      perform: async (request) => {
        const text = describeRequest(request);
        sent.push(text);
        return text === "updateStatus a" || text === "delete b"
          ? { ok: false, error: { message: `${text} failed` } }
          : { ok: true };
      },
    });
    expect(sent.sort()).toEqual([
      "delete b",
      "delete c",
      "updateStatus a",
      "updateStatus b",
      "updateStatus c",
    ]);
    expect(outcome).toEqual({
      ok: false,
      phase: "placement",
      message: "updateStatus a failed\ndelete b failed",
      conflict: false,
      metrics: [],
    });
  });

  it("an error that means the desired state exists counts as success", () => {
    const run = new PlanExecution(
      aPlacementPlan([], { effects: [deletesPod("a"), createMarkEffect("a")] }),
    );
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["delete a"]);
    run.settle(1, { ok: false, error: { message: "no such Pod", reason: "NotFound" } });
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["updateStatus a"]);
  });

  it("a step that stops on errors skips them as well", () => {
    const run = new PlanExecution(aPlacementPlan(["a", "b"], { concurrency: 1, onError: "Stop" }));
    expect(sendUntil(run).requests.map(describeRequest)).toEqual(["updateStatus a"]);
    run.settle(1, { ok: false, error: { message: "no" } });
    expect(run.next()).toMatchObject({ action: "Done", outcome: { ok: false, message: "no" } });
  });
});

describe("the run of a placement plan", () => {
  it("an empty placement plan succeeds", () => {
    expect(new PlanExecution({ ...aPlacementPlan([]), steps: [] }).next()).toEqual({
      action: "Done",
      outcome: { ok: true, events: [], metrics: [] },
    });
  });

  it("a placement plan fails with its error", () => {
    const object = { kind: "Node", name: "n1" };
    const error = { phase: "placement", message: "no such label", object } as const;
    expect(new PlanExecution({ ...aPlacementPlan([]), steps: [], error }).next()).toMatchObject({
      action: "Done",
      outcome: { ok: false, message: "no such label" },
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
