import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import {
  NAMESPACED_JOB_KEY,
  NO_SCHEDULE_TAINT_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import { asArray, getLabel, type Job, type PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import type { Effect, Snapshot } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import { isEqualJson } from "../api-server/stored-values.ts";
import {
  createPass,
  getCurrentJobs,
  getObservedJobSet,
  getReplicatedJobName,
  getReplicatedJobsByName,
  getStatusWrite,
  getStoredJobs,
  isDesiredJob,
  isManagedHere,
  isRelabelled,
  isTerminal,
  jobWrite,
  startsJob,
} from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { waitingForDependencies } from "./startup-laws.ts";

/** Whether an effect leaves a Job that does not run, or leaves none. */
function leavesStopped(effect: Effect, job: Job): boolean {
  const { target, verb } = effect;
  if (target.kind !== "Job" || target.name !== job.metadata.name) return false;
  if (verb === "patch") return isSuspended(effect.patch);
  return verb === "delete" || (verb === "update" && effect.object.spec.suspend === true);
}

export const suspendedJobSetsStartNothing: SafetyLaw = {
  name: "suspendedJobSetsStartNothing",
  sentence: "A pass over a suspended JobSet creates and resumes no Job that runs.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const write = jobWrite(request, objects);
    return write !== undefined && isSuspended(write.jobSet) && startsJob(write)
      ? `${write.verb} of Job ${write.after.metadata.name}, which would run`
      : undefined;
  },
};

export const runningJobSetsHoldNothingBack: SafetyLaw = {
  name: "runningJobSetsHoldNothingBack",
  sentence:
    "A pass over a JobSet that is not suspended neither creates a Job suspended nor suspends one.",
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
    "A pass over a suspended JobSet that goes on suspends every Job that it sees run, or deletes it.",
  validUnder: "Always",
  memory: undefined,
  onPlan: (planned) => {
    const pass = createPass(planned);
    if (pass === undefined) return undefined;
    const { jobSet, plan } = pass;
    const { metadata } = jobSet;
    if (!isSuspended(jobSet) || isTerminal(jobSet) || plan.status?.terminalState !== undefined)
      return undefined;
    if (metadata.deletionTimestamp !== undefined || !isManagedHere(jobSet)) return undefined;
    // It does not go on.
    if (plan.error !== undefined) return undefined;
    const effects = plan.steps.flatMap((step) => step.effects);
    const jobs = getCurrentJobs(jobSet, planned.snapshot);
    const running = jobs.find(
      (job) => runs(job) && !effects.some((effect) => leavesStopped(effect, job)),
    );
    return running && `Job ${running.metadata.name} is left to run`;
  },
};

function runs(job: Job): boolean {
  return (
    jobState(job) === "active" && !isSuspended(job) && job.metadata.deletionTimestamp === undefined
  );
}

export const suspensionIsSaidWhenItIsSo: SafetyLaw<PersistentMap<Snapshot | true>> = {
  name: "suspensionIsSaidWhenItIsSo",
  sentence:
    "A JobSet gets the condition Suspended when none of its unfinished Jobs that the pass sees or makes is left to run, and loses it when it is not to be suspended and the pass has asked to resume each Job that it sees suspended, but for those that wait for dependencies or for their own Pods; where executions are counted, that comes first.",
  validUnder: "FreshCaches",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onRequest: (request, sight) => {
    const jobSet = getObservedJobSet(request);
    if (jobSet === undefined) return undefined;
    const keyOfJob = ({ metadata }: Job) => `${jobSet.metadata.uid} ${metadata.name}`;
    const keyOfResume = (job: Job) => `resume of ${keyOfJob(job)}`;
    const write = jobWrite(request, sight.objects);
    if (write?.verb === "create") sight.memory = sight.memory.set(keyOfJob(write.after), true);
    else if (write !== undefined && startsJob(write)) {
      sight.memory = sight.memory.set(keyOfResume(write.after), request.snapshot);
    }
    const { status } = getStatusWrite(request) ?? {};
    if (status === undefined) return undefined;
    const [was, is] = [jobSet.status, status].map((one) =>
      isConditionTrue(one?.conditions, CONDITION_SUSPENDED),
    );
    if (was === is) return undefined;
    if (is !== isSuspended(jobSet))
      return is ? "it is not to be suspended" : "it is to be suspended";
    if (!is) {
      if (request.context.features.has("ExecutionAttemptsTracking")) return undefined;
      const left = getJobsToResume(jobSet, request.snapshot).find(
        (job) => sight.memory.get(keyOfResume(job)) !== request.snapshot,
      );
      return left && `Job ${left.metadata.name} is left suspended`;
    }
    // Whoever makes a Job while a pass writes makes it behind its back.
    const running = getStoredJobs(jobSet, sight.objects).filter(runs);
    const missed = running.find((job) => {
      const { namespace = "", name = "", uid } = job.metadata;
      const seen = request.snapshot.job(namespace, name);
      return seen?.metadata?.uid === uid || sight.memory.get(keyOfJob(job));
    });
    return missed && `Job ${missed.metadata.name} runs`;
  },
};

/** The Jobs that a pass over a JobSet that is to run sees suspended, and that neither dependencies nor their own Pods hold back. */
function getJobsToResume(jobSet: JobSet, snapshot: Snapshot): readonly Job[] {
  const jobs = getCurrentJobs(jobSet, snapshot).filter((job) => isDesiredJob(job, jobSet));
  const waiting = waitingForDependencies(jobSet, jobs);
  return jobs.filter(
    (job) =>
      !isRelabelled(job) &&
      jobState(job) === "active" &&
      isSuspended(job) &&
      job.metadata.deletionTimestamp === undefined &&
      // Its template may not change before its Pods have stopped.
      (job.status?.active ?? 0) === 0 &&
      !waiting.has(getReplicatedJobName(job, jobSet) ?? ""),
  );
}

export const resumedJobsFollowTheTemplate: SafetyLaw = {
  name: "resumedJobsFollowTheTemplate",
  sentence:
    "A pass resumes a Job with the node selector, tolerations and scheduling gates that it sees in the JobSet's template, and no others.",
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
    const [own, wanted] = [after.spec, replicatedJob.template?.spec].map((spec) =>
      getDirectives(spec?.template),
    );
    return isEqualJson(own, wanted)
      ? undefined
      : `Job ${after.metadata.name} is resumed with ${JSON.stringify(own)}, and the JobSet has ${JSON.stringify(wanted)}`;
  },
};

/** What of a Pod template follows the JobSet's on resume, without what placement by node labels adds. */
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
