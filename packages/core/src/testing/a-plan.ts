import type { ToCreate } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type {
  CreateEffect,
  DeleteEffect,
  ObjectKey,
  PatchEffect,
  UpdateEffect,
  UpdateStatusEffect,
} from "../plan/effects.ts";
import { jobSetStatusEffect } from "../plan/effects.ts";
import type { FieldChange } from "../plan/field-changes.ts";
import type { Plan, Step } from "../plan/plan.ts";
import type { PlanExecution, RunAction, RunRequest } from "../run/plan-execution.ts";

/** Creates a plan with these steps. By default, it writes nothing and emits no Events. */
export function aPlan(steps: readonly Step[], rest: Partial<Plan> = {}): Plan {
  const jobSet = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    namespace: "default",
    name: "train",
    uid: "train-uid",
    resourceVersion: "7",
    ...rest.jobSet,
  };
  const { status } = rest;
  const write =
    status &&
    aStep([jobSetStatusEffect(jobSet, status)], {
      phase: "write-status",
      rule: "StatusChanged",
      dependsOn: steps.map(({ phase }) => phase),
    });
  return {
    steps: write === undefined ? steps : [...steps, write],
    events: [],
    metrics: [],
    decisions: [],
    warnings: [],
    ...rest,
    jobSet,
  };
}

/** Creates a step. By default, its effects run one after the other until one fails. */
export function aStep(effects: Step["effects"], rest: Partial<Step> = {}): Step {
  return {
    phase: "create-jobs",
    rule: "JobMissing",
    object: { kind: "JobSet", name: "train" },
    message: "a test",
    effects,
    concurrency: 1,
    onError: "Stop",
    dependsOn: [],
    ...rest,
  };
}

function jobKey(name: string): ObjectKey {
  return { apiVersion: "batch/v1", kind: "Job", namespace: "default", name };
}

function createJob(name: string): ToCreate<Job> {
  const metadata = { name, namespace: "default" };
  return { apiVersion: "batch/v1", kind: "Job", metadata, spec: { template: {} } };
}

/** Creates the effect that creates a Job. By default, the Job must not exist. */
export function creates(name: string, onExists: CreateEffect["onExists"] = "Fail"): CreateEffect {
  return { verb: "create", target: jobKey(name), object: createJob(name), onExists };
}

/** Creates the effect that deletes a Job. By default, it has no precondition. */
export function deletes(name: string, rest: Partial<DeleteEffect> = {}): DeleteEffect {
  const target = jobKey(name);
  return {
    verb: "delete",
    target,
    propagationPolicy: "Foreground",
    onNotFound: "Succeed",
    ...rest,
  };
}

/** Changes of a Job. */
export function updates(name: string, ...changes: readonly FieldChange[]): UpdateEffect {
  return { verb: "update", target: jobKey(name), object: createJob(name), changes };
}

/** Changes of a Job's status. */
export function updatesStatus(
  name: string,
  ...changes: readonly FieldChange[]
): UpdateStatusEffect {
  return { verb: "updateStatus", target: jobKey(name), object: createJob(name), changes };
}

/** A merge patch of a Job. */
export function patches(name: string, patch: PatchEffect["patch"]): PatchEffect {
  return { verb: "patch", target: jobKey(name), patch };
}

/** The requests that an execution returns before any other action, and that action. */
export function sendUntil(run: PlanExecution): {
  readonly requests: readonly RunRequest[];
  readonly behind: Exclude<RunAction, { action: "Perform" }>;
} {
  const requests: RunRequest[] = [];
  for (;;) {
    const next = run.next();
    if (next.action !== "Perform") return { requests, behind: next };
    requests.push(next.request);
  }
}

/**
 * A short form of a request.
 *
 * @example inShort({ id: 1, phase: "create-jobs", effect: creates("a") }) // => "create a"
 */
export function describeRequest({ effect }: RunRequest): string {
  return `${effect.verb} ${effect.target.name}`;
}
