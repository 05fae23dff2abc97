import {
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  jobSetMessages,
  jobSetReasons,
} from "@jobset-ts/api/conditions";
import { existingJobNames, isCreationBlocked, missingIndexes } from "../child-jobs/missing-jobs.ts";
import { createJobFactories } from "../desired/desired-jobs.ts";
import { jobCount } from "../desired/job-indexes.ts";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";
import { asString, getReplicatedJobs, isSuspended } from "../jobset-members.ts";
import { createEffect, type Effect, MAX_CONCURRENT_EFFECTS } from "../plan/effects.ts";
import type { Decision } from "../plan/plan.ts";
import { evaluateDependencies } from "../policies/dependencies.ts";
import { evaluateStartupPolicy, isInOrderStartup } from "../policies/startup-policy.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next, phasesThatPodsNeed } from "./phase.ts";

const phase = "create-jobs";

/** Creates missing Jobs, one step for each ReplicatedJob, as far as dependencies and startup order allow. */
export function createJobs(facts: Facts, draft: Draft): Next {
  const { jobSet, jobs, context } = facts;
  const desired = jobCount(jobSet);
  if (desired > MAX_DESIRED_JOBS) {
    const message = `the JobSet requests ${desired} Jobs, but a plan may contain at most ${MAX_DESIRED_JOBS}`;
    return draft.abort({ phase, object: jobSetReference(facts), message });
  }
  const blocked = isCreationBlocked(jobSet, jobs);
  const existingNames = existingJobNames(jobs);
  const gates = evaluateDependencies(jobSet, draft.gateCounters, context);
  const counters = new Map(draft.gateCounters.map((entry) => [entry.name, entry]));
  let next = draft.warn(...listJobsWithTtl(facts));
  for (const [index, replicatedJob] of createJobFactories(
    draft.jobSetWithExecutionAttempts,
    context,
  ).entries()) {
    const { name, replicas } = replicatedJob;
    const object = { kind: "ReplicatedJob", name };
    const gate = gates[index];
    if (gate?.action === "Wait") {
      const { name: on, status } = gate.dependsOn;
      const message = `waits until ${asString(on)} is ${asString(status)}`;
      next = next.decide({ phase, rule: "DependencyNotReached", object, message });
      continue;
    }
    const startup = evaluateStartupPolicy(jobSet, replicas, counters.get(name));
    if (startup.action === "AlreadyStarted") continue;
    if (blocked) {
      const message = "waits until the Jobs of earlier restart attempts are gone";
      next = next.decide({ phase, rule: "BlockingRecreate", object, message });
    } else {
      const missing = missingIndexes(jobSet, replicatedJob, existingNames);
      // Each effect right after its Job, while the Job is still in the processor's cache.
      const effects = missing.map((jobIndex) => createEffect(replicatedJob.jobAt(jobIndex)));
      next = createMissing(facts, next, object, effects);
    }
    if (startup.action === "StartAndStop") return startupInProgress(next).continue();
  }
  if (!isInOrderStartup(jobSet) || isSuspended(jobSet)) return next.continue();
  return next
    .condition("Normal", {
      type: CONDITION_STARTUP_COMPLETED,
      status: "True",
      reason: jobSetReasons.StartupCompleted,
      message: jobSetMessages.StartupCompleted,
    })
    .continue();
}

/** Sets the condition that in-order startup is in progress. */
export function startupInProgress(draft: Draft): Draft {
  return draft.condition("Normal", {
    type: CONDITION_STARTUP_IN_PROGRESS,
    status: "True",
    reason: jobSetReasons.StartupInProgress,
    message: jobSetMessages.StartupInProgress,
  });
}

/** Returns the Jobs that a TTL in their template deletes. They count as missing, so they are created and run again. */
function listJobsWithTtl({ jobSet }: Facts): readonly string[] {
  return getReplicatedJobs(jobSet)
    .filter(({ template }) => (template?.spec?.ttlSecondsAfterFinished ?? undefined) !== undefined)
    .map(
      ({ name }) =>
        `ReplicatedJob ${asString(name)}: its Jobs set ttlSecondsAfterFinished, so each Job is deleted, recreated and run again after it has finished`,
    );
}

function createMissing(
  { context }: Facts,
  draft: Draft,
  object: Decision["object"],
  effects: readonly Effect[],
): Draft {
  return draft.step({
    phase,
    rule: "JobMissing",
    object,
    message: `Jobs that do not exist: ${effects.length}`,
    effects,
    concurrency: MAX_CONCURRENT_EFFECTS,
    onError: "Continue",
    dependsOn: phasesThatPodsNeed,
    errorText: 'job "<name>" creation failed with error: <error>',
    ...(!context.quirks.has("JobCreationFailuresUnreported") && {
      failureEventReason: jobSetReasons.JobCreationFailed,
    }),
  });
}
