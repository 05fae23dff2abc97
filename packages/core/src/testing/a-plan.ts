import type { ToCreate } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type {
  CreateEffect,
  DeleteEffect,
  ObjectKey,
  PatchEffect,
  UpdateEffect,
  UpdateStatusEffect,
} from "../plan/effects.ts";
import { type EffectError, type EffectResult, jobSetStatusEffect } from "../plan/effects.ts";
import type { FieldChange } from "../plan/field-changes.ts";
import type { Plan, PlannedEvent, Step } from "../plan/plan.ts";
import {
  PlanExecution,
  type RunAction,
  type RunOutcome,
  type RunRequest,
} from "../run/plan-execution.ts";

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
 * @example describeRequest({ id: 1, phase: "create-jobs", effect: creates("a") }) // => "create a"
 */
export function describeRequest({ effect }: RunRequest): string {
  return `${effect.verb} ${effect.target.name}`;
}

/** The response to a successful request. */
export const done = { ok: true } as const;

/** Creates the response to a failed request. */
export function createFailure(message: string, reason?: string): EffectResult {
  return { ok: false, error: { message, reason } };
}

/** Executes a plan at once, with a response for each request. */
export function execute(plan: Plan, respond: (request: string) => EffectResult = () => done) {
  const run = new PlanExecution(deepFreeze(plan));
  const sent: string[] = [];
  const emitted: PlannedEvent[] = [];
  for (;;) {
    const next = run.next();
    if (next.action === "Done") return { sent, emitted, outcome: next.outcome };
    if (next.action === "Wait") throw new Error("waits for a request that was answered");
    if (next.action === "Emit") emitted.push(next.event);
    else {
      const text = describeRequest(next.request);
      sent.push(text);
      run.settle(next.request.id, respond(text));
    }
  }
}

/** Returns responses that reject some requests. */
export function rejectRequests(refusals: Readonly<Record<string, string | EffectError>>) {
  return (request: string): EffectResult => {
    const refusal = refusals[request];
    if (refusal === undefined) return done;
    return typeof refusal === "string" ? createFailure(refusal) : { ok: false, error: refusal };
  };
}

/** The outcome of a plan without Events and metrics. */
export const SUCCESS_OUTCOME: RunOutcome = { ok: true, events: [], metrics: [] };
