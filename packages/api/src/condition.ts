/** Whether a condition is true. */
export type ConditionStatus = "True" | "False" | "Unknown";

/**
 * One aspect of an object's state. At most one per `type`.
 *
 * @see Kubernetes `metav1.Condition`
 */
export interface Condition {
  type: string;
  status: ConditionStatus;
  /** The generation that the condition describes. JobSet's controller never sets it. */
  observedGeneration?: number;
  /** When `status` last changed, in whole seconds. A change of reason or message does not change it. */
  lastTransitionTime: string;
  /** A PascalCase word for programs. */
  reason: string;
  /** A sentence for people. */
  message: string;
}
