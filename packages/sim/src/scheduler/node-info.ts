import {
  asArray,
  asRecord,
  getName,
  isObject,
  type Node,
  type Taint,
  type Toleration,
  toleratesTaint,
} from "@jobset-ts/api/kubernetes";
import type { Labels } from "./pod-affinity-term.ts";
import { type Amounts, parseAmounts } from "./resource-amounts.ts";

/** The parts of a node that the scheduler reads. */
export interface NodeInfo {
  readonly name: string;
  readonly labels: Labels;
  /** The taints that keep Pods away. */
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly allocatable: Amounts;
}

export function createNodeInfo(node: Node): NodeInfo {
  return {
    name: getName(node),
    labels: asRecord(node.metadata.labels),
    taints: asArray(node.spec?.taints).filter(
      (taint) => isObject(taint) && taint.effect !== "PreferNoSchedule",
    ),
    isUnschedulable: node.spec?.unschedulable === true,
    allocatable: parseAmounts(node.status?.allocatable),
  };
}

/** Returns whether tolerations cover all taints of a node. */
export function toleratesTaints(
  tolerations: readonly Toleration[],
  taints: readonly Taint[],
): boolean {
  return taints.every((taint) => tolerations.some((one) => toleratesTaint(one, taint)));
}

const UNSCHEDULABLE_TAINT: Taint = {
  key: "node.kubernetes.io/unschedulable",
  effect: "NoSchedule",
};

/** Returns whether a node is cordoned and the Pod does not tolerate that. */
export function isCordonedFor(node: NodeInfo, tolerations: readonly Toleration[]): boolean {
  return node.isUnschedulable && !toleratesTaints(tolerations, [UNSCHEDULABLE_TAINT]);
}
