import type { New } from "@jobset-ts/api";
import {
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  MESSAGE_STARTUP_COMPLETED,
  MESSAGE_STARTUP_IN_PROGRESS,
  REASON_JOB_CREATION_FAILED,
  REASON_STARTUP_COMPLETED,
  REASON_STARTUP_IN_PROGRESS,
} from "@jobset-ts/api/conditions";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { creationIsBlocked, missingJobs, takenJobNames } from "../child-jobs/missing-jobs.ts";
import { jobConstructors, MAX_DESIRED_JOBS } from "../desired/desired-jobs.ts";
import { jobCount } from "../desired/job-indexes.ts";
import { isSuspended, replicatedJobsOf, textOf } from "../jobset-members.ts";
import { createEffect, MAX_CONCURRENT_EFFECTS } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import { dependencyGates } from "../policies/dependencies.ts";
import { startsInOrder, startupGate } from "../policies/startup-policy.ts";
import type { Pass } from "./pass.ts";

/**
 * Creates the Jobs that do not exist, one step a ReplicatedJob, as far as dependencies and startup order let it.
 *
 * @returns the plan of the pass when it ends here, because the JobSet asks for more Jobs than can be planned
 */
export function createJobs(pass: Pass, jobs: ClassifiedJobs): Plan | undefined {
  const { jobSet, context } = pass;
  const wanted = jobCount(jobSet);
  if (wanted > MAX_DESIRED_JOBS) {
    const message = `the JobSet asks for ${wanted} Jobs, and no more than ${MAX_DESIRED_JOBS} can be planned`;
    return pass.refuse("create-jobs", message, pass.self);
  }
  warnOfVanishingJobs(pass);
  const blocked = creationIsBlocked(jobSet, jobs);
  const taken = takenJobNames(jobs);
  const constructors = jobConstructors(pass.jobSetAsCounted, context);
  const gates = dependencyGates(jobSet, pass.statuses);
  const statuses = new Map(pass.statuses.map((status) => [status.name, status]));
  for (const [index, replicatedJob] of constructors.entries()) {
    const { name, replicas } = replicatedJob;
    const object = { kind: "ReplicatedJob", name };
    const gate = gates[index];
    if (gate?.action === "Wait") {
      const { name: on, status } = gate.dependsOn;
      const message = `waits until ${textOf(on)} is ${textOf(status)}`;
      pass.decide({ phase: "create-jobs", rule: "DependencyNotReached", object, message });
      continue;
    }
    const startup = startupGate(jobSet, replicas, statuses.get(name));
    if (startup.action === "AlreadyStarted") continue;
    if (blocked) {
      const message = "waits until the Jobs of earlier restart attempts are gone";
      pass.decide({ phase: "create-jobs", rule: "BlockingRecreate", object, message });
    } else {
      createMissing(pass, object, missingJobs(jobSet, replicatedJob, taken));
    }
    if (startup.action === "StartAndStop") {
      startupInProgress(pass);
      return undefined;
    }
  }
  if (startsInOrder(jobSet) && !isSuspended(jobSet)) {
    pass.condition("Normal", {
      type: CONDITION_STARTUP_COMPLETED,
      status: "True",
      reason: REASON_STARTUP_COMPLETED,
      message: MESSAGE_STARTUP_COMPLETED,
    });
  }
  return undefined;
}

/** Says that startup in order has not come to its end. */
export function startupInProgress(pass: Pass): void {
  pass.condition("Normal", {
    type: CONDITION_STARTUP_IN_PROGRESS,
    status: "True",
    reason: REASON_STARTUP_IN_PROGRESS,
    message: MESSAGE_STARTUP_IN_PROGRESS,
  });
}

/** A Job that its own TTL takes away counts as missing, so it is made and runs again. */
function warnOfVanishingJobs(pass: Pass): void {
  for (const { name, template } of replicatedJobsOf(pass.jobSet)) {
    const ttlSeconds = template?.spec?.ttlSecondsAfterFinished;
    if (ttlSeconds === undefined || ttlSeconds === null) continue;
    pass.warn(
      `ReplicatedJob ${textOf(name)}: its Jobs set ttlSecondsAfterFinished, so each is created and run again after it has finished`,
    );
  }
}

function createMissing(
  pass: Pass,
  object: { readonly kind: string; readonly name: string },
  jobs: readonly New<Job>[],
): void {
  pass.step({
    phase: "create-jobs",
    decision: {
      phase: "create-jobs",
      rule: "JobMissing",
      object,
      message: `Jobs that do not exist: ${jobs.length}`,
    },
    effects: jobs.map(createEffect),
    concurrency: MAX_CONCURRENT_EFFECTS,
    afterFailure: "TryOthers",
    finishPhase: false,
    errorText: 'job "<name>" creation failed with error: <error>',
    failureEventReason: REASON_JOB_CREATION_FAILED,
  });
}
