import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { AdmissionContext } from "../webhook-shape.ts";
import { type JobSetView, type ReplicatedJobView, viewJobSet } from "./jobset-view.ts";

/** A JobSet before and after an update, with its ReplicatedJobs paired by name. */
export interface UpdateView {
  readonly before: JobSetView;
  readonly after: JobSetView;
  readonly pairs: readonly ReplicatedJobPair[];
  /** Whether the JobSet is suspended before or after the update. */
  readonly isSuspended: boolean;
}

/**
 * A ReplicatedJob after the update, and the one with the same name before it. If there were several, the last
 * one.
 */
export interface ReplicatedJobPair {
  readonly after: ReplicatedJobView;
  readonly before: ReplicatedJobView | undefined;
}

/** Creates the view of two JobSets that can be decoded. */
export function viewUpdate(
  old: Unvalidated<JobSet>,
  next: Unvalidated<JobSet>,
  context: AdmissionContext,
): UpdateView {
  const [before, after] = [viewJobSet(old, context), viewJobSet(next, context)];
  const lastNamed = new Map(before.replicatedJobs.map((one) => [one.name, one]));
  const byIndex = after.quirks.has("ReplicatedJobsComparedByIndex");
  return {
    before,
    after,
    pairs: after.replicatedJobs.map((one) => ({
      after: one,
      before: byIndex ? before.replicatedJobs[one.index] : lastNamed.get(one.name),
    })),
    isSuspended: [before, after].some(({ spec }) => spec.suspend === true),
  };
}
