import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context } from "../context.ts";
import { getName, getNamespace } from "../jobset-members.ts";
import { type ChildJobs, readChildJobs } from "../snapshot/child-jobs.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * Returns the child Jobs of a JobSet as a pass reads them: the Jobs in its namespace that it controls. Its UID decides,
 * or its name with the quirk `JobsListedByOwnerName`.
 */
export function listChildJobs(
  snapshot: Snapshot,
  jobSet: Unvalidated<JobSet>,
  { quirks }: Pick<Context, "quirks">,
): ChildJobs {
  if (!quirks.has("JobsListedByOwnerName")) return snapshot.readChildJobs(jobSet);
  return readChildJobs(snapshot.jobsOfJobSetName(getNamespace(jobSet), getName(jobSet)));
}
