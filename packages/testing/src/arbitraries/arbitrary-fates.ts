import type { JobSet } from "@jobset-ts/api";
import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Job, JobCondition, PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aJob } from "../builders/a-job.ts";
import type { JobTraits } from "./situations.ts";

/** The creation time of objects in these clusters. */
export const earlier = "2026-02-07T09:59:58Z";

/** Creates the child Jobs of a JobSet in a generated state. */
export type ChildrenFactory = (jobSet: JobSet) => readonly Job[];

/** Generates child Jobs for JobSets with up to three ReplicatedJobs of up to three Jobs each. */
export function children(wedged: boolean, traits: JobTraits): fc.Arbitrary<ChildrenFactory> {
  const fate = arbitraryFates(wedged, traits);
  return fc
    .record({
      turn: fc.constantFrom(0, 1, 1, 2),
      together: fc.array(fate, { minLength: 3, maxLength: 3 }),
      alone: fc.array(fc.tuple(fate, fc.nat(5)), { minLength: 9, maxLength: 9 }),
    })
    .map(({ turn, together, alone }) => (jobSet) => {
      const restarts = jobSet.status?.restarts ?? 0;
      return listNames(jobSet).flatMap(([name, replicatedJob], index) => {
        const [own, dice = 0] = alone[index] ?? [];
        // In the ReplicatedJob that is currently starting, the Jobs have different progress.
        const goesAlone = dice > (replicatedJob === turn ? 1 : 4);
        const shared = together[replicatedJob];
        const isShared = traits.inTurn === true && shared !== undefined && !goesAlone;
        const fate = isShared ? advanceFate(shared, replicatedJob - turn) : own;
        const template = jobSet.spec.replicatedJobs?.[replicatedJob]?.template.spec.template;
        return fate?.exists ? [createChild(name, fate, restarts, template)] : [];
      });
    });
}

/**
 * Returns a started Job if its ReplicatedJob is before the one that is starting, and a Job that has not started if it
 * is after it.
 *
 * @param place - the position relative to the ReplicatedJob that is starting
 */
function advanceFate(fate: PodFate, place: number): PodFate {
  if (place === 0) return fate;
  const pods = { ...fate.pods, active: place < 0 ? 2 : 0, ready: place < 0 ? 2 : 0 };
  if (place > 0) return { ...fate, state: "active", suspended: true, saysSuspended: true, pods };
  const state = fate.state === "failed" ? "active" : fate.state;
  return { ...fate, exists: true, state, suspended: false, saysSuspended: false, pods };
}

/** Returns the Job names in the spec, each with the position of its ReplicatedJob. */
function listNames({ spec, metadata }: JobSet): readonly (readonly [string, number])[] {
  return (spec.replicatedJobs ?? []).flatMap(({ name, replicas = 1 }, replicatedJob) =>
    Array.from(
      { length: replicas },
      (_, index) => [`${metadata.name}-${name}-${index}`, replicatedJob] as const,
    ),
  );
}

/** The state of one Job. */
interface PodFate {
  readonly exists: boolean;
  readonly attempt: "current" | "previous" | "next";
  readonly state: "active" | "failed" | "completed";
  readonly failure: { readonly reason: string; readonly message: string; readonly at: string };
  readonly suspended: boolean;
  /** Whether the Job controller has written the condition Suspended. It may be late. */
  readonly saysSuspended: boolean;
  /** A condition with status False. */
  readonly denies: "Suspended" | "Failed" | undefined;
  readonly deleting: boolean;
  readonly started: boolean;
  readonly pods: { readonly ready: number; readonly active: number; readonly succeeded: number };
  readonly numbers: { readonly parallelism: number; readonly completions?: number };
  readonly jobRestartAttempt: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly template: {
    /** Whether the Job equals its current template. */
    readonly isCurrent: boolean;
    readonly tolerations: boolean;
    readonly gates: readonly string[];
    readonly limit: string | undefined;
  };
}

function arbitraryFates(
  wedged: boolean,
  {
    exists = [true, true, true, false],
    attempts = [...Array<PodFate["attempt"]>(8).fill("current"), "previous", "previous", "next"],
    states = ["active", "active", "active", "failed", "completed"],
    suspended = [false, true],
    rested = false,
  }: JobTraits,
): fc.Arbitrary<PodFate> {
  return fc
    .record({
      // Missing Jobs come first, so a counterexample has only the Jobs that it needs.
      exists: fc.constantFrom(...[...exists].sort()),
      attempt: fc.constantFrom(...attempts),
      state: fc.constantFrom(...states),
      failure: fc.record({
        reason: fc.constantFrom("BackoffLimitExceeded", "DeadlineExceeded"),
        message: fc.constantFrom("exit 42", "the node is gone", "exit 1", ""),
        at: fc.constantFrom(earlier, "2026-02-07T09:30:00Z"),
      }),
      suspended: fc.constantFrom(...suspended),
      saysSuspended: fc.constantFrom(false, false, false, false, true),
      denies: fc.constantFrom(undefined, undefined, undefined, "Suspended", "Failed"),
      deleting: fc.constantFrom(false, false, false, false, true),
      started: fc.boolean(),
      pods: fc.record({ ready: fc.nat(2), active: fc.nat(2), succeeded: fc.nat(1) }),
      hasPods: fc.constantFrom(false, false, true),
      numbers: fc.record(
        { parallelism: fc.nat(2), completions: fc.nat(2) },
        { requiredKeys: ["parallelism"] },
      ),
      jobRestartAttempt: fc.constantFrom(undefined, "0", "1"),
      labels: wedged
        ? fc.dictionary(fc.constantFrom("queue", "job-name"), fc.constantFrom("a", "b"))
        : fc.constant({}),
      template: fc.record({
        isCurrent: fc.constantFrom(false, false, false, true),
        tolerations: fc.constantFrom(false, true, true),
        gates: fc.subarray(["queue", "old"]),
        limit: fc.constantFrom(undefined, "1Gi", "3Gi"),
      }),
    })
    .map(({ hasPods, ...fate }) =>
      rested && fate.suspended && !hasPods
        ? { ...fate, saysSuspended: true, pods: { ...fate.pods, ready: 0, active: 0 } }
        : fate,
    );
}

/** Creates the Job in one step. The builder would take much of the time of a hundred thousand clusters. */
function createChild(
  name: string,
  fate: PodFate,
  restarts: number,
  current: PodTemplateSpec | undefined,
): Job {
  const { apiVersion, kind, metadata, spec } = aJob(name);
  const attempt = restarts + { current: 0, previous: -1, next: 1 }[fate.attempt];
  const labels = { ...metadata.labels, [RESTART_ATTEMPT_KEY]: String(attempt) };
  const restart = fate.jobRestartAttempt;
  const conditions = listConditions(fate);
  const deletion = { deletionTimestamp: earlier, finalizers: ["foregroundDeletion"] };
  return {
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(restart !== undefined && { [JOB_RESTART_ATTEMPT_KEY]: restart }) },
      ...(fate.deleting && deletion),
    },
    spec: {
      ...spec,
      ...fate.numbers,
      template: getTemplate(name, fate, current),
      suspend: fate.suspended,
    },
    status: {
      ...fate.pods,
      ...(fate.started && { startTime: earlier }),
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

function listConditions(fate: PodFate): JobCondition[] {
  const { state, saysSuspended, denies } = fate;
  if (state !== "active") return [getEnd(fate)];
  if (saysSuspended) return [{ type: "Suspended", status: "True" }];
  return denies === undefined ? [] : [{ type: denies, status: "False" }];
}

function getTemplate(
  name: string,
  { labels, template }: PodFate,
  current: PodTemplateSpec | undefined,
): PodTemplateSpec {
  const { isCurrent, tolerations, gates, limit } = template;
  if (isCurrent && current !== undefined) {
    const { metadata } = current;
    const own = { ...metadata?.labels, "batch.kubernetes.io/job-name": name };
    return { ...current, metadata: { ...metadata, labels: own } };
  }
  const resources = { requests: { cpu: "1" }, ...(limit && { limits: { memory: limit } }) };
  return {
    metadata: { labels: { "batch.kubernetes.io/job-name": name, ...labels } },
    spec: {
      containers: [{ name: "main", image: "app:1", resources }],
      // From an earlier version of the template.
      nodeSelector: { disk: "old", zone: "z1" },
      ...(tolerations && {
        tolerations: [{ key: "gpu", operator: "Exists" }, { key: "old" }],
      }),
      ...(gates.length > 0 && { schedulingGates: gates.map((gate) => ({ name: gate })) }),
    },
  };
}

function getEnd({ state, failure }: PodFate): JobCondition {
  if (state === "completed") return { type: "Complete", status: "True" };
  const { at, reason, message } = failure;
  return { type: "Failed", status: "True", lastTransitionTime: at, reason, message };
}
