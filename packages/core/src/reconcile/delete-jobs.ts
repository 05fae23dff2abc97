import type { Observed } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { restartsOf } from "../jobset-members.ts";
import { deleteEffect, jobTarget, MAX_CONCURRENT_EFFECTS } from "../plan/effects.ts";
import type { Pass } from "./pass.ts";

/** Deletes the Jobs of a finished JobSet that are still active; those that have ended stay. */
export function deleteActiveJobs(pass: Pass, { active }: ClassifiedJobs): void {
  deleteJobs(pass, active, {
    phase: "delete-active",
    rule: "JobSetFinished",
    message: "the JobSet has ended, so its active Jobs are deleted",
  });
}

/** Deletes the Jobs of earlier restart attempts. */
export function deletePreviousJobs(pass: Pass, { previous }: ClassifiedJobs): void {
  deleteJobs(pass, previous, {
    phase: "delete-previous",
    rule: "EarlierRestartAttempt",
    message: `Jobs of earlier restart attempts make room for attempt ${restartsOf(pass.jobSet)}`,
  });
}

function deleteJobs(
  pass: Pass,
  jobs: readonly Observed<Job>[],
  why: {
    readonly phase: "delete-active" | "delete-previous";
    readonly rule: string;
    readonly message: string;
  },
): void {
  const { phase } = why;
  pass.step({
    phase,
    decision: { ...why, object: pass.self },
    effects: jobs
      .filter((job) => (job.metadata?.deletionTimestamp ?? undefined) === undefined)
      .map((job) => deleteEffect(jobTarget(job), job, "Succeed")),
    concurrency: MAX_CONCURRENT_EFFECTS,
    afterFailure: "TryOthers",
    finishPhase: false,
  });
}
