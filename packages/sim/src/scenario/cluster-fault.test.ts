import { findCondition, getName, type Job, type Node, type Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { withJobSet, withSpec } from "../explore/scenario-edits.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { Change } from "../kernel/component.ts";
import { DONE, isRestart, scenarioWith, simulateWithFaults, span } from "../testing/faulty-run.ts";
import type { Fault } from "./fault.ts";
import { simulate } from "./simulate.ts";

/** Returns the reasons of all conditions DisruptionTarget. */
function listDisruptionReasons(changes: readonly Change[]): ReadonlySet<string> {
  const reasons = changes.flatMap(({ after }) => {
    const conditions = after?.kind === "Pod" ? (after as unknown as Pod).status?.conditions : [];
    const reason = findCondition(conditions, "DisruptionTarget")?.reason;
    return reason === undefined ? [] : [reason];
  });
  return new Set(reasons);
}

/** Returns the successive values of a property of a node. */
function listNodeValues(
  changes: readonly Change[],
  read: (node: Node) => unknown,
): readonly unknown[] {
  const seen = changes.flatMap(({ after }) =>
    after?.kind === "Node" && after.metadata.name === "node-0"
      ? [read(after as unknown as Node)]
      : [],
  );
  return seen.filter((value, at) => JSON.stringify(value) !== JSON.stringify(seen[at - 1]));
}

describe("a fault of nodes and Pods", () => {
  it("Drain evicts the Pods of a node, which accepts no Pods until the drain is over", () => {
    const { changes, jobSet } = simulateWithFaults(
      scenarioWith([{ fault: "Drain", node: "node-0", ...span }]),
    );
    expect(listDisruptionReasons(changes)).toEqual(new Set(["EvictionByEvictionAPI"]));
    expect(listNodeValues(changes, ({ spec }) => spec?.unschedulable === true)).toEqual([
      false,
      true,
      false,
    ]);
    expect(jobSet?.status).toMatchObject({ restarts: 1 });
  });

  it("LoseDomain removes nodes and the Pods on them", () => {
    const fault = {
      fault: "LoseDomain",
      label: "rack",
      value: "r0",
      from: 10_000,
      until: 200_000,
    } as const;
    const { changes, jobSet, end } = simulateWithFaults(scenarioWith([fault]));
    expect(listDisruptionReasons(changes)).toEqual(new Set(["DeletionByPodGC"]));
    expect(jobSet?.status).toMatchObject({ restarts: 1 });
    expect(end.objects.ofKind("Node").map(({ metadata }) => metadata.name)).toEqual([
      "node-0",
      "node-1",
    ]);
  });

  it("LoseDomain leaves a rack free for the next Job", () => {
    const fault = {
      fault: "LoseDomain",
      label: "rack",
      value: "r0",
      ...span,
      until: 200_000,
    } as const;
    const workload = [{ ...DONE, runMs: 600_000 }];
    const { objects, ...scenario } = scenarioWith([fault], { workload });
    const exclusive = objects.map((object) => {
      if (object.kind !== "JobSet") return object;
      const annotations = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
      const failurePolicy = { maxRestarts: 5, restartStrategy: "BlockingRecreate" };
      const spec = { ...(object.spec as object), failurePolicy };
      return { ...object, metadata: { ...object.metadata, annotations }, spec } as typeof object;
    });
    const { changes } = simulateWithFaults({ ...scenario, objects: exclusive });
    const bound = changes.flatMap(({ before, after }) => {
      const [was, is] = [before as unknown as Pod | undefined, after as unknown as Pod | undefined];
      const isBound = is?.kind === "Pod" && was?.spec.nodeName === undefined && is.spec.nodeName;
      return isBound && was !== undefined ? [`${getName(is).slice(6, 9)} ${is.spec.nodeName}`] : [];
    });
    // The Job from the lost rack moved to the other rack, and the other Job moved to the lost one.
    expect(bound).toEqual(["w-0 node-0", "w-1 node-1", "w-0 node-1", "w-1 node-0"]);
  });

  it("LoseDomain for a moment leaves the Pods unchanged", () => {
    const fault = {
      fault: "LoseDomain",
      label: "rack",
      value: "r0",
      from: 10_000,
      until: 20_000,
    } as const;
    const { changes, jobSet } = simulateWithFaults(scenarioWith([fault]));
    expect(listDisruptionReasons(changes)).toEqual(new Set());
    expect(jobSet?.status).toMatchObject({ restarts: 0 });
  });

  it("Preempt evicts Pods by priority", () => {
    const { changes, jobSet, end } = simulateWithFaults(
      scenarioWith([{ fault: "Preempt", node: "node-0", ...span }]),
    );
    expect(listDisruptionReasons(changes)).toEqual(new Set(["PreemptionByScheduler"]));
    expect(jobSet?.status).toMatchObject({ restarts: 1 });
    expect(end.objects.ofKind("Pod").map(({ metadata }) => metadata.namespace)).not.toContain(
      "kube-system",
    );
  });

  it("Relabel changes the label of a node and restores it", () => {
    const relabelled = {
      fault: "Relabel",
      node: "node-0",
      label: "rack",
      value: "r1",
      ...span,
    } as const;
    const { changes } = simulateWithFaults(scenarioWith([relabelled]));
    expect(listNodeValues(changes, ({ metadata }) => metadata.labels?.rack)).toEqual([
      "r0",
      "r1",
      "r0",
    ]);
  });

  it("Taint repels Pods, and evicts them with NoExecute", () => {
    const tainted = { fault: "Taint", node: "node-0", effect: "NoExecute", ...span } as const;
    const { changes, jobSet, end } = simulateWithFaults(scenarioWith([tainted]));
    expect(listDisruptionReasons(changes)).toEqual(new Set(["DeletionByTaintManager"]));
    expect(jobSet?.status).toMatchObject({ restarts: 1 });
    expect(end.objects.get<Node>("Node", "", "node-0")?.spec?.taints).toBeUndefined();
  });
});

describe("a fault of a built-in controller", () => {
  const boundAt = (faults: readonly Fault[]) => {
    const { changes } = simulateWithFaults(scenarioWith(faults));
    const bound = changes.find(
      ({ before, after }) =>
        after?.kind === "Pod" && before !== undefined && (after as unknown as Pod).spec.nodeName,
    );
    return (bound?.at ?? 0) - START_TIME;
  };

  it("Slow delays a built-in controller while it lasts", () => {
    const slow = { fault: "Slow", component: "scheduler", ms: 7_000, from: 0 } as const;
    const usual = boundAt([]);
    expect(boundAt([{ ...slow, until: 1_000 }])).toBe(usual + 7_000);
    expect(boundAt([{ ...slow, from: 1_000, until: 2_000 }])).toBe(usual);
  });

  it("RestartJobController clears the controller's back-off", () => {
    const failing = {
      replicatedJob: "w",
      jobIndex: 0,
      startMs: 0,
      endsAtMs: 5_000,
      exitCode: 1,
    };
    const replacedAt = (faults: readonly Fault[]) => {
      const { changes } = simulateWithFaults(
        scenarioWith(faults, { workload: [failing, DONE], jobSpec: { backoffLimit: 3 } }),
      );
      const pods = changes.filter(({ verb, after }) => verb === "Added" && after?.kind === "Pod");
      return (pods.at(-1)?.at ?? 0) - START_TIME;
    };
    expect(replacedAt([])).toBeGreaterThanOrEqual(15_000);
    expect(replacedAt([{ fault: "RestartJobController", at: 8_000 }])).toBeLessThan(9_000);
  });
});

describe.each(["1.35", "1.36"] as const)("StaleJobController in Kubernetes %s", (kubernetes) => {
  const stale = { fault: "StaleJobController" } as const;
  const createdPods = (changes: readonly Change[]) =>
    changes.filter(({ verb, after }) => verb === "Added" && after?.kind === "Pod");

  it("StaleJobController creates no Pod twice if its cache lacks the Pod, and sees a failure later", () => {
    const failing = { replicatedJob: "w", jobIndex: 0, attempt: 0, runMs: 5_000, exitCode: 1 };
    const hold: Fault = { ...stale, kind: "Pod", from: 1, until: 20_000 };
    const scenario = scenarioWith([hold], { workload: [failing, DONE] });
    const { changes, jobSet } = simulateWithFaults({ ...scenario, kubernetes });
    const early = createdPods(changes).filter(({ at }) => at < START_TIME + 20_000);
    expect(early.map(({ after }) => after?.metadata.name?.slice(0, 9)).sort()).toEqual([
      "train-w-0",
      "train-w-1",
    ]);
    expect(jobSet?.status).toMatchObject({ restarts: 1 });
    const restartedAt = (changes.find(isRestart)?.at ?? 0) - START_TIME;
    expect(restartedAt).toBeGreaterThanOrEqual(20_000);
    expect(restartedAt).toBeLessThan(23_000);
  });

  it("StaleJobController stops Pods only when its cache shows that their Job is suspended", () => {
    const { objects, ...scenario } = scenarioWith([{ ...stale, kind: "Job", ...span }]);
    const jobSet = { kind: "JobSet", metadata: { namespace: "ml", name: "train" } };
    const actions = [
      [15_000, true],
      [60_000, false],
    ].map(([at, suspend]) => ({
      at: Number(at),
      request: { verb: "patch", object: { ...jobSet, spec: { suspend } } } as const,
    }));
    const { changes } = simulateWithFaults({ ...scenario, objects, actions, kubernetes });
    const findFirst = (kind: string, isSo: (object: Job | Pod) => boolean) =>
      changes.find(({ after }) => after?.kind === kind && isSo(after as unknown as Job | Pod));
    const suspended = findFirst("Job", ({ spec }) => (spec as Job["spec"]).suspend === true);
    const stopped = findFirst("Pod", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    expect((suspended?.at ?? 0) - START_TIME).toBeLessThan(16_000);
    expect((stopped?.at ?? 0) - START_TIME).toBeGreaterThanOrEqual(30_000);
  });

  it("StaleJobController recreates Pods after five minutes before 1.36, when its expectations expire", () => {
    const jobSet = { kind: "JobSet", metadata: { namespace: "ml", name: "train" } };
    const actions = [
      [200_000, true],
      [210_000, false],
      [320_000, true],
      [330_000, false],
    ].map(([at, suspend]) => ({
      at: Number(at),
      request: { verb: "patch", object: { ...jobSet, spec: { suspend } } } as const,
    }));
    const hold: Fault = { ...stale, kind: "Pod", from: 1, until: 400_000 };
    const { changes } = simulateWithFaults({ ...scenarioWith([hold]), actions, kubernetes });
    const madeAt = createdPods(changes).map(({ at }) => Math.floor((at - START_TIME) / 10_000));
    expect(madeAt).toEqual(kubernetes === "1.35" ? [0, 0, 33, 33] : [0, 0]);
  });

  it("StaleJobController leaves no Pods of a Job that finishes before its cache shows that", () => {
    const ends = { ...DONE, runMs: 15_000 };
    const scenario = withJobSet(
      scenarioWith([{ ...stale, kind: "Job", ...span }], { workload: [ends] }),
      (jobSet) => withSpec(jobSet, { ttlSecondsAfterFinished: 60 }),
    );
    const changes: Change[] = [];
    const { end, violations, isIdle } = simulate(
      { ...scenario, kubernetes },
      { onTurn: (turn) => changes.push(...turn.changes) },
    );
    expect([violations, isIdle]).toEqual([[], true]);
    expect(["JobSet", "Job", "Pod"].flatMap((kind) => end.objects.ofKind(kind))).toEqual([]);
    // Since 1.36, the controller waits until its cache shows its own writes.
    expect(createdPods(changes)).toHaveLength(kubernetes === "1.35" ? 4 : 2);
  });
});
