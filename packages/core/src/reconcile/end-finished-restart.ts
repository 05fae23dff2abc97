import { MESSAGE_JOBS_READY, REASON_JOBS_READY } from "@jobset-ts/api/conditions";
import { isSuspended, replicasOf, replicatedJobsOf } from "../jobset-members.ts";
import type { Pass } from "./pass.ts";

/** The JobSet is no longer restarting once all its Jobs are ready or have succeeded. */
export function endFinishedRestart(pass: Pass): void {
  if (isSuspended(pass.jobSet)) return;
  const wanted = replicatedJobsOf(pass.jobSet).reduce((sum, one) => sum + replicasOf(one), 0);
  const up = pass.statuses.reduce((sum, { ready, succeeded }) => sum + ready + succeeded, 0);
  if (wanted === up) pass.endRestart(REASON_JOBS_READY, MESSAGE_JOBS_READY);
}
