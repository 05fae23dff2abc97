import { asString, findCondition } from "@jobset-ts/api/kubernetes";
import type { MemberPod } from "./member-pod.ts";

/**
 * The component that ends a Pod: the scheduler, an eviction, a taint, or the kubelet that does not
 * accept it.
 */
export type DisruptionKind = "Preemption" | "Eviction" | "Taint" | "Rejection";

/** Why a Pod ended, if its containers are not the cause. */
export interface Disruption {
  readonly kind: DisruptionKind;
  readonly reason: string;
  readonly message: string;
  /** The condition or field that shows the reason. */
  readonly at: "DisruptionTarget" | "status.reason";
  /** The time of the condition. */
  readonly since?: unknown;
}

/**
 * Returns why a Pod ended, from the condition `DisruptionTarget`, or otherwise from the reason of its status.
 *
 * @see Kubernetes `core/v1` `DisruptionTarget` and kubelet `eviction`, `nodeshutdown` and `lifecycle`
 */
export function findDisruption({ pod }: MemberPod): Disruption | undefined {
  const { conditions, reason, message } = pod.status ?? {};
  const target = findCondition(conditions, "DisruptionTarget");
  if (target?.status === "True") {
    const why = asString(target.reason);
    return {
      kind: kindsByTarget.get(why) ?? "Eviction",
      reason: why,
      message: asString(target.message) || asString(message),
      at: "DisruptionTarget",
      since: target.lastTransitionTime,
    };
  }
  const kind = getKind(asString(reason), asString(message));
  if (kind === undefined) return undefined;
  return { kind, reason: asString(reason), message: asString(message), at: "status.reason" };
}

const kindsByTarget: ReadonlyMap<string, DisruptionKind> = new Map([
  ["PreemptionByScheduler", "Preemption"],
  ["PreemptionByKubeScheduler", "Preemption"],
  ["EvictionByEvictionAPI", "Eviction"],
  ["TerminationByKubelet", "Eviction"],
  ["DeletionByTaintManager", "Taint"],
  ["DeletionByDeviceTaintManager", "Taint"],
  // The Pod garbage collector deletes Pods whose node no longer exists.
  ["DeletionByPodGC", "Eviction"],
]);

/**
 * Returns the kind of a reason of a Pod's status. The kubelet rejects a Pod with the name of the failed check, or because
 * of a condition of the node.
 */
function getKind(reason: string, message: string): DisruptionKind | undefined {
  if (reason === "Evicted" && message.includes("node had condition")) return "Rejection";
  if (reason.startsWith("OutOf") || kubeletChecks.has(reason)) return "Rejection";
  if (reason === "Preempting") return "Preemption";
  return ["Evicted", "NodeShutdown", "Terminated", "Shutdown", "NodeLost"].includes(reason)
    ? "Eviction"
    : undefined;
}

const kubeletChecks = new Set([
  "NodeAffinity",
  "NodeName",
  "NodePorts",
  "UnexpectedAdmissionError",
  "TopologyAffinityError",
  "SysctlForbidden",
  "AppArmor",
  "PodOSNotSupported",
  "PodOSSelectorNodeLabelDoesNotMatch",
  "PodFeatureUnsupported",
  "InvalidNodeInfo",
]);
