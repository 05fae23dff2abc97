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
  JOBSET_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Condition, Job, JobCondition, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, contextOf } from "@jobset-ts/core";
import fc from "fast-check";
import { aClaim } from "../builders/a-claim.ts";
import { aJob } from "../builders/a-job.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
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
  /** What the clusters are to be about; default anything. */
  readonly situation?: Situation;
  /** Default `true`: now and then a rule asks for what cannot be done, or another's Job has a name that is needed. */
  readonly wedged?: boolean;
}

/** States that a pass comes to by few ways, so that they are drawn seldom unless somebody asks for them. */
export type Situation =
  /** Jobs have failed, and there are rules for that. */
  | "Failures"
  /** Several Jobs have failed, and the first is to restart alone. */
  | "SingleRestarts"
  /** Jobs have completed, and none has failed. */
  | "Successes"
  /** Jobs are missing, and others run. */
  | "Startups"
  /** Each ReplicatedJob waits for the one before it. */
  | "Chains"
  /** A suspended JobSet has Jobs that run. */
  | "Suspensions"
  /** A JobSet that runs has suspended Jobs. */
  | "Resumes"
  /** Jobs run that are to follow their templates. */
  | "Scaling"
  /** Pods have restarted in place. */
  | "RestartsInPlace"
  /** The JobSet has ended. */
  | "Ends";

/** Small clusters around one JobSet named `train`, in any state that one can get into, ordinary ones most often. */
export function clusters(limits: ClusterLimits = {}): fc.Arbitrary<Cluster> {
  const { situation, wedged = true } = limits;
  const { foreign = situation === undefined, finished = situation === undefined } = limits;
  return fc
    .record({
      base: jobSets({ populated: situation !== undefined }),
      spec: specs(wedged, situation),
      dependencies: fc.array(dependencies(), { minLength: 3, maxLength: 3 }),
      status: statuses(finished, situation),
      self: foreign
        ? mostly<Self>("ours", "beingDeleted", "managedElsewhere")
        : fc.constant<Self>("ours"),
      fates: fc.array(fates(wedged, situation), { minLength: 9, maxLength: 9 }),
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
        old: wedged ? rarely : fc.constant(false),
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
      podsInPlace: podsInPlace(),
      services: fc.constantFrom<Services>(
        { names: [], selected: "train" },
        { names: [], selected: "train" },
        { names: ["train"], selected: "train" },
        { names: ["train", "net"], selected: "train" },
        { names: ["train", "net"], selected: "other" },
      ),
      claims: fc.subarray(["data-train", "logs-train"]),
      features: features(situation),
      now: fc.constantFrom("2026-02-07T10:00:00.250Z", "2026-02-07T10:00:30Z"),
    })
    .map((one) => {
      const jobSet = madeWhole({ ...one, situation });
      const pods =
        situation === "RestartsInPlace"
          ? restartedInPlace(jobSet, one.podsInPlace)
          : one.pods.map((attempt, index) => announcing(index, attempt));
      const children = childrenOf(jobSet, one.fates);
      return {
        jobSet,
        others: [
          ...(one.strays.old ? [ofOldJobSet()] : []),
          ...(one.strays.foreign ? [ofNobody()] : []),
          ...children,
          ...straysOf(one.strays),
          ...pods,
          ...servicesOf(one.services),
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

function features(situation: Situation | undefined): fc.Arbitrary<Record<string, boolean>> {
  const always = {
    Scaling: "ElasticJobSet",
    RestartsInPlace: "InPlaceRestart",
    SingleRestarts: "RestartJob",
  } as const;
  const wanted = situation !== undefined && situation in always ? situation : undefined;
  const single = situation === "Failures" ? fc.constantFrom("RestartJob", undefined) : undefined;
  return fc
    .subarray([
      "InPlaceRestart",
      "RestartJob",
      "ElasticJobSet",
      "ExecutionAttemptsTracking",
      "MutablePodResourcesForSuspendedJobSets",
    ])
    .chain((names) =>
      (single ?? fc.constant(undefined)).map((one) => [...names, ...(one ? [one] : [])]),
    )
    .map((names) => [...names, ...(wanted ? [always[wanted as keyof typeof always]] : [])])
    .map((names) => Object.fromEntries(names.map((name) => [name, true])));
}

function specs(
  wedged: boolean,
  situation: Situation | undefined,
): fc.Arbitrary<Partial<JobSetSpec>> {
  const policies = failurePolicies(wedged, situation);
  return fc.record(
    {
      failurePolicy:
        situation === "RestartsInPlace" || situation === "SingleRestarts"
          ? policies
          : fc.option(policies, { nil: undefined }),
      successPolicy: fc.record(
        {
          operator: fc.constantFrom("All" as const, "Any" as const),
          targetReplicatedJobs: targets(),
        },
        { requiredKeys: ["operator"] },
      ),
      startupPolicy: fc.record({
        startupPolicyOrder: fc.constantFrom(
          "AnyOrder" as const,
          "InOrder" as const,
          ...(situation === undefined || situation === "Chains" ? [] : ["InOrder" as const]),
        ),
      }),
      ttlSecondsAfterFinished: fc.constantFrom(0, 5, 1000),
    },
    { requiredKeys: requiredIn(situation) },
  );
}

/** What a situation is made of. */
function requiredIn(situation: Situation | undefined): ("failurePolicy" | "startupPolicy")[] {
  switch (situation) {
    case "RestartsInPlace":
    case "SingleRestarts":
      return ["failurePolicy"];
    case "Startups":
    case "Chains":
    case "Suspensions":
    case "Resumes":
      return ["startupPolicy"];
    default:
      return [];
  }
}

function targets(): fc.Arbitrary<string[]> {
  return fc.subarray([...replicatedJobNames, "nobody"]);
}

function failurePolicies(
  wedged: boolean,
  situation: Situation | undefined,
): fc.Arbitrary<FailurePolicy> {
  const single = [
    "RestartJob",
    "RestartJobAndIgnoreMaxRestarts",
    "RestartJobSet",
    ...(wedged ? ["Explode" as never] : []),
  ] as const;
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
      action: fc.constantFrom(...(situation === "SingleRestarts" ? single : actions)),
      onJobFailureReasons: fc.subarray(["BackoffLimitExceeded", "DeadlineExceeded"]),
      onJobFailureMessagePatterns: fc.subarray(["^exit [0-9]+$", "(", "node"]),
      targetReplicatedJobs: targets(),
    },
    { requiredKeys: ["name", "action"] },
  );
  // A rule that asks for all at once applies to hardly any Job.
  const asked = fc.constantFrom(
    "onJobFailureReasons",
    "onJobFailureMessagePatterns",
    "target",
    "",
    "",
  );
  const chosen = fc.tuple(rules, asked).map(([rule, member]) => {
    const { name, action, ...rest } = rule;
    const kept = Object.entries(rest).filter(([one]) => member !== "" && one.startsWith(member));
    return { name, action, ...Object.fromEntries(kept) };
  });
  const strategies = mostly(
    "Recreate" as const,
    "BlockingRecreate",
    "BlockingRecreate",
    "BlockingRecreate",
    "InPlaceRestart",
    "InPlaceRestart",
  ) as fc.Arbitrary<FailurePolicy["restartStrategy"]>;
  return fc.record({
    maxRestarts:
      situation === "SingleRestarts"
        ? fc.constantFrom(10, 10, 3)
        : fc.nat(situation === "Failures" ? 2 : 3),
    restartStrategy:
      situation === "RestartsInPlace"
        ? fc.constant("InPlaceRestart")
        : situation === "Startups"
          ? fc.constantFrom("Recreate", "BlockingRecreate")
          : strategies,
    rules:
      situation === "Failures" || situation === "SingleRestarts"
        ? fc.array(chosen, { minLength: 1, maxLength: 2 })
        : fc.array(rules, { maxLength: 2 }),
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

function statuses(
  finished: boolean,
  situation: Situation | undefined,
): fc.Arbitrary<Partial<JobSetStatus>> {
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
  const end = (type: string): Condition => ({
    type,
    status: "True",
    reason: "Reason",
    message: "message",
    lastTransitionTime: earlier,
  });
  const ends: fc.Arbitrary<Condition[]> =
    situation === "Ends"
      ? fc.constantFrom([end("Completed")], [end("Failed")])
      : fc.constant<Condition[]>([]);
  const restarts = fc.nat(2);
  return fc.record(
    {
      restarts,
      restartsCountTowardsMax: restarts,
      conditions: fc
        .subarray(types, { maxLength: 3 })
        .chain((chosen) => fc.tuple(...chosen.map(condition)))
        .chain((chosen) => ends.map((end) => [...end, ...chosen])),
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
  readonly situation: Situation | undefined;
}

function madeWhole({ base, spec, dependencies, status, self, situation }: Parts): JobSet {
  const inPlace = spec.failurePolicy?.restartStrategy === "InPlaceRestart";
  const replicatedJobs = (base.spec.replicatedJobs ?? []).map((replicatedJob, index) => ({
    ...replicatedJob,
    dependsOn:
      situation === undefined
        ? (dependencies[index] ?? [])
        : afterTheOneBefore(dependencies[index], base, index, situation),
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
      ...suspension(base.spec.suspend, situation),
      replicatedJobs,
      ...(self === "managedElsewhere" && { managedBy: "acme.com/controller" }),
    },
    status: { restarts: 0, ...base.status, ...status },
  };
  return jobSet;
}

/** Dependencies that admission lets pass: each ReplicatedJob waits for the one before it. */
function afterTheOneBefore(
  drawn: readonly DependsOn[] | undefined,
  { spec }: JobSet,
  index: number,
  situation: Situation,
): DependsOn[] {
  const before = spec.replicatedJobs?.[index - 1];
  if (before === undefined) return [];
  const waits: DependsOn[] = situation === "Chains" ? [{ name: "", status: "Ready" }] : [];
  const [first = waits[0]] = drawn ?? [];
  return first === undefined ? [] : [{ ...first, name: before.name }];
}

function suspension(
  drawn: boolean | undefined,
  situation: Situation | undefined,
): Partial<JobSetSpec> {
  if (situation === "Suspensions") return { suspend: true };
  // In these nothing would be left to look at.
  const runs =
    situation !== undefined && !["Failures", "SingleRestarts", "Ends"].includes(situation);
  return runs && drawn === true ? { suspend: false } : {};
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
  /** Whether the Job controller says so, which may be late. */
  readonly saysSuspended: boolean;
  readonly deleting: boolean;
  readonly started: boolean;
  readonly pods: { readonly ready: number; readonly active: number; readonly succeeded: number };
  readonly numbers: { readonly parallelism: number; readonly completions?: number };
  readonly jobRestartAttempt: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly template: {
    readonly tolerations: boolean;
    readonly gates: readonly string[];
    readonly limit: string | undefined;
  };
}

/** How Jobs stand in a situation, where it matters. */
const standing: Readonly<
  Partial<
    Record<
      Situation,
      {
        readonly exists?: readonly boolean[];
        readonly states: readonly Fate["state"][];
        readonly suspended?: readonly boolean[];
      }
    >
  >
> = {
  SingleRestarts: {
    exists: [true, true, true, true, false],
    states: ["failed", "failed", "active"],
  },
  Chains: {
    exists: [true, true, false],
    states: ["active", "completed"],
    suspended: [false, false, false, true],
  },
  Failures: { states: ["failed", "active", "failed", "completed"] },
  Successes: { states: ["completed", "completed", "completed", "active"] },
  Startups: {
    exists: [true, false],
    states: ["active", "completed"],
    suspended: [false, false, false, true],
  },
  Suspensions: {
    exists: [true, false],
    states: ["active", "active", "active", "completed"],
    suspended: [false, false, true],
  },
  Resumes: {
    states: ["active", "active", "active", "active", "active", "completed"],
    suspended: [true, true, true, false],
  },
  Scaling: { states: ["active"] },
  RestartsInPlace: { states: ["active"] },
};

function fates(wedged: boolean, situation: Situation | undefined): fc.Arbitrary<Fate> {
  const {
    exists = [true, true, true, false],
    states = ["active", "active", "active", "failed", "completed"] as const,
    suspended = [false, true],
  } = situation === undefined ? {} : (standing[situation] ?? {});
  return fc.record({
    // What is not there comes first, so that a counterexample has no Job that it does not need.
    exists: fc.constantFrom(...[...exists].sort()),
    attempt:
      situation === "Failures" || situation === "SingleRestarts"
        ? fc.constantFrom("current", "current", "current", "previous")
        : mostly<Fate["attempt"]>("current", "previous", "previous", "next"),
    state: fc.constantFrom(...states),
    failure: fc.record({
      reason: fc.constantFrom("BackoffLimitExceeded", "DeadlineExceeded"),
      message: fc.constantFrom("exit 42", "the node is gone", ""),
      at: fc.constantFrom(earlier, earlier, "2026-02-07T09:30:00Z"),
    }),
    suspended: fc.constantFrom(...suspended),
    saysSuspended: rarely,
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
    template: fc.record({
      tolerations: fc.constantFrom(false, true, true),
      gates: fc.subarray(["queue", "old"]),
      limit: fc.constantFrom(undefined, "1Gi", "3Gi"),
    }),
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
      ...(fate.state === "active" && fate.saysSuspended && { conditions: [saysSuspended] }),
    },
  };
}

const saysSuspended: JobCondition = { type: "Suspended", status: "True" };

function templateOf(name: string, { labels, template }: Fate): Job["spec"]["template"] {
  const { tolerations, gates, limit } = template;
  const resources = { requests: { cpu: "1" }, ...(limit && { limits: { memory: limit } }) };
  return {
    metadata: { labels: { "batch.kubernetes.io/job-name": name, ...labels } },
    spec: {
      containers: [{ name: "main", resources }],
      // What a template said once, and no longer says.
      nodeSelector: { disk: "old", zone: "z1" },
      ...(tolerations && {
        tolerations: [{ key: "gpu", operator: "Exists" }, { key: "old" }],
      }),
      ...(gates.length > 0 && { schedulingGates: gates.map((gate) => ({ name: gate })) }),
    },
  };
}

function endOf({ state, failure }: Fate): JobCondition {
  if (state === "completed") return { type: "Complete", status: "True" };
  const { at, reason, message } = failure;
  return { type: "Failed", status: "True", lastTransitionTime: at, reason, message };
}

const running = { ready: 1, active: 1 };

/** Jobs that the spec does not ask for, and Jobs that are another's. */
function straysOf(which: {
  readonly surplus: "idle" | "ready" | undefined;
  readonly unknown: boolean;
  readonly another: boolean;
}) {
  const surplus = aJob("train-workers-8");
  return [
    ...(which.surplus === "idle" ? [surplus] : []),
    ...(which.surplus === "ready" ? [surplus.withStatus(running)] : []),
    ...(which.unknown ? [aJob("train-gone-0").completed()] : []),
    ...(which.another ? [aJob("other-b-0").failed()] : []),
  ];
}

/** Services of names that a JobSet's may have, and whose Pods they select. */
interface Services {
  readonly names: readonly string[];
  readonly selected: string;
}

function servicesOf({ names, selected }: Services): readonly KubernetesObject[] {
  const selector = { [JOBSET_NAME_KEY]: selected };
  return names.map((name) => ({
    ...aService(name),
    spec: { ...aService(name).spec, selector },
  }));
}

/** A Job with JobSet's labels and a name that is needed, which nobody owns. */
function ofNobody(): Job {
  return aJob("train-b-0").withoutOwner().withUid("foreign").withStatus(running);
}

/** A Job that a JobSet of the same name has left behind, which was deleted and made anew. */
function ofOldJobSet(): Job {
  return aJob("train-workers-0")
    .withUid("of-old")
    .withStatus(running)
    .controlledBy(aJobSet("train").withUid("old-uid"))
    .beingDeleted();
}

/** What has become of the Pods of a JobSet that restarts in place. */
interface PodsInPlace {
  readonly missing: number;
  readonly attempt: number;
  readonly ahead: number;
  /** Failed Pods that others have replaced. */
  readonly failed: number;
  readonly containerRestarts: number;
}

function podsInPlace(): fc.Arbitrary<PodsInPlace> {
  return fc.record({
    missing: fc.constantFrom(0, 0, 1),
    attempt: fc.nat(2),
    ahead: fc.constantFrom(0, 0, 1),
    failed: fc.constantFrom(0, 1),
    containerRestarts: fc.constantFrom(0, 0, 0, 0, 1, 4),
  });
}

function restartedInPlace(
  { spec }: JobSet,
  { missing, attempt, ahead, failed, containerRestarts }: PodsInPlace,
): readonly KubernetesObject[] {
  const wanted = (spec.replicatedJobs ?? []).reduce((sum, { replicas = 1 }) => sum + replicas, 0);
  const live = Array.from({ length: Math.max(0, wanted - missing) }, (_, index) =>
    announcing(index, String(index < ahead ? attempt + 1 : attempt)).withStatus({
      phase: "Running",
      ...(index === 0 &&
        containerRestarts > 0 && {
          containerStatuses: [
            { name: "main", ready: true, image: "", imageID: "", restartCount: containerRestarts },
          ],
        }),
    }),
  );
  const gone = Array.from({ length: failed }, (_, index) =>
    announcing(wanted + index, "0").withStatus({ phase: "Failed" }),
  );
  return [...live, ...gone];
}

function announcing(index: number, attempt: string | undefined): APod {
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
