import { describe, expect, it } from "vitest";
import { priorityChange, workloadPriority } from "./priority.ts";

const classes = {
  workloadPriorityClasses: [{ metadata: { name: "high" }, value: 100 }],
  priorityClasses: [
    { metadata: { name: "b" }, value: 5, globalDefault: true },
    { metadata: { name: "a" }, value: 5, globalDefault: true },
    { metadata: { name: "pod" }, value: 7 },
  ],
};
const labelled = (name: string) => ({
  metadata: { labels: { "kueue.x-k8s.io/priority-class": name } },
});
const podSets = ["", "pod"].map((priorityClassName) => ({
  name: "w",
  template: { spec: { priorityClassName } },
}));

describe("workloadPriority", () => {
  it("workloadPriority uses the label, then the first Pod set with a class, then the global default class", () => {
    const priority = (jobSet: object, sets: object[]) => {
      const result = workloadPriority(jobSet, sets, classes);
      return result.ok && [result.value.priority, result.value.priorityClassRef?.name];
    };
    expect(priority(labelled("high"), podSets)).toEqual([100, "high"]);
    expect(priority({}, podSets)).toEqual([7, "pod"]);
    expect(priority({}, [])).toEqual([5, "a"]);
    expect(workloadPriority({}, [], {})).toEqual({ ok: true, value: { priority: 0 } });
  });

  it("workloadPriority adds a warning Event only for a missing WorkloadPriorityClass", () => {
    expect(workloadPriority(labelled("gone"), [], classes)).toMatchObject({
      refusal: {
        message: 'workloadpriorityclasses.kueue.x-k8s.io "gone" not found',
        event: { type: "Warning", message: 'WorkloadPriorityClass "gone" not found' },
      },
    });
    const podSets = [{ template: { spec: { priorityClassName: "gone" } } }];
    const { refusal } = workloadPriority({}, podSets, classes) as { refusal: object };
    expect(refusal).toEqual({
      reason: "NotFound",
      message: 'priorityclasses.scheduling.k8s.io "gone" not found',
      isPermanent: false,
    });
  });
});

describe("priorityChange", () => {
  const createPriorityRef = (kind: string) => ({
    priorityClassRef: { group: "g", kind, name: "low" },
  });
  const reserved = { conditions: [{ type: "QuotaReserved", status: "True" as const }] };

  it("priorityChange follows a changed label", () => {
    const workload = { spec: createPriorityRef("WorkloadPriorityClass"), status: reserved };
    expect(priorityChange(labelled("high"), workload, classes)).toMatchObject({
      value: { action: "Update", priority: 100 },
    });
  });

  it.each([
    ["while the priority comes from the Pods", { spec: createPriorityRef("PriorityClass") }],
    ["while quota is held without any class", { spec: {}, status: reserved }],
  ])("priorityChange ignores a changed label %s", (_, workload) => {
    expect(priorityChange(labelled("high"), workload, classes)).toMatchObject({
      value: { action: "Keep" },
    });
  });

  it("priorityChange fails if the label names a missing class", () => {
    expect(priorityChange(labelled("gone"), { spec: {} }, classes)).toMatchObject({
      refusal: {
        message:
          'prepare workload priority: workloadpriorityclasses.kueue.x-k8s.io "gone" not found',
      },
    });
  });
});
