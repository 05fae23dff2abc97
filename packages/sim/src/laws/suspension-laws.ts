import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import {
  NAMESPACED_JOB_KEY,
  NO_SCHEDULE_TAINT_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import {
  asArray,
  getLabel,
  isEqualJson,
  type Job,
  type PodTemplateSpec,
} from "@jobset-ts/api/kubernetes";
import type { Effect, Snapshot } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import {
  getReplicatedJobName,
  getReplicatedJobsByName,
  getStoredJobs,
  isDesiredJob,
  isManagedHere,
  isTerminal,
} from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { isRelabelled } from "./relabelled-jobs.ts";
import {
  createPass,
  getObservedJobSet,
  getStatusWrite,
  jobWrite,
  startsJob,
} from "./request-facts.ts";
import { getCurrentJobs } from "./restart-attempt.ts";
import { waitingForDependencies } from "./startup-laws.ts";

/** Reports whether an effect leaves a Job suspended or deleted. */
function keepsStopped(effect: Effect, job: Job): boolean {
  const { target, verb } = effect;
  if (target.kind !== "Job" || target.name !== job.metadata.name) return false;
  if (verb === "patch") return isSuspended(effect.patch);
  return verb === "delete" || (verb === "update" && effect.object.spec.suspend === true);
}

export const suspendedJobSetsStartNothing: SafetyLaw = {
  name: "suspendedJobSetsStartNothing",
  sentence: "A pass over a suspended JobSet creates no unsuspended Job and resumes none.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const write = jobWrite(request, objects);
    return write !== undefined && isSuspended(write.jobSet) && startsJob(write)
      ? `${write.verb} of Job ${write.after.metadata.name}, which would run`
      : undefined;
  },
};

export const runningJobSetsSuspendNoJob: SafetyLaw = {
  name: "runningJobSetsSuspendNoJob",
  sentence:
    "A pass over a JobSet that is not suspended creates no suspended Job and suspends none.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const { jobSet, verb, before, after } = jobWrite(request, objects) ?? {};
    if (jobSet === undefined || isSuspended(jobSet)) return undefined;
    if (after?.spec.suspend !== true || before?.spec.suspend === true) return undefined;
    return `${verb} of Job ${after.metadata.name}, which would not run`;
  },
};

export const suspensionReachesAllJobs: SafetyLaw = {
  name: "suspensionReachesAllJobs",
  sentence:
    "A pass over an unfinished suspended JobSet suspends or deletes every running Job that it sees.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onPlan: (planned) => {
    const pass = createPass(planned);
    if (pass === undefined) return undefined;
    const { jobSet, plan } = pass;
    const { metadata } = jobSet;
    if (!isSuspended(jobSet) || isTerminal(jobSet) || plan.status?.terminalState !== undefined)
      return undefined;
    if (metadata.deletionTimestamp !== undefined || !isManagedHere(jobSet)) return undefined;
    // The pass stops at an error.
    if (plan.error !== undefined) return undefined;
    const effects = plan.steps.flatMap((step) => step.effects);
    const jobs = getCurrentJobs(jobSet, planned.snapshot);
    const running = jobs.find(
      (job) => runs(job) && !effects.some((effect) => keepsStopped(effect, job)),
    );
    return running && `Job ${running.metadata.name} continues to run`;
  },
};

function runs(job: Job): boolean {
  return (
    jobState(job) === "active" && !isSuspended(job) && job.metadata.deletionTimestamp === undefined
  );
}

export const suspendedConditionMatchesTheJobs: SafetyLaw<PersistentMap<Snapshot | true>> = {
  name: "suspendedConditionMatchesTheJobs",
  sentence:
    "A JobSet gets the condition Suspended when no unfinished Job that the pass sees or creates runs. The condition becomes False when the JobSet is not suspended and the pass has requested to resume each suspended Job that it sees, except Jobs that wait for dependencies or their own Pods. If executions are counted, the count is written first.",
  validUnder: "FreshCaches",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onRequest: (request, context) => {
    const jobSet = getObservedJobSet(request);
    if (jobSet === undefined) return undefined;
    const getJobKey = ({ metadata }: Job) => `${jobSet.metadata.uid} ${metadata.name}`;
    const getResumeKey = (job: Job) => `resume of ${getJobKey(job)}`;
    const write = jobWrite(request, context.objects);
    if (write?.verb === "create") context.memory = context.memory.set(getJobKey(write.after), true);
    else if (write !== undefined && startsJob(write)) {
      context.memory = context.memory.set(getResumeKey(write.after), request.snapshot);
    }
    const { status } = getStatusWrite(request) ?? {};
    if (status === undefined) return undefined;
    const [was, is] = [jobSet.status, status].map((one) =>
      isConditionTrue(one?.conditions, CONDITION_SUSPENDED),
    );
    if (was === is) return undefined;
    if (is !== isSuspended(jobSet))
      return is ? "the JobSet is not suspended" : "the JobSet is suspended";
    if (!is) {
      if (request.context.features.has("ExecutionAttemptsTracking")) return undefined;
      const left = getJobsToResume(jobSet, request.snapshot).find(
        (job) => context.memory.get(getResumeKey(job)) !== request.snapshot,
      );
      return left && `Job ${left.metadata.name} is still suspended`;
    }
    // The pass does not see Jobs that another client creates while it writes.
    const running = getStoredJobs(jobSet, context.objects).filter(runs);
    const missed = running.find((job) => {
      const { namespace = "", name = "", uid } = job.metadata;
      const seen = request.snapshot.job(namespace, name);
      return seen?.metadata?.uid === uid || context.memory.get(getJobKey(job));
    });
    return missed && `Job ${missed.metadata.name} runs`;
  },
};

/** Returns the Jobs that a pass must resume: suspended, and not waiting for dependencies or their own Pods. */
function getJobsToResume(jobSet: JobSet, snapshot: Snapshot): readonly Job[] {
  const jobs = getCurrentJobs(jobSet, snapshot).filter((job) => isDesiredJob(job, jobSet));
  const waiting = waitingForDependencies(jobSet, jobs);
  return jobs.filter(
    (job) =>
      !isRelabelled(job) &&
      jobState(job) === "active" &&
      isSuspended(job) &&
      job.metadata.deletionTimestamp === undefined &&
      // The template may not change before the Job's Pods have stopped.
      (job.status?.active ?? 0) === 0 &&
      !waiting.has(getReplicatedJobName(job, jobSet) ?? ""),
  );
}

export const resumedJobsFollowTheTemplate: SafetyLaw = {
  name: "resumedJobsFollowTheTemplate",
  sentence:
    "A pass resumes a Job with exactly the node selector, tolerations and scheduling gates of the JobSet's template that it sees.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const write = jobWrite(request, objects);
    if (write?.before === undefined || !startsJob(write)) return undefined;
    const { jobSet, after } = write;
    if (isRelabelled(after)) return undefined;
    const name = getLabel(after, REPLICATED_JOB_NAME_KEY);
    const replicatedJob = getReplicatedJobsByName(jobSet).get(name);
    if (replicatedJob === undefined) return undefined;
    const [own, desired] = [after.spec, replicatedJob.template?.spec].map((spec) =>
      getDirectives(spec?.template),
    );
    return isEqualJson(own, desired)
      ? undefined
      : `Job ${after.metadata.name} is resumed with ${JSON.stringify(own)}, but the JobSet has ${JSON.stringify(desired)}`;
  },
};

/**
 * Returns the part of a Pod template that follows the JobSet on resume, without the additions of node-selector
 * placement.
 */
function getDirectives(template: Unvalidated<PodTemplateSpec> | undefined): readonly unknown[] {
  const { nodeSelector, tolerations, schedulingGates } = template?.spec ?? {};
  return [
    Object.entries(nodeSelector ?? {})
      .filter(([key]) => key !== NAMESPACED_JOB_KEY)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
    asArray(tolerations).filter((one) => one?.key !== NO_SCHEDULE_TAINT_KEY),
    asArray(schedulingGates).map((gate) => gate?.name),
  ];
}
