import { jobSetMessages, jobSetReasons } from "@jobset-ts/api/conditions";
import { getReplicas, getReplicatedJobs, isSuspended } from "../jobset-members.ts";
import type { Draft } from "./draft.ts";
import type { Facts, Next } from "./phase.ts";

/** Ends a restart once all Jobs of the JobSet are ready or have succeeded. */
export function endFinishedRestart({ jobSet }: Facts, draft: Draft): Next {
  if (isSuspended(jobSet)) return draft.continue();
  const desired = getReplicatedJobs(jobSet).reduce((sum, one) => sum + getReplicas(one), 0);
  const up = draft.counters.reduce((sum, { ready, succeeded }) => sum + ready + succeeded, 0);
  if (desired !== up) return draft.continue();
  return draft
    .endRestart({ reason: jobSetReasons.JobsReady, message: jobSetMessages.JobsReady })
    .continue();
}
