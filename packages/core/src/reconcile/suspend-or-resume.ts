import type { Unvalidated } from "@jobset-ts/api";
import { CONDITION_SUSPENDED, jobSetMessages, jobSetReasons } from "@jobset-ts/api/conditions";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createGroupClaims } from "../child-jobs/job-claims.ts";
import { type ResumeResult, resumeJob } from "../child-jobs/resume-job.ts";
import { suspendJob } from "../child-jobs/suspend-job.ts";
import { asString, getReplicas, getReplicatedJobs, isSuspended } from "../jobset-members.ts";
import { type Effect, updateEffect, updateStatusEffect } from "../plan/effects.ts";
import { applyChanges } from "../plan/field-changes.ts";
import type { Decision, Step } from "../plan/plan.ts";
import { evaluateDependencies } from "../policies/dependencies.ts";
import { evaluateStartupPolicy } from "../policies/startup-policy.ts";
import { startupInProgress } from "./create-jobs.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next, phasesThatPodsNeed } from "./phase.ts";

/** Suspends every active Job of a suspended JobSet. Jobs created in this pass are already suspended. */
export function suspend(facts: Facts, draft: Draft): Next {
  return (isSuspended(facts.jobSet) ? suspendJobs(facts, draft) : draft).continue();
}

/**
 * Resumes every suspended Job of a running JobSet if startup order and dependencies allow it. Jobs created in
 * this pass already run.
 */
export function resume(facts: Facts, draft: Draft): Next {
  return (isSuspended(facts.jobSet) ? draft : resumeJobs(facts, draft)).continue();
}

/**
 * Suspends every active Job of a suspended JobSet, claimed or not. Sets the conditions: the JobSet is suspended, and
 * no longer restarting.
 */
export function suspendJobs(facts: Facts, draft: Draft): Draft {
  return draft
    .step({
      phase: "suspend",
      rule: "JobSetSuspended",
      object: jobSetReference(facts),
      message: "the JobSet is suspended, so its active Jobs are suspended",
      effects: draft.activeOrUnclaimed
        .map(({ job }) => suspendJob(job))
        .filter(({ changes }) => changes.length > 0)
        .map(({ job, changes }) => updateEffect(job, changes)),
      concurrency: 1,
      onError: facts.onRejection.onError,
      dependsOn: [],
      ...facts.onRejection.reporting(
        jobSetReasons.JobUpdateFailed,
        'job "<name>" suspension failed with error: <error>',
      ),
    })
    .condition("Normal", {
      type: CONDITION_SUSPENDED,
      status: "True",
      reason: jobSetReasons.SuspendedJobs,
      message: jobSetMessages.Suspended,
    })
    .endRestart({ reason: jobSetReasons.JobSetSuspended, message: jobSetMessages.Suspended });
}

/** Ends the condition `Suspended`. Does nothing if the JobSet was never suspended. */
export function endSuspension(draft: Draft): Draft {
  return draft.condition("Normal", {
    type: CONDITION_SUSPENDED,
    status: "False",
    reason: jobSetReasons.ResumeJobs,
    message: jobSetMessages.Resumed,
  });
}

/** Resumes the Jobs of each ReplicatedJob in turn, under the same gates as their creation. */
function resumeJobs(facts: Facts, draft: Draft): Draft {
  const { jobSet, context } = facts;
  const { jobSetWithExecutionAttempts } = draft;
  const gates = evaluateDependencies(jobSet, draft.gateCounters, context);
  const counters = new Map(draft.gateCounters.map((entry) => [entry.name, entry]));
  const suspended = draft.active
    .filter(({ traits }) => traits.isSuspended)
    .split(createGroupClaims(jobSet, context));
  let next = draft;
  for (const [index, replicatedJob] of getReplicatedJobs(jobSet).entries()) {
    const name = asString(replicatedJob.name);
    if (gates[index]?.action === "Wait") continue;
    const startup = evaluateStartupPolicy(jobSet, getReplicas(replicatedJob), counters.get(name));
    if (startup.action === "AlreadyStarted") continue;
    const writes: ResumeWrite[] = [];
    let tooSoon = 0;
    for (const { job } of suspended(name).list()) {
      const resumed = resumeJob(jobSetWithExecutionAttempts, replicatedJob, job, context);
      if (resumed.isTooSoon) tooSoon += 1;
      else writes.push(...resumeWrites(job, resumed));
    }
    if (tooSoon > 0) next = next.decide(podsNotStopped(name, tooSoon));
    for (const run of splitIntoRuns(writes)) next = next.step(resumeStep(facts, name, run));
    if (startup.action === "StartAndStop") return startupInProgress(next);
  }
  return endSuspension(next);
}

/** One request of a resume, and whether it changes resources, which an API server may reject. */
interface ResumeWrite {
  readonly effect: Effect;
  readonly changesResources: boolean;
}

/** Returns the writes that resume one Job. If the Job has a start time, the first write removes it. */
function resumeWrites(before: Unvalidated<Job>, resumed: ResumeResult): readonly ResumeWrite[] {
  const { job, changes, changesResources, resetsStartTime } = resumed;
  if (!resetsStartTime) return [{ effect: updateEffect(job, changes), changesResources }];
  const reset = [{ path: ["status", "startTime"] }];
  return [
    {
      effect: updateStatusEffect(applyChanges(before, reset), reset),
      changesResources: false,
    },
    { effect: updateEffect(applyChanges(job, reset), changes), changesResources },
  ];
}

/** Returns the writes in order, split between those that change resources and those that do not. */
function splitIntoRuns(writes: readonly ResumeWrite[]): readonly (readonly ResumeWrite[])[] {
  const runs: ResumeWrite[][] = [];
  for (const write of writes) {
    const run = runs.at(-1);
    if (run?.[0]?.changesResources === write.changesResources) run.push(write);
    else runs.push([write]);
  }
  return runs;
}

/** Only a failed write that changes resources is attributed to them. */
function resumeStep(facts: Facts, replicatedJob: string, writes: readonly ResumeWrite[]): Step {
  const failureEvent = writes[0]?.changesResources
    ? {
        failureEventReason: jobSetReasons.ResourcePropagationFailed,
        failureEventText:
          "Failed to propagate mutated resources to child Job: <error>. Ensure MutablePodResourcesForSuspendedJobs is enabled on the API server.",
        ...facts.onRejection.unreported,
      }
    : facts.onRejection.reporting(
        jobSetReasons.JobUpdateFailed,
        'job "<name>" resumption failed with error: <error>',
      );
  return {
    phase: "resume",
    rule: "JobSetResumed",
    object: { kind: "ReplicatedJob", name: replicatedJob },
    message: "the JobSet is not suspended, so its suspended Jobs are resumed",
    effects: writes.map(({ effect }) => effect),
    concurrency: 1,
    onError: facts.onRejection.onError,
    dependsOn: phasesThatPodsNeed,
    ...failureEvent,
  };
}

/** No requeue is needed: the Job changes when its Pods have stopped. */
function podsNotStopped(replicatedJob: string, jobs: number): Decision {
  return {
    phase: "resume",
    rule: "PodsNotStopped",
    object: { kind: "ReplicatedJob", name: replicatedJob },
    message: `suspended Jobs whose Pods must stop before their template can change: ${jobs}`,
  };
}
