import type { Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { Effect } from "../plan/effects.ts";
import type { PlacementPlan, Step } from "../plan/plan.ts";
import { executePlan } from "./execute-plan.ts";
import { PlanExecution, type RunRequest } from "./plan-execution.ts";

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

function deletes(name: string): Effect {
  return {
    verb: "delete",
    target: target(name),
    propagationPolicy: "Background",
    onNotFound: "Succeed",
  };
}

/** A plan with one step that marks Pods and deletes them. */
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
        effects: names.flatMap((name) => [createMarkEffect(name), deletes(name)]),
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

/** The requests that an execution returns before it waits. */
function listSendableRequests(run: PlanExecution): readonly RunRequest[] {
  const sent: RunRequest[] = [];
  for (let next = run.next(); next.action === "Perform"; next = run.next()) sent.push(next.request);
  return sent;
}

const summarizeRequest = ({ effect }: RunRequest) => `${effect.verb} ${effect.target.name}`;

describe("a step with several effects on one object", () => {
  it("effects on one object run one after the other without blocking other objects", () => {
    const run = new PlanExecution(aPlan(["a", "b"]));
    const first = listSendableRequests(run);
    expect(first.map(summarizeRequest)).toEqual(["updateStatus a", "updateStatus b"]);
    run.settle(first[1]?.id ?? -1, { ok: true });
    const second = listSendableRequests(run);
    expect(second.map(summarizeRequest)).toEqual(["delete b"]);
    run.settle(first[0]?.id ?? -1, { ok: true });
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual(["delete a"]);
  });

  it("a waiting effect does not count towards the concurrency", () => {
    const run = new PlanExecution(aPlan(["a", "b", "c"], { concurrency: 2 }));
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual([
      "updateStatus a",
      "updateStatus b",
    ]);
    run.settle(1, { ok: true });
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual(["delete a"]);
  });

  it("effects after a failed one on the same object are skipped, others run, and each error is on its own line", async () => {
    const sent: string[] = [];
    const outcome = await executePlan(aPlan(["a", "b", "c"]), {
      perform: async (request) => {
        const text = summarizeRequest(request);
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
    const run = new PlanExecution(aPlan([], { effects: [deletes("a"), createMarkEffect("a")] }));
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual(["delete a"]);
    run.settle(1, { ok: false, error: { message: "no such Pod", reason: "NotFound" } });
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual(["updateStatus a"]);
  });

  it("a step that stops on errors skips them as well", () => {
    const run = new PlanExecution(aPlan(["a", "b"], { concurrency: 1, onError: "Stop" }));
    expect(listSendableRequests(run).map(summarizeRequest)).toEqual(["updateStatus a"]);
    run.settle(1, { ok: false, error: { message: "no" } });
    expect(run.next()).toMatchObject({ action: "Done", outcome: { ok: false, message: "no" } });
  });
});

describe("the run of a placement plan", () => {
  it("an empty placement plan succeeds", () => {
    expect(new PlanExecution({ ...aPlan([]), steps: [] }).next()).toEqual({
      action: "Done",
      outcome: { ok: true, events: [], metrics: [] },
    });
  });

  it("a placement plan fails with its error", () => {
    const object = { kind: "Node", name: "n1" };
    const error = { phase: "placement", message: "no such label", object } as const;
    expect(new PlanExecution({ ...aPlan([]), steps: [], error }).next()).toMatchObject({
      action: "Done",
      outcome: { ok: false, message: "no such label" },
    });
  });
});
