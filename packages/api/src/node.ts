import type { ConditionStatus } from "./condition.ts";
import { asString, isObject } from "./members.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Toleration } from "./pod.ts";
import type { Open, Unvalidated } from "./unvalidated.ts";

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

/**
 * Reports whether a toleration tolerates a taint. Members with values of another type than the API's count as absent.
 *
 * @see Kubernetes `Toleration.ToleratesTaint`
 * @example toleratesTaint({ operator: "Exists" }, { key: "gpu", effect: "NoSchedule" }) // => true
 */
export function toleratesTaint(
  toleration: Unvalidated<Toleration>,
  taint: Unvalidated<Taint>,
): boolean {
  if (!isObject(toleration) || !isObject(taint)) return false;
  const [key, value] = [asString(toleration.key), asString(toleration.value)];
  const effect = asString(toleration.effect);
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  const own = asString(taint.value);
  switch (asString(toleration.operator)) {
    case "Exists":
      return true;
    case "":
    case "Equal":
      return key !== "" && value === own;
    case "Gt":
      return isDecimal(own) && isDecimal(value) && BigInt(own) > BigInt(value);
    case "Lt":
      return isDecimal(own) && isDecimal(value) && BigInt(own) < BigInt(value);
    default:
      return false;
  }
}

/** Reports whether text is a canonical decimal integer of at most 18 digits. Kubernetes compares only integers. */
function isDecimal(text: string): boolean {
  return /^(0|-?[1-9]\d{0,17})$/.test(text);
}
