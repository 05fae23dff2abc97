// The JobSet of the worked examples, its Jobs, and helpers that read its plans.
import type { ReplicatedJob } from "@jobset-ts/api";
import type { Condition, JobStatus, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type AJob, aJob, aJobSet, aReplicatedJob, aService } from "@jobset-ts/testing";
import type { CreateEffect } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import { listRequests, listSteps } from "./reconciled.ts";

/** The owner reference of every object that the example creates. */
export const owner = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name: "train",
  uid: "u-1",
  controller: true,
  blockOwnerDeletion: true,
};

export function replicatedJob(name: string, replicas: number, pods: number): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, {
    replicas,
    template: { spec: { ...template.spec, parallelism: pods, completions: pods } },
  });
}

/** One driver with one Pod and two workers with four Pods each. */
export const train = aJobSet("train")
  .inNamespace("ml")
  .withUid("u-1")
  .withSpec({ replicatedJobs: [replicatedJob("driver", 1, 1), replicatedJob("workers", 2, 4)] });

export const service = aService("train").inNamespace("ml");

/** A child Job of the example. By default, its status is empty. */
export function childJob(name: string, pods: number, status: JobStatus = {}): AJob {
  return aJob(`train-${name}`)
    .inNamespace("ml")
    .controlledBy(train)
    .withSpec({ parallelism: pods, completions: pods })
    .withStatus(status);
}

export const [driver, worker0, worker1] = [
  childJob("driver-0", 1, { active: 1, ready: 1 }),
  childJob("workers-0", 4, { active: 4, ready: 4 }),
  childJob("workers-1", 4, { active: 4, ready: 4 }),
] as const;

export function createCondition(
  type: string,
  status: "True" | "False",
  reason: string,
  message: string,
  lastTransitionTime: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime };
}

/** Returns a time on the day of the examples. */
export const timeAt = (clock: string) => `2026-08-18T${clock}Z`;

/** Creates an Event of a plan. */
export const normalEvent = (reason: string, message: string) => ({
  type: "Normal",
  reason,
  message,
});

/** Creates a warning of a plan. */
export const warningEvent = (reason: string, message: string) => ({
  type: "Warning",
  reason,
  message,
});

/** Returns what a plan does, with its requests in short form. */
export function summarizePlan(plan: Plan) {
  const { status, events, metrics, requeueAfterSeconds, error } = plan;
  return {
    steps: listRequests(plan),
    status,
    events,
    metrics,
    ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }),
    ...(error !== undefined && { error }),
  };
}

/** The summary of a plan that does nothing. */
export const emptySummary = { steps: [], status: undefined, events: [], metrics: [] };

/** Returns the objects that a plan creates, in order. */
export function listCreatedObjects(plan: Plan): KubernetesObject[] {
  const effects = listSteps(plan).flatMap((step) => step.effects);
  return effects
    .filter((one): one is CreateEffect => one.verb === "create")
    .map((one) => one.object);
}
