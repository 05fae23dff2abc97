import type { Observed } from "@jobset-ts/api";
import {
  CONDITION_SUSPENDED,
  MESSAGE_RESUMED,
  MESSAGE_SUSPENDED,
  REASON_JOBSET_SUSPENDED,
  REASON_RESUME_JOBS,
  REASON_SUSPENDED_JOBS,
} from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type ResumedJob, resumeJob } from "../child-jobs/resume-job.ts";
import { suspendJob } from "../child-jobs/suspend-job.ts";
import { isSuspended, labelOf, replicasOf, replicatedJobsOf, textOf } from "../jobset-members.ts";
import { type Effect, updateEffect, updateStatusEffect } from "../plan/effects.ts";
import { applyChanges } from "../plan/member-changes.ts";
import { dependencyGates } from "../policies/dependencies.ts";
import { startupGate } from "../policies/startup-policy.ts";
import { startupInProgress } from "./create-jobs.ts";
import type { Pass } from "./pass.ts";

/**
 * Has every active Job do what the JobSet does: be suspended, or run. Jobs created in this very pass already do.
 *
 * @param active - the active Jobs, as earlier steps of the pass leave them
 */
export function suspendOrResume(pass: Pass, active: readonly Observed<Job>[]): void {
  if (isSuspended(pass.jobSet)) suspendJobs(pass, active);
  else resumeJobs(pass, active);
}

/** Says that the JobSet runs again; nothing where it never was suspended. */
export function endSuspension(pass: Pass): void {
  pass.condition("Normal", {
    type: CONDITION_SUSPENDED,
    status: "False",
    reason: REASON_RESUME_JOBS,
    message: MESSAGE_RESUMED,
  });
}

function suspendJobs(pass: Pass, active: readonly Observed<Job>[]): void {
  pass.step({
    phase: "suspend",
    decision: {
      phase: "suspend",
      rule: "JobSetSuspended",
      object: pass.self,
      message: "the JobSet is suspended, so its active Jobs are",
    },
    effects: active
      .map(suspendJob)
      .filter(({ changes }) => changes.length > 0)
      .map(({ job, changes }) => updateEffect(job, changes)),
    concurrency: 1,
    afterFailure: "SkipOthers",
    finishPhase: false,
  });
  pass.condition("Normal", {
    type: CONDITION_SUSPENDED,
    status: "True",
    reason: REASON_SUSPENDED_JOBS,
    message: MESSAGE_SUSPENDED,
  });
  pass.endRestart(REASON_JOBSET_SUSPENDED, MESSAGE_SUSPENDED);
}

/** Resumes the Jobs of one ReplicatedJob after the other, under the same gates as their creation. */
function resumeJobs(pass: Pass, active: readonly Observed<Job>[]): void {
  const { jobSet, jobSetAsCounted, context } = pass;
  const gates = dependencyGates(jobSet, pass.statuses);
  const statuses = new Map(pass.statuses.map((status) => [status.name, status]));
  const suspended = suspendedByReplicatedJob(active);
  for (const [index, replicatedJob] of replicatedJobsOf(jobSet).entries()) {
    const name = textOf(replicatedJob.name);
    if (gates[index]?.action === "Wait") continue;
    const startup = startupGate(jobSet, replicasOf(replicatedJob), statuses.get(name));
    if (startup.action === "AlreadyStarted") continue;
    const writes = (suspended.get(name) ?? []).flatMap((job) =>
      resumeWrites(job, resumeJob(jobSetAsCounted, replicatedJob, job, context)),
    );
    for (const run of runsAlike(writes)) resumeStep(pass, name, run);
    if (startup.action === "StartAndStop") {
      startupInProgress(pass);
      return;
    }
  }
  endSuspension(pass);
}

/** One request of a resume, and whether an API server may refuse it for the resources that it changes. */
interface ResumeWrite {
  readonly effect: Effect;
  readonly changesResources: boolean;
}

/** The writes that resume one Job: its start time goes first, where it has one. */
function resumeWrites(before: Observed<Job>, resumed: ResumedJob): readonly ResumeWrite[] {
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

/** The writes in their order, cut wherever one that changes resources meets one that does not. */
function runsAlike(writes: readonly ResumeWrite[]): readonly (readonly ResumeWrite[])[] {
  const runs: ResumeWrite[][] = [];
  for (const write of writes) {
    const run = runs.at(-1);
    if (run?.[0]?.changesResources === write.changesResources) run.push(write);
    else runs.push([write]);
  }
  return runs;
}

/** Only a refusal of a write that changes resources is blamed on them. */
function resumeStep(pass: Pass, replicatedJob: string, writes: readonly ResumeWrite[]): void {
  pass.step({
    phase: "resume",
    decision: {
      phase: "resume",
      rule: "JobSetResumed",
      object: { kind: "ReplicatedJob", name: replicatedJob },
      message: "the JobSet is not suspended, so its suspended Jobs are resumed",
    },
    effects: writes.map(({ effect }) => effect),
    concurrency: 1,
    afterFailure: "SkipOthers",
    finishPhase: false,
    ...(writes[0]?.changesResources === true && {
      failureEventReason: "FailedResourcePropagation",
      failureEventText:
        "Failed to propagate mutated resources to child Job: <error>. Ensure MutablePodResourcesForSuspendedJobs is enabled on the API server.",
    }),
  });
}

function suspendedByReplicatedJob(
  active: readonly Observed<Job>[],
): ReadonlyMap<string, readonly Observed<Job>[]> {
  const byName = new Map<string, Observed<Job>[]>();
  for (const job of active) {
    if (!isSuspended(job)) continue;
    const name = labelOf(job, REPLICATED_JOB_NAME_KEY) ?? "";
    const jobs = byName.get(name);
    if (jobs === undefined) byName.set(name, [job]);
    else jobs.push(job);
  }
  return byName;
}
