import {
  isSuspended,
  type JobSet,
  type Observed,
  type ReplicatedJob,
  replicasOf,
  replicatedJobsOf,
} from "@jobset-ts/api";
import { CONDITION_STARTUP_COMPLETED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { type Job, labelOf, listOf } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { isReady, jobState } from "@jobset-ts/core/child-jobs";
import { isTrue } from "../api-server/conditions.ts";
import {
  currentJobsOf,
  isAskedFor,
  isRelabelled,
  jobWrite,
  relabelledCount,
  starts,
  statusWrite,
} from "./jobset-facts.ts";
import type { Oracle } from "./oracle.ts";

/** What waits of a JobSet, as a pass saw it: asked for each Job that a pass creates. */
interface Waiting {
  readonly snapshot: Snapshot;
  readonly jobSet: JobSet;
  readonly waiting: ReadonlyMap<string, string>;
}

export const startupWaitsItsTurn: Oracle<Waiting | undefined> = {
  name: "startupWaitsItsTurn",
  sentence:
    "A pass starts a Job only when the ReplicatedJobs before it under InOrder, and those it depends on, are as far as they have to be.",
  holds: "Always",
  memory: undefined,
  onRequest: (request, sight) => {
    const write = jobWrite(request, sight.objects);
    if (write === undefined || !starts(write)) return undefined;
    const { before, jobSet } = write;
    if (before !== undefined && isRelabelled(before)) return undefined;
    const { snapshot } = request;
    let seen = sight.memory;
    if (seen?.snapshot !== snapshot || seen.jobSet !== jobSet) {
      const current = currentJobsOf(jobSet, snapshot);
      const waiting = waitingReplicatedJobs(jobSet, current, relabelledCount(jobSet, snapshot));
      seen = { snapshot, jobSet, waiting };
      sight.memory = seen;
    }
    const { name } = write.after.metadata;
    const why = seen.waiting.get(labelOf(write.after, REPLICATED_JOB_NAME_KEY) ?? "");
    return why && `Job ${name} starts while ${why}`;
  },
};

export const startupIsOverWhenItSays: Oracle = {
  name: "startupIsOverWhenItSays",
  sentence:
    "A pass says that startup in order is complete only when it sees every Job ready or ended.",
  holds: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status } = statusWrite(request) ?? {};
    if (jobSet === undefined || !isTrue(status?.conditions, CONDITION_STARTUP_COMPLETED))
      return undefined;
    if (isTrue(jobSet.status?.conditions, CONDITION_STARTUP_COMPLETED)) return undefined;
    const jobs = currentJobsOf(jobSet, request.snapshot).filter((job) => isAskedFor(job, jobSet));
    const late = notReadyOf(jobSet, jobs, relabelledCount(jobSet, request.snapshot));
    return late && `not all Jobs of ${late.name} are ready`;
  },
};

/**
 * A ReplicatedJob of which not all Jobs are ready or have ended.
 *
 * @param relabelled - how many Jobs may be as far besides, since nobody knows of which ReplicatedJob they are
 */
export function notReadyOf(
  jobSet: JobSet,
  jobs: readonly Job[],
  relabelled = 0,
): Observed<ReplicatedJob> | undefined {
  return replicatedJobsOf(jobSet).find(
    (one) => reachedBy(jobs, one.name ?? "", "Ready") + relabelled < replicasOf(one),
  );
}

export function isInOrder({ spec }: JobSet): boolean {
  return spec.startupPolicy?.startupPolicyOrder === "InOrder";
}

/**
 * The ReplicatedJobs whose Jobs may not start yet, and what they wait for.
 *
 * @param current - the Jobs of the current attempt
 * @param relabelled - how many Jobs may be as far besides, since nobody knows of which ReplicatedJob they are
 */
export function waitingReplicatedJobs(
  jobSet: JobSet,
  current: readonly Job[],
  relabelled = 0,
): ReadonlyMap<string, string> {
  const jobs = current.filter((job) => isAskedFor(job, jobSet));
  const replicatedJobs = replicatedJobsOf(jobSet);
  const waiting = new Map<string, string>();
  for (const [place, { name = "", dependsOn }] of replicatedJobs.entries()) {
    const earlier = isInOrder(jobSet) ? replicatedJobs.slice(0, place) : [];
    const waitedFor = [
      ...earlier.map((one) => ({ name: one.name ?? "", status: "Ready" })),
      ...listOf(dependsOn).map((one) => ({ name: one?.name ?? "", status: one?.status ?? "" })),
    ];
    for (const one of waitedFor) {
      const target = replicatedJobs.find((candidate) => candidate.name === one.name);
      if (target === undefined) continue;
      const reached = reachedBy(jobs, one.name, one.status);
      if (reached + relabelled < replicasOf(target)) {
        const text = `${reached} of ${replicasOf(target)} of ${one.name} are ${one.status}`;
        waiting.set(name, text);
        break;
      }
    }
  }
  return waiting;
}

/** The same, as if it made no difference in which order Jobs start: what waits for its dependencies. */
export function waitingForDependencies(
  jobSet: JobSet,
  current: readonly Job[],
): ReadonlyMap<string, string> {
  const { startupPolicy: _, ...spec } = jobSet.spec;
  return waitingReplicatedJobs({ ...jobSet, spec }, current);
}

/** How many Jobs are known to be of a ReplicatedJob and as far as somebody waits for. What is suspended is not started. */
function reachedBy(jobs: readonly Job[], name: string, status: string): number {
  return jobs.filter(
    (job) =>
      labelOf(job, REPLICATED_JOB_NAME_KEY) === name &&
      !isRelabelled(job) &&
      hasReached(job, status),
  ).length;
}

function hasReached(job: Job, status: string): boolean {
  const state = jobState(job);
  if (status === "Complete") return state === "successful";
  return state !== "active" || (isReady(job) && !isSuspended(job));
}
