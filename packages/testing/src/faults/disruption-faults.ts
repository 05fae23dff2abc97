import type { PodStatus } from "@jobset-ts/api/kubernetes";
import { ago } from "./event-times.ts";
import type { Fault } from "./fault.ts";
import { applyToPods } from "./pod-faults.ts";
import { createFailedStatus } from "./pod-states.ts";

/** Faults in which a Pod ends for a reason other than its containers. */
export const disruptionFaults: readonly Fault[] = [
  disruption("pod-preempted", "the scheduler has preempted Pods", [
    target(
      "PreemptionByScheduler",
      "default-scheduler: preempting to accommodate a higher priority pod",
    ),
  ]),
  disruption("pod-evicted", "a drain or the kubelet has evicted Pods", [
    target("EvictionByEvictionAPI", "Eviction API: evicting"),
    target("TerminationByKubelet", 'Usage of EmptyDir volume "scratch" exceeds the limit "20Gi". '),
    createFailedStatus(
      { exitCode: 137, reason: "Error" },
      { reason: "Evicted", message: "The node was low on resource: memory. " },
    ),
    { phase: "Failed", reason: "NodeShutdown", message: "Pod was terminated" },
  ]),
  disruption("pod-evicted-by-taint", "a taint of a node has ended Pods", [
    target("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"),
  ]),
  disruption("pod-rejected-by-kubelet", "a kubelet has not accepted Pods", [
    { phase: "Failed", reason: "OutOfcpu", message: "Node didn't have enough resource: cpu" },
    { phase: "Failed", reason: "NodeAffinity", message: "Predicate NodeAffinity failed" },
    { phase: "Failed", reason: "UnexpectedAdmissionError", message: "Allocate failed" },
  ]),
];

function disruption(cause: string, how: string, statuses: readonly PodStatus[]): Fault {
  const [first = { phase: "Failed" }, ...others] = statuses;
  return {
    cause,
    how: `${how}, and they are not replaced yet`,
    needs: ["Pod", "Job"],
    apply: (scene) => ({
      ...applyToPods(scene, "Stuck", (pod) => {
        pod.status = scene.dice.pickOne(first, ...others);
      }),
      besides: ["pods-not-created"],
    }),
  };
}

/** Returns the status of a failed Pod with the condition of a disruption. */
function target(reason: string, message: string): PodStatus {
  const status = createFailedStatus({ exitCode: 143, reason: "Error" });
  const lastTransitionTime = ago(70);
  const condition = { type: "DisruptionTarget", status: "True", reason, message } as const;
  return {
    ...status,
    conditions: [{ ...condition, lastTransitionTime }, ...(status.conditions ?? [])],
  };
}
