import { jobSetReasons } from "@jobset-ts/api/conditions";
import { getRestarts, isBeingDeleted } from "../jobset-members.ts";
import { deleteEffect, jobTarget, MAX_CONCURRENT_EFFECTS } from "../plan/effects.ts";
import type { Decision } from "../plan/plan.ts";
import type { ChildJob } from "../snapshot/child-job.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Deletes the Jobs of earlier restart attempts. */
export function deletePreviousJobs(facts: Facts, draft: Draft): Next {
  return deleteJobs(facts, draft, facts.jobs.previous.list(), {
    phase: "delete-previous",
    rule: "EarlierRestartAttempt",
    object: jobSetReference(facts),
    message: `Jobs of earlier restart attempts are deleted before attempt ${getRestarts(facts.jobSet)}`,
  }).continue();
}

/** Deletes the active Jobs of a finished JobSet, claimed or not, of any restart attempt. Finished Jobs stay. */
export function deleteActiveJobs(facts: Facts, draft: Draft): Draft {
  return deleteJobs(facts, draft, draft.unfinished, {
    phase: "delete-active",
    rule: "JobSetFinished",
    object: jobSetReference(facts),
    message: "the JobSet has finished, so its active Jobs are deleted",
  });
}

function deleteJobs(
  facts: Facts,
  draft: Draft,
  jobs: readonly ChildJob[],
  { phase, rule, object, message }: Decision,
): Draft {
  if (jobs.length === 0) return draft;
  return draft.step({
    phase,
    rule,
    object,
    message,
    effects: jobs
      .map(({ job }) => job)
      .filter((job) => !isBeingDeleted(job))
      .map((job) => deleteEffect(jobTarget(job), job, "Succeed")),
    concurrency: MAX_CONCURRENT_EFFECTS,
    onError: "Continue",
    dependsOn: [],
    ...facts.onRejection.reporting(
      jobSetReasons.JobDeletionFailed,
      'job "<name>" deletion failed with error: <error>',
    ),
  });
}
