import type { Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { Effect } from "../plan/effects.ts";
import type { PlacementPlan, Step } from "../plan/plan.ts";
import { executePlan } from "./execute-plan.ts";
import { PlanExecution, type RunRequest } from "./plan-execution.ts";

const target = (name: string) => ({ apiVersion: "v1", kind: "Pod", namespace: "default", name });

function marks(name: string): Effect {
  const object: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [] },
  };
  return { verb: "updateStatus", target: target(name), object, changes: [] };
}

function deletes(name: string): Effect {
  return {
    verb: "delete",
    target: target(name),
    propagationPolicy: "Background",
    onNotFound: "Succeed",
  };
}

/** A plan of one step that marks Pods and deletes them. */
function aPlan(names: readonly string[], step: Partial<Step> = {}): PlacementPlan {
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
        effects: names.flatMap((name) => [marks(name), deletes(name)]),
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

/** The requests that a run hands out before it waits. */
function sentNow(run: PlanExecution): readonly RunRequest[] {
  const sent: RunRequest[] = [];
  for (let next = run.next(); next.action === "Perform"; next = run.next()) sent.push(next.request);
  return sent;
}

const inShort = ({ effect }: RunRequest) => `${effect.verb} ${effect.target.name}`;

describe("a step with several effects on one object", () => {
  it("a step with several effects on one object carries them out one after the other, while other objects do not wait", () => {
    const run = new PlanExecution(aPlan(["a", "b"]));
    const first = sentNow(run);
    expect(first.map(inShort)).toEqual(["updateStatus a", "updateStatus b"]);
    run.settle(first[1]?.id ?? -1, { ok: true });
    const second = sentNow(run);
    expect(second.map(inShort)).toEqual(["delete b"]);
    run.settle(first[0]?.id ?? -1, { ok: true });
    expect(sentNow(run).map(inShort)).toEqual(["delete a"]);
  });

  it("a step with several effects on one object counts what waits for its forerunner not among those under way", () => {
    const run = new PlanExecution(aPlan(["a", "b", "c"], { concurrency: 2 }));
    expect(sentNow(run).map(inShort)).toEqual(["updateStatus a", "updateStatus b"]);
    run.settle(1, { ok: true });
    expect(sentNow(run).map(inShort)).toEqual(["delete a"]);
  });

  it("a step with several effects on one object leaves out what follows a failed one, tries the others, and reports each error on a line", async () => {
    const sent: string[] = [];
    const outcome = await executePlan(aPlan(["a", "b", "c"]), {
      perform: async (request) => {
        const text = inShort(request);
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

  it("a step with several effects on one object takes an error that says that the object is so already for a success", () => {
    const run = new PlanExecution(aPlan([], { effects: [deletes("a"), marks("a")] }));
    expect(sentNow(run).map(inShort)).toEqual(["delete a"]);
    run.settle(1, { ok: false, error: { message: "no such Pod", reason: "NotFound" } });
    expect(sentNow(run).map(inShort)).toEqual(["updateStatus a"]);
  });

  it("a step with several effects on one object skips them, too, when the step skips all others after a failure", () => {
    const run = new PlanExecution(aPlan(["a", "b"], { concurrency: 1, onError: "Stop" }));
    expect(sentNow(run).map(inShort)).toEqual(["updateStatus a"]);
    run.settle(1, { ok: false, error: { message: "no" } });
    expect(run.next()).toMatchObject({ action: "Done", outcome: { ok: false, message: "no" } });
  });
});

describe("the run of a placement plan", () => {
  it("the run of a placement plan ends well when there is nothing to do", () => {
    expect(new PlanExecution({ ...aPlan([]), steps: [] }).next()).toEqual({
      action: "Done",
      outcome: { ok: true, events: [], metrics: [] },
    });
  });

  it("the run of a placement plan fails with the error of the plan", () => {
    const object = { kind: "Node", name: "n1" };
    const error = { phase: "placement", message: "no such label", object } as const;
    expect(new PlanExecution({ ...aPlan([]), steps: [], error }).next()).toMatchObject({
      action: "Done",
      outcome: { ok: false, message: "no such label" },
    });
  });
});
