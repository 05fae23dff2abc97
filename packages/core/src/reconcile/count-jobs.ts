import { asArray } from "../jobset-members.ts";
import {
  replicatedJobsStatus,
  sameReplicatedJobsStatus,
} from "../status/replicated-jobs-status.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Counts the Jobs, and writes the counters if they differ from the stored ones. */
export function countJobs(facts: Facts, draft: Draft): Next {
  const { jobSet, jobs, context } = facts;
  const { statuses, gateCounters, unclaimed } = replicatedJobsStatus(jobSet, jobs, context);
  const stored = asArray(jobSet.status?.replicatedJobsStatus);
  const differ = !sameReplicatedJobsStatus(stored, statuses);
  const warnings = unclaimed.map(
    (job) => `Job ${job} does not belong to a ReplicatedJob of the JobSet, so it is not counted`,
  );
  const counted = draft
    .count(statuses, differ)
    .withGateCounters(gateCounters)
    .warn(...warnings);
  if (!differ) return counted.continue();
  return counted
    .decide({
      phase: "status",
      rule: "CountersChanged",
      object: jobSetReference(facts),
      message: "the status counters are out of date",
    })
    .continue();
}
