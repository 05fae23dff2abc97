import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context } from "../context.ts";
import { getName, getNamespace } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import { type ChildJobs, readChildJobs } from "../snapshot/child-jobs.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Returns the child Jobs of a JobSet as a pass reads them: the Jobs in its namespace that it controls. */
export function listChildJobs(
  snapshot: Snapshot,
  jobSet: Unvalidated<JobSet>,
  { quirks }: Pick<Context, "quirks">,
): ChildJobs {
  if (!areJobsFoundByOwnerName(quirks)) return snapshot.readChildJobs(jobSet);
  return readChildJobs(snapshot.jobsOfJobSetName(getNamespace(jobSet), getName(jobSet)));
}

/** Reports whether the controller finds child Jobs by the name of their JobSet. By default, it finds them by its UID. */
export function areJobsFoundByOwnerName(quirks: Quirks): boolean {
  return quirks.has("JobsListedByOwnerName");
}
