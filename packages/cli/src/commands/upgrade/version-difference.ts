import type { JsonDifference } from "./json-differences.ts";

/**
 * A difference between two versions of JobSet on the same input.
 *
 * - `Admission`: whether a creation is admitted, or the message of the denial.
 * - `Field`: a field of the stored JobSet.
 * - `Object`: a created Job, Service or PersistentVolumeClaim.
 * - `Pod`: a Pod after the mutating webhook.
 * - `FailurePolicy`: the decision about failed Jobs.
 * - `Request`: a request of the controller.
 * - `Condition`, `Status`: a condition, or another part of the status.
 * - `Event`: an Event of the controller.
 */
export type DifferenceCategory =
  | "Admission"
  | "Field"
  | "Object"
  | "Pod"
  | "FailurePolicy"
  | "Request"
  | "Condition"
  | "Status"
  | "Event";

/** One difference between two versions of JobSet for a JobSet. */
export interface VersionDifference extends JsonDifference {
  readonly category: DifferenceCategory;
  /** When the difference shows: on creation, in a typical situation, or now. */
  readonly situation: string;
  /** The object, such as `JobSet` or `Job workers-0`. Names of Jobs omit the name of the JobSet. */
  readonly object: string;
}

/** The differences for one JobSet. */
export interface JobSetDifferences {
  readonly namespace: string;
  readonly name: string;
  /** Whether the new version denies the creation of the JobSet. */
  readonly isRejected: boolean;
  /** Whether the upgrade itself restarts or deletes running Jobs or Pods. Always false for a manifest. */
  readonly isRestarted: boolean;
  /** Whether the next reconcile of the running JobSet differs. Always false for a manifest. */
  readonly isAffected: boolean;
  readonly differences: readonly VersionDifference[];
}
