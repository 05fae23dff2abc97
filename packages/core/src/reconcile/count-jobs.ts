import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { listOf } from "../jobset-members.ts";
import {
  replicatedJobsStatus,
  sameReplicatedJobsStatus,
} from "../status/replicated-jobs-status.ts";
import type { Pass } from "./pass.ts";

/** Counts the Jobs, and has the counters written when they are not the stored ones. */
export function countJobs(pass: Pass, jobs: ClassifiedJobs): void {
  const { statuses, unclaimed } = replicatedJobsStatus(pass.jobSet, jobs, pass.context);
  const stored = listOf(pass.jobSet.status?.replicatedJobsStatus);
  const differ = !sameReplicatedJobsStatus(stored, statuses);
  pass.count(statuses, differ);
  if (differ) {
    pass.decide({
      phase: "status",
      rule: "CountersChanged",
      object: pass.self,
      message: "the Jobs are no longer as the status counts them",
    });
  }
  for (const job of unclaimed) {
    pass.warn(`Job ${job} belongs to no ReplicatedJob of the JobSet and counts nowhere`);
  }
}
