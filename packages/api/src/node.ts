import type { ConditionStatus } from "./condition.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./observed.ts";

/**
 * A machine that runs Pods.
 *
 * @see Kubernetes `core/v1` `Node`
 */
export interface Node {
  apiVersion: "v1";
  kind: "Node";
  metadata: ObjectMeta;
  spec?: NodeSpec;
  status?: NodeStatus;
}

/** What the cluster says of a node. */
export interface NodeSpec extends Open {
  /** Whether new Pods are kept away. */
  unschedulable?: boolean;
  taints?: Taint[];
}

/** Keeps Pods away that do not tolerate it. */
export interface Taint {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  timeAdded?: string;
}

/** What a node says of itself. */
export interface NodeStatus extends Open {
  conditions?: NodeCondition[];
  capacity?: Record<string, string>;
  /** What is left for Pods, as Kubernetes quantities by resource name. */
  allocatable?: Record<string, string>;
}

/** One aspect of a node's state. */
export interface NodeCondition extends Open {
  type: string;
  status: ConditionStatus;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
