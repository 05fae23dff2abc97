import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { AdmissionContext } from "../webhook-shape.ts";
import { type JobSetView, type ReplicatedJobView, viewJobSet } from "./jobset-view.ts";

/** A JobSet before and after an edit, its ReplicatedJobs paired by name. */
export interface UpdateView {
  readonly before: JobSetView;
  readonly after: JobSetView;
  readonly pairs: readonly ReplicatedJobPair[];
  /** Whether the JobSet is suspended before the edit or after it. */
  readonly isSuspended: boolean;
}

/** A ReplicatedJob after the edit, and the one of its name before it: the last, should there be several. */
export interface ReplicatedJobPair {
  readonly after: ReplicatedJobView;
  readonly before: ReplicatedJobView | undefined;
}

/** Looks at two JobSets that decode. */
export function viewUpdate(
  old: Unvalidated<JobSet>,
  next: Unvalidated<JobSet>,
  context: AdmissionContext,
): UpdateView {
  const [before, after] = [viewJobSet(old, context), viewJobSet(next, context)];
  const lastNamed = new Map(before.replicatedJobs.map((one) => [one.name, one]));
  return {
    before,
    after,
    pairs: after.replicatedJobs.map((one) => ({ after: one, before: lastNamed.get(one.name) })),
    isSuspended: [before, after].some(({ spec }) => spec.suspend === true),
  };
}
