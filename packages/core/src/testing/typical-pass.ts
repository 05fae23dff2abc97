// JobSets and Jobs for tests, and helpers that read the plan of a pass.
import type { ReplicatedJobStatus } from "@jobset-ts/api";
import type { Condition, Job } from "@jobset-ts/api/kubernetes";
import { type AJob, type AJobSet, aJob, aJobSet, aService } from "@jobset-ts/testing";
import type { CreateEffect } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";

export const service = aService("train");

export const earlier = "2026-08-18T09:00:00Z";

/** One ReplicatedJob `w` with two Jobs of one Pod each, and stored counters of zero. */
export const train = aJobSet("train").withReplicatedJob("w", { replicas: 2 });

export const [job0, job1] = [aJob("train-w-0"), aJob("train-w-1")];

/** Returns a Job with one ready Pod. */
export const asReady = (job: AJob) => job.withStatus({ active: 1, ready: 1 });

export const running = [job0, job1].map(asReady);

export const jobSetKey = (name: string) => `jobset.sigs.k8s.io/${name}`;

export function createCounts(
  name: string,
  counters: Partial<ReplicatedJobStatus> = {},
): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counters };
}

export function withConditions(jobSet: AJobSet, ...types: string[]): AJobSet {
  return jobSet.withStatus({
    conditions: types.map((type) => conditionWith(type)),
  });
}

export function conditionWith(type: string, status: "True" | "False" = "True"): Condition {
  return { type, status, reason: "R", message: "m", lastTransitionTime: earlier };
}

export function listConditions({ status }: Plan): string[] {
  return (status?.conditions ?? []).map(
    ({ type, status: value, reason }: Condition) => `${type} ${value} ${reason}`,
  );
}

export function listEvents({ events }: Plan): string[] {
  return events.map(({ reason }) => reason);
}

/** Returns the Jobs that a plan creates, in order. */
export function listCreatedJobs({ steps }: Plan): Job[] {
  return steps
    .flatMap(({ effects }) => effects)
    .filter((effect): effect is CreateEffect => effect.verb === "create")
    .map(({ object }) => object as Job)
    .filter(({ kind }) => kind === "Job");
}
