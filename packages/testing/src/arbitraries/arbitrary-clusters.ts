import type {
  DependsOn,
  FailurePolicy,
  JobSet,
  JobSetSpec,
  JobSetStatus,
  ReplicatedJob,
} from "@jobset-ts/api";
import {
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Condition, Job, JobCondition, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, contextOf } from "@jobset-ts/core";
import fc from "fast-check";
import { aClaim } from "../builders/a-claim.ts";
import { aJob } from "../builders/a-job.ts";
import { aPod } from "../builders/a-pod.ts";
import { aService } from "../builders/a-service.ts";
import { jobSets } from "./arbitrary-jobsets.ts";

/** A JobSet, and what else is in the cluster, at one instant. */
export interface Cluster {
  readonly jobSet: JobSet;
  /** The JobSet's Jobs, Pods, Services and volume claims, and some that are others'. */
  readonly others: readonly KubernetesObject[];
  readonly context: Context;
}

/** What a test can do without. */
export interface ClusterLimits {
  /** Default `true`: now and then one is being deleted, or managed by another controller. */
  readonly foreign?: boolean;
  /** Default `true`: now and then one has ended. */
  readonly finished?: boolean;
  /** Default `true`: now and then a rule asks for what cannot be done, or another's Job has a name that is needed. */
  readonly wedged?: boolean;
}

/** Small clusters around one JobSet named `train`, in any state that one can get into, ordinary ones most often. */
export function clusters(limits: ClusterLimits = {}): fc.Arbitrary<Cluster> {
  const { foreign = true, finished = true, wedged = true } = limits;
  return fc
    .record({
      base: jobSets(),
      spec: specs(wedged),
      dependencies: fc.array(dependencies(), { minLength: 3, maxLength: 3 }),
      status: statuses(finished),
      self: foreign
        ? mostly<Self>("ours", "beingDeleted", "managedElsewhere")
        : fc.constant<Self>("ours"),
      fates: fc.array(fates(wedged), { minLength: 9, maxLength: 9 }),
      strays: fc.record({
        surplus: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          "idle" as const,
          "ready" as const,
        ),
        unknown: rarely,
        another: rarely,
        foreign: wedged ? rarely : fc.constant(false),
      }),
      pods: fc.oneof(
        fc.array(fc.constantFrom("0", "1", "2", undefined, ...(wedged ? ["x"] : [])), {
          maxLength: 4,
        }),
        // Those of a JobSet that is not restarting agree.
        fc
          .tuple(fc.nat(6), fc.nat(2))
          .map(([length, attempt]) => Array<string | undefined>(length).fill(String(attempt))),
      ),
      service: fc.boolean(),
      claims: fc.subarray(["data-train", "logs-train"]),
      features: features(),
      now: fc.constantFrom("2026-02-07T10:00:00.250Z", "2026-02-07T10:00:30Z"),
    })
    .map((one) => {
      const jobSet = madeWhole(one);
      const children = childrenOf(jobSet, one.fates);
      return {
        jobSet,
        others: [
          ...children,
          ...straysOf(one.strays),
          ...one.pods.map((attempt, index) => announcing(index, attempt)),
          ...(one.service ? [aService("train"), aService("net")] : []),
          ...one.claims.map((name) => aClaim(name)),
        ].filter(uniqueNames()),
        context: contextOf({ now: one.now, features: one.features }),
      };
    });
}

/** How old things are in these clusters. */
export const earlier = "2026-02-07T09:59:58Z";

type Self = "ours" | "beingDeleted" | "managedElsewhere";

const replicatedJobNames = ["driver", "workers", "b"] as const;
const rarely = fc.constantFrom(false, false, false, false, true);

function mostly<Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...Array<Value>(8).fill(usual), ...others);
}

function features(): fc.Arbitrary<Record<string, boolean>> {
  return fc
    .subarray([
      "InPlaceRestart",
      "RestartJob",
      "ElasticJobSet",
      "ExecutionAttemptsTracking",
      "MutablePodResourcesForSuspendedJobSets",
    ])
    .map((names) => Object.fromEntries(names.map((name) => [name, true])));
}

function specs(wedged: boolean): fc.Arbitrary<Partial<JobSetSpec>> {
  return fc.record(
    {
      failurePolicy: fc.option(failurePolicies(wedged), { nil: undefined }),
      successPolicy: fc.record(
        {
          operator: fc.constantFrom("All" as const, "Any" as const),
          targetReplicatedJobs: targets(),
        },
        { requiredKeys: ["operator"] },
      ),
      startupPolicy: fc.record({
        startupPolicyOrder: fc.constantFrom("AnyOrder" as const, "InOrder" as const),
      }),
      ttlSecondsAfterFinished: fc.constantFrom(0, 5, 1000),
    },
    { requiredKeys: [] },
  );
}

function targets(): fc.Arbitrary<string[]> {
  return fc.subarray([...replicatedJobNames, "nobody"]);
}

function failurePolicies(wedged: boolean): fc.Arbitrary<FailurePolicy> {
  const actions = [
    "FailJobSet",
    "RestartJobSet",
    "RestartJobSetAndIgnoreMaxRestarts",
    ...(wedged
      ? (["RestartJob", "RestartJobAndIgnoreMaxRestarts", "Explode" as never] as const)
      : []),
  ] as const;
  const rules = fc.record(
    {
      name: fc.constantFrom("one", "two"),
      action: fc.constantFrom(...actions),
      onJobFailureReasons: fc.subarray(["BackoffLimitExceeded", "DeadlineExceeded"]),
      onJobFailureMessagePatterns: fc.subarray(["^exit [0-9]+$", "(", "node"]),
      targetReplicatedJobs: targets(),
    },
    { requiredKeys: ["name", "action"] },
  );
  return fc.record({
    maxRestarts: fc.nat(3),
    restartStrategy: mostly(
      "Recreate" as const,
      "BlockingRecreate",
      "BlockingRecreate",
      "InPlaceRestart",
      "InPlaceRestart",
    ) as fc.Arbitrary<FailurePolicy["restartStrategy"]>,
    rules: fc.array(rules, { maxLength: 2 }),
  });
}

function dependencies(): fc.Arbitrary<DependsOn[]> {
  return fc.array(
    fc.record({
      name: fc.constantFrom(...replicatedJobNames),
      status: fc.constantFrom("Ready" as const, "Complete" as const),
    }),
    { maxLength: 1 },
  );
}

function statuses(finished: boolean): fc.Arbitrary<Partial<JobSetStatus>> {
  const condition = (type: string) =>
    fc.constantFrom("True" as const, "False" as const).map(
      (status): Condition => ({
        type,
        status,
        reason: "Reason",
        message: "message",
        lastTransitionTime: earlier,
      }),
    );
  const types = [
    "Suspended",
    "RestartingJobSet",
    "StartupPolicyInProgress",
    "StartupPolicyCompleted",
    ...(finished ? ["Completed", "Failed"] : []),
  ];
  const restarts = fc.nat(2);
  return fc.record(
    {
      restarts,
      restartsCountTowardsMax: restarts,
      conditions: fc
        .subarray(types, { maxLength: 3 })
        .chain((chosen) => fc.tuple(...chosen.map(condition))),
      currentInPlaceRestartAttempt: fc.nat(2),
      previousInPlaceRestartAttempt: fc.nat(2),
      executionAttempts: fc.nat(5),
    },
    { requiredKeys: ["restarts"] },
  );
}

interface Parts {
  readonly base: JobSet;
  readonly spec: Partial<JobSetSpec>;
  readonly dependencies: readonly DependsOn[][];
  readonly status: Partial<JobSetStatus>;
  readonly self: Self;
}

function madeWhole({ base, spec, dependencies, status, self }: Parts): JobSet {
  const inPlace = spec.failurePolicy?.restartStrategy === "InPlaceRestart";
  const replicatedJobs = (base.spec.replicatedJobs ?? []).map((replicatedJob, index) => ({
    ...replicatedJob,
    dependsOn: dependencies[index] ?? [],
    ...(inPlace && { template: ofOnePod(replicatedJob) }),
  }));
  const jobSet: JobSet = {
    ...base,
    metadata: {
      ...base.metadata,
      ...(self === "beingDeleted" && { deletionTimestamp: earlier, finalizers: ["f"] }),
    },
    spec: {
      ...base.spec,
      ...spec,
      replicatedJobs,
      ...(self === "managedElsewhere" && { managedBy: "acme.com/controller" }),
    },
    status: { restarts: 0, ...base.status, ...status },
  };
  return jobSet;
}

/** The template with the one number of Pods that restarts in place ask for. */
function ofOnePod({ template }: ReplicatedJob): ReplicatedJob["template"] {
  return { ...template, spec: { ...template.spec, parallelism: 1, completions: 1 } };
}

/** What has become of one Job. */
interface Fate {
  readonly exists: boolean;
  readonly attempt: "current" | "previous" | "next" | "none";
  readonly state: "active" | "failed" | "completed";
  readonly failure: { readonly reason: string; readonly message: string; readonly at: string };
  readonly suspended: boolean;
  readonly deleting: boolean;
  readonly started: boolean;
  readonly pods: { readonly ready: number; readonly active: number; readonly succeeded: number };
  readonly numbers: { readonly parallelism: number; readonly completions?: number };
  readonly jobRestartAttempt: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

function fates(wedged: boolean): fc.Arbitrary<Fate> {
  return fc.record({
    // What is not there comes first, so that a counterexample has no Job that it does not need.
    exists: fc.constantFrom(false, true, true, true),
    attempt: mostly<Fate["attempt"]>("current", "previous", "previous", "next"),
    state: fc.constantFrom("active", "active", "active", "failed", "completed"),
    failure: fc.record({
      reason: fc.constantFrom("BackoffLimitExceeded", "DeadlineExceeded"),
      message: fc.constantFrom("exit 42", "the node is gone", ""),
      at: fc.constantFrom(earlier, "2026-02-07T09:00:00Z", "2026-02-07T09:30:00Z"),
    }),
    suspended: fc.boolean(),
    deleting: rarely,
    started: fc.boolean(),
    pods: fc.record({ ready: fc.nat(2), active: fc.nat(2), succeeded: fc.nat(1) }),
    numbers: fc.record(
      { parallelism: fc.nat(2), completions: fc.nat(2) },
      { requiredKeys: ["parallelism"] },
    ),
    jobRestartAttempt: fc.constantFrom(undefined, "0", "1"),
    labels: wedged
      ? fc.dictionary(fc.constantFrom("queue", "job-name"), fc.constantFrom("a", "b"))
      : fc.constant({}),
  });
}

function childrenOf(jobSet: JobSet, fates: readonly Fate[]): readonly Job[] {
  const restarts = jobSet.status?.restarts ?? 0;
  const names = (jobSet.spec.replicatedJobs ?? []).flatMap(({ name, replicas = 1 }) =>
    Array.from({ length: replicas }, (_, index) => `train-${name}-${index}`),
  );
  return names.flatMap((name, index) => {
    const fate = fates[index];
    return fate?.exists ? [childOf(name, fate, restarts)] : [];
  });
}

/** Made at once: step by step takes much of the time of a hundred thousand clusters. */
function childOf(name: string, fate: Fate, restarts: number): Job {
  const { apiVersion, kind, metadata, spec } = aJob(name);
  const attempt = restarts + { current: 0, previous: -1, next: 1, none: 0 }[fate.attempt];
  const labels = { ...metadata.labels, [RESTART_ATTEMPT_KEY]: String(attempt) };
  const restart = fate.jobRestartAttempt;
  const deletion = { deletionTimestamp: earlier, finalizers: ["foregroundDeletion"] };
  return {
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(restart !== undefined && { [JOB_RESTART_ATTEMPT_KEY]: restart }) },
      ...(fate.deleting && deletion),
    },
    spec: { ...spec, ...fate.numbers, template: templateOf(name, fate), suspend: fate.suspended },
    status: {
      ...fate.pods,
      ...(fate.started && { startTime: earlier }),
      ...(fate.state !== "active" && { conditions: [endOf(fate)] }),
    },
  };
}

function templateOf(name: string, { labels }: Fate): Job["spec"]["template"] {
  return {
    metadata: { labels: { "batch.kubernetes.io/job-name": name, ...labels } },
    spec: {
      containers: [{ name: "main", resources: { requests: { cpu: "1" } } }],
      // What a template said once, and no longer says.
      nodeSelector: { disk: "old", zone: "z1" },
    },
  };
}

function endOf({ state, failure }: Fate): JobCondition {
  if (state === "completed") return { type: "Complete", status: "True" };
  const { at, reason, message } = failure;
  return { type: "Failed", status: "True", lastTransitionTime: at, reason, message };
}

/** Jobs that the spec does not ask for, and Jobs that are another's. */
function straysOf(which: {
  readonly surplus: "idle" | "ready" | undefined;
  readonly unknown: boolean;
  readonly foreign: boolean;
  readonly another: boolean;
}) {
  const surplus = aJob("train-workers-8");
  return [
    ...(which.surplus === "idle" ? [surplus] : []),
    ...(which.surplus === "ready" ? [surplus.withStatus({ ready: 1, active: 1 })] : []),
    ...(which.unknown ? [aJob("train-gone-0").completed()] : []),
    ...(which.foreign ? [aJob("train-b-0").withoutOwner().withUid("foreign")] : []),
    ...(which.another ? [aJob("other-b-0").failed()] : []),
  ];
}

function announcing(index: number, attempt: string | undefined): KubernetesObject {
  return aPod(`train-workers-${index}-0-abcde`).withAnnotations({
    [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt,
  });
}

/** Whether no object of the kind and name came before. */
function uniqueNames(): (object: KubernetesObject) => boolean {
  const seen = new Set<string>();
  return ({ kind, metadata }) => {
    const key = `${kind}/${metadata.name}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  };
}
