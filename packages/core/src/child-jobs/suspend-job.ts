import type { Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { isSuspended } from "../jobset-members.ts";
import { applyChanges, type FieldChange } from "../plan/field-changes.ts";

/** A Job after a change, and what changed. */
export interface ChangedJob {
  readonly job: Unvalidated<Job>;
  /** Empty if nothing changed; then `job` is the original object. */
  readonly changes: readonly FieldChange[];
}

/** Returns the suspended Job. Its Pod template stays the same. An already suspended Job is returned unchanged. */
export function suspendJob(job: Unvalidated<Job>): ChangedJob {
  return isSuspended(job)
    ? { job, changes: [] }
    : updateJob(job, [{ path: ["spec", "suspend"], value: true }]);
}

/** Returns a Job with changes applied. */
export function updateJob(job: Unvalidated<Job>, changes: readonly FieldChange[]): ChangedJob {
  return { job: applyChanges(job, changes), changes };
}
