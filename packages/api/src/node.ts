import type { ConditionStatus } from "./condition.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./unvalidated.ts";

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

/** The desired state of a node. */
export interface NodeSpec extends Open {
  /** Whether the node is cordoned. */
  unschedulable?: boolean;
  taints?: Taint[];
}

/** A taint repels Pods that do not tolerate it. */
export interface Taint {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  timeAdded?: string;
}

/** The reported state of a node. */
export interface NodeStatus extends Open {
  conditions?: NodeCondition[];
  capacity?: Record<string, string>;
  /** The resources available to Pods, as Kubernetes quantities by resource name. */
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
