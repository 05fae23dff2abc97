import {
  getReplicas,
  getReplicatedJobs,
  isSuspended,
  type JobSet,
  type ReplicatedJob,
  type Unvalidated,
} from "@jobset-ts/api";
import { CONDITION_STARTUP_COMPLETED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, getLabel, type Job } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { isConditionTrue } from "../api-server/conditions.ts";
import { groupBy, isDesiredJob } from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { countRelabelledJobs, isRelabelled } from "./relabelled-jobs.ts";
import { getStatusWrite, jobWrite, startsJob } from "./request-facts.ts";
import { getCurrentJobs } from "./restart-attempt.ts";

/**
 * The parts of a JobSet that must wait, as a pass saw the JobSet. Compared with each Job that the pass
 * creates.
 */
interface WaitingStartup {
  readonly snapshot: Snapshot;
  readonly jobSet: JobSet;
  readonly waiting: ReadonlyMap<string, string>;
}

export const startupFollowsTheOrder: SafetyLaw<WaitingStartup | undefined> = {
  name: "startupFollowsTheOrder",
  sentence:
    "A pass starts a Job only if the earlier ReplicatedJobs under InOrder and its dependencies have reached the required state.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, context) => {
    const write = jobWrite(request, context.objects);
    if (write === undefined || !startsJob(write)) return undefined;
    const { before, jobSet } = write;
    if (before !== undefined && isRelabelled(before)) return undefined;
    const { snapshot } = request;
    let seen = context.memory;
    if (seen?.snapshot !== snapshot || seen.jobSet !== jobSet) {
      const current = getCurrentJobs(jobSet, snapshot);
      const waiting = waitingReplicatedJobs(jobSet, current, countRelabelledJobs(jobSet, snapshot));
      seen = { snapshot, jobSet, waiting };
      context.memory = seen;
    }
    const { name } = write.after.metadata;
    const why = seen.waiting.get(getLabel(write.after, REPLICATED_JOB_NAME_KEY) ?? "");
    return why && `Job ${name} starts while ${why}`;
  },
};

export const startupIsCompleteWhenReported: SafetyLaw = {
  name: "startupIsCompleteWhenReported",
  sentence: "A pass reports that startup is complete only if it sees every Job ready or finished.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || !isConditionTrue(status?.conditions, CONDITION_STARTUP_COMPLETED))
      return undefined;
    if (isConditionTrue(jobSet.status?.conditions, CONDITION_STARTUP_COMPLETED)) return undefined;
    const jobs = getCurrentJobs(jobSet, request.snapshot).filter((job) =>
      isDesiredJob(job, jobSet),
    );
    const late = getNotReady(jobSet, jobs, countRelabelledJobs(jobSet, request.snapshot));
    return late && `not all Jobs of ${late.name} are ready`;
  },
};

/**
 * Returns a ReplicatedJob with Jobs that are neither ready nor finished.
 *
 * @param relabelled - how many Jobs with changed labels may count for any ReplicatedJob
 */
export function getNotReady(
  jobSet: JobSet,
  jobs: readonly Job[],
  relabelled = 0,
): Unvalidated<ReplicatedJob> | undefined {
  const reached = countReached(jobs);
  return getReplicatedJobs(jobSet).find(
    (one) => reached(one.name ?? "", "Ready") + relabelled < getReplicas(one),
  );
}

export function isInOrder({ spec }: JobSet): boolean {
  return spec.startupPolicy?.startupPolicyOrder === "InOrder";
}

/**
 * Returns the ReplicatedJobs whose Jobs may not start yet, and what they wait for.
 *
 * @param current - the Jobs of the current attempt
 * @param relabelled - how many Jobs with changed labels may count for any ReplicatedJob
 */
export function waitingReplicatedJobs(
  jobSet: JobSet,
  current: readonly Job[],
  relabelled = 0,
): ReadonlyMap<string, string> {
  const reached = countReached(current.filter((job) => isDesiredJob(job, jobSet)));
  const replicatedJobs = getReplicatedJobs(jobSet);
  const byName = new Map<string, Unvalidated<ReplicatedJob>>();
  for (const one of replicatedJobs)
    if (!byName.has(one.name ?? "")) byName.set(one.name ?? "", one);
  const describeMissing = (name: string, status: string) => {
    const target = byName.get(name);
    if (target === undefined) return undefined;
    const count = reached(name, status);
    if (count + relabelled >= getReplicas(target)) return undefined;
    return `${count} of ${getReplicas(target)} of ${name} are ${status}`;
  };
  const waiting = new Map<string, string>();
  // Under InOrder, all ReplicatedJobs behind the first one that is not ready wait for it.
  let unready: string | undefined;
  for (const { name = "", dependsOn } of replicatedJobs) {
    let text = unready;
    for (const one of asArray(dependsOn))
      text ??= describeMissing(one?.name ?? "", one?.status ?? "");
    if (text !== undefined) waiting.set(name, text);
    if (isInOrder(jobSet)) unready ??= describeMissing(name, "Ready");
  }
  return waiting;
}

/** The ReplicatedJobs that wait for their dependencies, without startup order. */
export function waitingForDependencies(
  jobSet: JobSet,
  current: readonly Job[],
): ReadonlyMap<string, string> {
  const { startupPolicy: _, ...spec } = jobSet.spec;
  return waitingReplicatedJobs({ ...jobSet, spec }, current);
}

/**
 * Returns how many Jobs of a ReplicatedJob have reached the state that others wait for. Suspended Jobs have not
 * started.
 */
function countReached(jobs: readonly Job[]): (name: string, status: string) => number {
  const byName = groupBy(
    jobs.filter((job) => !isRelabelled(job)),
    (job) => getLabel(job, REPLICATED_JOB_NAME_KEY),
  );
  const counts = new Map<string, number>();
  return (name, status) => {
    const key = `${status}/${name}`;
    const known = counts.get(key);
    if (known !== undefined) return known;
    const count = (byName.get(name) ?? []).filter((job) => hasReached(job, status)).length;
    counts.set(key, count);
    return count;
  };
}

function hasReached(job: Job, status: string): boolean {
  const state = jobState(job);
  if (status === "Complete") return state === "successful";
  return state !== "active" || (isReady(job) && !isSuspended(job));
}
