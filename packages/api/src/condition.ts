/** Whether a condition holds. */
export type ConditionStatus = "True" | "False" | "Unknown";

/**
 * One aspect of an object's state, at most one per `type`.
 *
 * @see Kubernetes `metav1.Condition`
 */
export interface Condition {
  type: string;
  status: ConditionStatus;
  /** The generation that the condition speaks of; JobSet's controller never sets it. */
  observedGeneration?: number;
  /** When `status` last changed, in whole seconds; a change of reason or message leaves it alone. */
  lastTransitionTime: string;
  /** One PascalCase word for programs. */
  reason: string;
  /** A sentence for a person. */
  message: string;
}
