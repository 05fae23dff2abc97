// JobSets and Jobs for tests, and helpers that read the plan of a pass.
import type { ReplicatedJobStatus } from "@jobset-ts/api";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { type AJobSet, aJob, aJobSet, aService } from "@jobset-ts/testing";
import type { Plan } from "../plan/plan.ts";

export const service = aService("train");

export const earlier = "2026-08-18T09:00:00Z";

/** One ReplicatedJob `w` with two Jobs of one Pod each, and stored counters of zero. */
export const train = aJobSet("train").withReplicatedJob("w", { replicas: 2 });

export const [job0, job1] = [aJob("train-w-0"), aJob("train-w-1")];

export const running = [job0, job1].map((job) => job.withStatus({ active: 1, ready: 1 }));

export function createCounts(
  name: string,
  counters: Partial<ReplicatedJobStatus> = {},
): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counters };
}

export function withConditions(jobSet: AJobSet, ...types: string[]): AJobSet {
  return jobSet.withStatus({
    conditions: types.map((type) => ({
      type,
      status: "True",
      reason: "R",
      message: "m",
      lastTransitionTime: earlier,
    })),
  });
}

export function listConditions({ status }: Plan): string[] {
  return (status?.conditions ?? []).map(
    ({ type, status: value, reason }: Condition) => `${type} ${value} ${reason}`,
  );
}

export function listEvents({ events }: Plan): string[] {
  return events.map(({ reason }) => reason);
}
