import {
  getReplicas,
  getReplicatedJobs,
  getSubdomain,
  isSuspended,
  type JobSet,
  type ReplicatedJob,
  type Unvalidated,
  volumeClaimName,
} from "@jobset-ts/api";
import {
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_SUSPENDED,
} from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  getControllerOf,
  getLabel,
  isEqualJson,
  type Job,
} from "@jobset-ts/api/kubernetes";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import {
  getControllingJobSet,
  getJobSetVersions,
  getReplicatedJobName,
  getReplicatedJobsByName,
  getStatusEntries,
  getStoredJobs,
  getTargetFilter,
  groupBy,
  hasFailed,
  hasSucceeded,
  isDesiredJob,
  isManagedHere,
  isTerminal,
  listJobNames,
} from "./jobset-facts.ts";
import {
  createJob,
  getDesiredJobs,
  getLiveJobSet,
  getRunnableJobSet,
  getSuspendedJobSet,
  getUnfinishedJobSet,
  isUnfinished,
  startByFamily,
} from "./liveness-facts.ts";
import { LIVENESS_LIMIT_MS, type LivenessLaw } from "./liveness-law.ts";
import { hasUnidentifiableJobs, isRelabelled } from "./relabelled-jobs.ts";
import {
  attemptText,
  getAttempt,
  getCurrentAttempt,
  isEarlier,
  sameAttempt,
} from "./restart-attempt.ts";
import {
  getNotReady,
  isInOrder,
  waitingForDependencies,
  waitingReplicatedJobs,
} from "./startup-laws.ts";
import { getNotSuspended } from "./steady-state-laws.ts";

export const failuresHaveConsequences: LivenessLaw = {
  name: "failuresHaveConsequences",
  sentence: "When a Job has failed, its JobSet restarts or fails.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: ({ before, after }) => {
    if (after?.kind !== "Job" || !hasFailed(createJob(after))) return undefined;
    return before !== undefined && hasFailed(createJob(before)) ? undefined : { subject: after };
  },
  missing: (subject, objects) => {
    const job = objects.current(subject) as Job | undefined;
    const jobSet = job && getControllingJobSet(subject, objects);
    if (job === undefined || jobSet === undefined || !isUnfinished(jobSet)) return undefined;
    if (hasUnidentifiableJobs(jobSet, objects)) return undefined;
    const isCurrent = !isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job));
    return isCurrent && isDesiredJob(job, jobSet)
      ? `Job ${job.metadata.name} has failed, but the JobSet neither restarts nor fails`
      : undefined;
  },
};

export const successHasConsequences: LivenessLaw = {
  name: "successHasConsequences",
  sentence:
    "A JobSet completes when the Jobs that its success policy requires have succeeded and none has failed.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getLiveJobSet(subject, objects);
    if (jobSet === undefined || !isUnfinished(jobSet)) return undefined;
    const jobs = getDesiredJobs(jobSet, objects);
    if (jobs.some(hasFailed)) return undefined;
    const isTarget = getTargetFilter(jobSet);
    const succeeded = jobs.filter(
      (job) => hasSucceeded(job) && isTarget(getLabel(job, REPLICATED_JOB_NAME_KEY)),
    ).length;
    const all = countTargetJobs(jobSet);
    const isAny = jobSet.spec.successPolicy?.operator === "Any";
    return succeeded > 0 && (isAny || succeeded === all)
      ? `${succeeded} of ${all} Jobs have succeeded, but the JobSet has not completed`
      : undefined;
  },
};

export const restartsDeleteOldJobs: LivenessLaw = {
  name: "restartsDeleteOldJobs",
  sentence: "After a restart, the Jobs of the previous attempt are deleted.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: (change) => {
    const { before, after } = getJobSetVersions(change) ?? {};
    if (before === undefined || before.status === after?.status) return undefined;
    const [from, to] = [before, after].map((jobSet) => [
      jobSet?.status?.restarts,
      asArray(jobSet?.status?.replicatedJobsStatus).map(({ jobRestarts }) => jobRestarts),
    ]);
    return isEqualJson(from, to) ? undefined : { subject: change.after as Stored };
  },
  missing: (subject, objects) => {
    const jobSet = getLiveJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    const left = getStoredJobs(jobSet, objects).find(
      (job) =>
        isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job)) &&
        // Once everything has finished, the controller does not react to changed labels of a Job.
        !(isTerminal(jobSet) && isRelabelled(job) && jobState(job) !== "active"),
    );
    return left && `Job ${left.metadata.name} of ${attemptText(getAttempt(left))} still exists`;
  },
};

export const jobsStartInOrder: LivenessLaw = {
  name: "jobsStartInOrder",
  sentence:
    "Every Job of a JobSet that is not suspended exists in the current attempt and is not suspended, unless it waits for startup order or dependencies, or another object has its name.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getRunnableJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    const jobs = getStoredJobs(jobSet, objects);
    const current = jobs.filter((job) => {
      const [own, latest] = [getAttempt(job), getCurrentAttempt(jobSet, job)];
      // A client that labels a Job with a later attempt prevents its recreation.
      return sameAttempt(own, latest) || (isRelabelled(job) && !isEarlier(own, latest));
    });
    const waiting = waitingReplicatedJobs(jobSet, current);
    const byName = new Map(current.map((job) => [job.metadata.name, job]));
    for (const replicatedJob of getReplicatedJobs(jobSet)) {
      if (waiting.has(replicatedJob.name ?? "")) continue;
      for (const name of listJobNames(jobSet, replicatedJob)) {
        const job = byName.get(name);
        if (job === undefined && !isTaken(name, jobSet, objects)) return `Job ${name} is missing`;
        if (job === undefined) continue;
        if (jobState(job) === "active" && isSuspended(job)) return `Job ${name} is suspended`;
      }
    }
    return undefined;
  },
};

/** Reports whether another object has the name of a Job, so no controller can create the Job. */
function hasTakenName(jobSet: JobSet, objects: Objects): boolean {
  return getReplicatedJobs(jobSet).some((one) =>
    listJobNames(jobSet, one).some((name) => isTaken(name, jobSet, objects)),
  );
}

/** Reports whether a Job that this JobSet does not control has a certain name. */
function isTaken(name: string, { metadata }: JobSet, objects: Objects): boolean {
  const job = objects.get<Job>("Job", metadata.namespace ?? "", name);
  return job !== undefined && getControllerOf(job)?.uid !== metadata.uid;
}

export const servicesAndClaimsExist: LivenessLaw = {
  name: "servicesAndClaimsExist",
  sentence: "A JobSet that is not suspended has its Service and PersistentVolumeClaims.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getRunnableJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    const { name = "", namespace = "" } = jobSet.metadata;
    // Any client may have created the Service, because JobSets can share one.
    const service = jobSet.spec.network?.enableDNSHostnames === true ? getSubdomain(jobSet) : "";
    if (service !== "" && objects.get("Service", namespace, service) === undefined)
      return `Service ${service} is missing`;
    const missing = asArray(jobSet.spec.volumeClaimPolicies)
      .flatMap(({ templates }) => asArray(templates))
      .map(({ metadata }) => volumeClaimName(metadata?.name ?? "", name))
      .find((claim) => objects.get("PersistentVolumeClaim", namespace, claim) === undefined);
    return missing && `PersistentVolumeClaim ${missing} is missing`;
  },
};

export const waitingHasAReason: LivenessLaw = {
  name: "waitingHasAReason",
  sentence:
    "A JobSet that is not suspended has a running Job or finishes, unless another object has the name of one of its Jobs.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getRunnableJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    if (countTargetJobs(jobSet) === 0 || hasTakenName(jobSet, objects)) return undefined;
    const runs = getStoredJobs(jobSet, objects).some((job) => jobState(job) === "active");
    return runs ? undefined : "no Job runs, but the JobSet has not finished";
  },
};

/** Returns the number of Jobs that must succeed for the success policy. If it is 0, the JobSet never completes. */
function countTargetJobs(jobSet: JobSet): number {
  const isTarget = getTargetFilter(jobSet);
  return getReplicatedJobs(jobSet)
    .filter(({ name }) => isTarget(name))
    .reduce((sum, replicatedJob) => sum + getReplicas(replicatedJob), 0);
}

export const suspensionTakesEffect: LivenessLaw = {
  name: "suspensionTakesEffect",
  sentence:
    "A suspended JobSet gets the condition Suspended, and none of its unfinished Jobs runs.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: ({ before, after }) => {
    if (after?.kind !== "JobSet" || !isSuspended(after as unknown as JobSet)) return undefined;
    const was = before !== undefined && isSuspended(before as unknown as JobSet);
    return was ? undefined : { subject: after };
  },
  missing: (subject, objects) => {
    const jobSet = getSuspendedJobSet(subject, objects);
    return jobSet && getNotSuspended(jobSet, objects);
  },
};

export const suspendedJobsAreCreated: LivenessLaw = {
  name: "suspendedJobsAreCreated",
  sentence:
    "Every Job of a suspended JobSet exists in the current attempt, unless it waits for dependencies or another object has its name; startup order does not delay suspended Jobs.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getSuspendedJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    const jobs = getDesiredJobs(jobSet, objects);
    // If a pass ends before it creates objects, other laws check the consequences.
    if (jobs.some(hasFailed)) return undefined;
    const waiting = waitingForDependencies(jobSet, jobs);
    const names = new Set(jobs.map(({ metadata }) => metadata.name));
    const missing = getReplicatedJobs(jobSet)
      .filter(({ name }) => !waiting.has(name ?? ""))
      .flatMap((one) => listJobNames(jobSet, one))
      .find((name) => !names.has(name) && !isTaken(name, jobSet, objects));
    return missing && `Job ${missing} is missing`;
  },
};

export const scaledJobsFollowTheirJobSet: LivenessLaw = {
  name: "scaledJobsFollowTheirJobSet",
  sentence:
    "After the number of Pods in an unfinished JobSet changes, each of its unfinished Jobs has the new number.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: (change) => {
    const { before, after } = getJobSetVersions(change) ?? {};
    if (before === undefined || after === undefined || before.spec === after.spec) return undefined;
    const [from, to] = [before, after].map((jobSet) => getReplicatedJobs(jobSet).map(podCounts));
    return isEqualJson(from, to) ? undefined : { subject: change.after as Stored };
  },
  missing: (subject, objects) => {
    const jobSet = getUnfinishedJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    for (const job of getDesiredJobs(jobSet, objects)) {
      const name = getReplicatedJobName(job, jobSet);
      const replicatedJob = getReplicatedJobsByName(jobSet).get(name);
      const [is, desired] = [job.spec, replicatedJob?.template?.spec].map(countItems);
      // If parallelism and completions of the template differ, the controller changes neither.
      if (desired?.[0] !== desired?.[1] || jobState(job) !== "active") continue;
      if (!isEqualJson(is, desired))
        return `Job ${job.metadata.name} has ${is?.join(" and ")} for parallelism and completions, but must have ${desired?.join(" and ")}`;
    }
    return undefined;
  },
};

function podCounts({ template }: Unvalidated<ReplicatedJob>): readonly number[] {
  return countItems(template?.spec);
}

/** Returns parallelism and completions. The default is one Pod. */
function countItems(
  spec: Unvalidated<Pick<Job["spec"], "parallelism" | "completions">> | undefined,
): readonly number[] {
  return [spec?.parallelism ?? 1, spec?.completions ?? 1];
}

export const countsConverge: LivenessLaw = {
  name: "countsConverge",
  sentence:
    "The status counts the Jobs of the current attempt, also after the JobSet has finished.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getLiveJobSet(subject, objects);
    if (jobSet === undefined || !isManagedHere(jobSet)) return undefined;
    // By name, because any client may change a label.
    const byStem = groupBy(getDesiredJobs(jobSet, objects), ({ metadata }) =>
      metadata.name?.replace(/\d+$/, ""),
    );
    for (const { name = "" } of getReplicatedJobs(jobSet)) {
      const own = byStem.get(`${jobSet.metadata.name}-${name}-`) ?? [];
      const active = own.filter((job) => jobState(job) === "active");
      const counts = {
        ready: active.filter(isReady).length,
        succeeded: own.filter((job) => jobState(job) === "successful").length,
        failed: own.filter((job) => jobState(job) === "failed").length,
        active: active.filter((job) => (job.status?.active ?? 0) > 0).length,
        suspended: active.filter(isSuspended).length,
      };
      const entry = getStatusEntries(jobSet).get(name);
      for (const [count, value] of Object.entries(counts)) {
        const written = entry?.[count as keyof typeof counts] ?? 0;
        if (written !== value)
          return `the status has ${written} ${count} Jobs of ${name}, but there are ${value}`;
      }
    }
    return undefined;
  },
};

export const conditionsAreSetInTime: LivenessLaw = {
  name: "conditionsAreSetInTime",
  sentence:
    "When all Jobs of a JobSet that is not suspended are ready or have succeeded, its conditions show that it is not suspended, startup is complete, and no restart is in progress.",
  withinMs: LIVENESS_LIMIT_MS,
  begins: startByFamily,
  missing: (subject, objects) => {
    const jobSet = getRunnableJobSet(subject, objects);
    if (jobSet === undefined) return undefined;
    const jobs = getDesiredJobs(jobSet, objects);
    if (jobs.some(hasFailed) || getNotReady(jobSet, jobs) !== undefined) return undefined;
    const hasTrueCondition = (condition: string) =>
      isConditionTrue(jobSet.status?.conditions, condition);
    if (hasTrueCondition(CONDITION_SUSPENDED)) return "its condition Suspended is still True";
    if (isInOrder(jobSet) && !hasTrueCondition(CONDITION_STARTUP_COMPLETED))
      return "its condition StartupPolicyCompleted is not True";
    return hasTrueCondition(CONDITION_RESTARTING)
      ? "its condition RestartingJobSet is still True"
      : undefined;
  },
};
