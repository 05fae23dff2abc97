import type { DependsOn, JobSet, JobSetSpec, JobSetStatus, ReplicatedJob } from "@jobset-ts/api";
import { IN_PLACE_RESTART_ATTEMPT_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Condition, Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, createContext } from "@jobset-ts/core";
import fc from "fast-check";
import { aClaim } from "../builders/a-claim.ts";
import { aJob } from "../builders/a-job.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import { aService } from "../builders/a-service.ts";
import { controllerReference } from "../builders/object-steps.ts";
import { children, earlier } from "./arbitrary-fates.ts";
import { jobSets } from "./arbitrary-jobsets.ts";
import { dependencies, policies } from "./arbitrary-policies.ts";
import { copyOtherMembers } from "./other-clients-members.ts";
import { type Situation, TRAITS, type Traits } from "./situations.ts";
import { templateMembers } from "./template-members.ts";

/** A JobSet and the other objects of a cluster at one instant. */
export interface GeneratedCluster {
  readonly jobSet: JobSet;
  /** The JobSet's Jobs, Pods, Services and PVCs, and some objects of other owners. */
  readonly others: readonly KubernetesObject[];
  readonly context: Context;
}

/** Limits the generated clusters. */
export interface ClusterLimits {
  /** If true, some JobSets are being deleted or have another controller. Default `true`. */
  readonly foreign?: boolean;
  /** If true, some JobSets have finished. Default `true`. */
  readonly finished?: boolean;
  /** The situation that the clusters are in. Any situation by default. */
  readonly situation?: Situation;
  /** If true, some rules request impossible actions, and some required names belong to another Job. Default `true`. */
  readonly wedged?: boolean;
  /** Whether other clients have written into each object, too. Default `false`. */
  readonly crowded?: boolean;
}

/**
 * Generates small clusters with a JobSet named `train`. It can have any reachable state, but common states are more
 * frequent.
 */
export function clusters(limits: ClusterLimits = {}): fc.Arbitrary<GeneratedCluster> {
  return clusterParts(limits).map((parts) => assembleCluster(parts, limits));
}

/** Generates the independent parts of a cluster. */
function clusterParts({
  situation,
  wedged = true,
  foreign = situation === undefined,
  finished = situation === undefined,
}: ClusterLimits) {
  const traits = getTraits(situation);
  return fc.record({
    base: jobSets({
      hasValidKeys: true,
      ...(situation !== undefined && {
        populated: true,
        atLeast: traits.replicatedJobs,
        replicas: traits.replicas,
      }),
    }),
    spec: policies(wedged, traits),
    addMembers: traits.hasMoreMembers
      ? templateMembers()
      : fc.constant((jobSet: JobSet): JobSet => jobSet),
    dependencies: fc.array(dependencies(traits), { minLength: 3, maxLength: 3 }),
    status: statuses(finished, traits),
    leftRestarts: fc.constantFrom(...(traits.leftRestarts ?? [undefined])),
    self: foreign
      ? weightFirst<JobSetManagement>("ours", "beingDeleted", "managedElsewhere")
      : fc.constant<JobSetManagement>("ours"),
    children: children(wedged, traits.jobs ?? {}),
    strays: fc.record({
      surplus: fc.constantFrom(undefined, undefined, undefined, "idle" as const, "ready" as const),
      unknown: rarely,
      another: rarely,
      elsewhere: rarely,
      old: wedged ? rarely : fc.constant(false),
      podOfOld: fc.constantFrom(undefined, undefined, undefined, undefined, "0", "1", "3"),
      foreign: wedged
        ? fc.constantFrom(undefined, undefined, undefined, undefined, "alone", "owned")
        : fc.constant(undefined),
    }),
    pods: fc.oneof(
      fc.array(fc.constantFrom("0", "1", "2", undefined, ...(wedged ? ["x"] : [])), {
        maxLength: 4,
      }),
      // The counts of a JobSet that is not restarting are consistent.
      fc
        .tuple(fc.nat(6), fc.nat(2))
        .map(([length, attempt]) => Array<string | undefined>(length).fill(String(attempt))),
    ),
    podsInPlace: inPlaceRestartPods(),
    services: fc.constantFrom<Services>(
      { names: [], selected: "train" },
      { names: [], selected: "train" },
      { names: [], selected: "train" },
      { names: [], selected: "train" },
      { names: ["train"], selected: "train" },
      { names: ["train"], selected: "train" },
      { names: ["train", "net"], selected: "train" },
      { names: ["train", "net"], selected: "other" },
    ),
    claims: fc.oneof(fc.constant<string[]>([]), fc.subarray(["data-train", "logs-train"])),
    features: features(traits),
    now: fc.constantFrom(
      "2026-02-07T10:00:00.250Z",
      "2026-02-07T10:00:30Z",
      ...(traits.hasSlowClocks ? ["2026-02-07T09:59:30Z"] : []),
    ),
  });
}

type ClusterParts =
  ReturnType<typeof clusterParts> extends fc.Arbitrary<infer Parts> ? Parts : never;

function assembleCluster(
  parts: ClusterParts,
  { situation, crowded = false }: ClusterLimits,
): GeneratedCluster {
  const traits = getTraits(situation);
  const { strays } = parts;
  const shared = traits.sharesService === true ? [...listOtherJobSetWithService()] : [];
  const whole = parts.addMembers(completeJobSet(parts, situation && traits));
  const jobSet = shared.length > 0 ? copySubdomain(whole) : whole;
  const jobs = parts.children(jobSet);
  const pods =
    situation === "RestartsInPlace"
      ? restartedInPlace(jobs, parts.podsInPlace)
      : parts.pods.map((attempt, index) => createAnnouncingPod(jobs, index, attempt));
  const cluster = {
    jobSet,
    others: [
      ...shared,
      ...(strays.old ? [createJobOfOldJobSet()] : []),
      ...(strays.foreign ? [createUncontrolledJob(strays.foreign === "owned")] : []),
      ...jobs,
      ...listUnclaimedJobs(strays),
      ...(strays.elsewhere ? listObjectsInAnotherNamespace() : []),
      ...pods,
      ...(strays.podOfOld === undefined ? [] : [createPodOfOldJobSet(strays.podOfOld)]),
      ...listServices(parts.services),
      ...parts.claims.map((claim) =>
        crowded ? aClaim(claim).controlledBy(jobSet) : aClaim(claim),
      ),
    ].filter(uniqueNames()),
    context: createContext({ now: parts.now, features: parts.features }),
  };
  return crowded ? copyOtherMembers(cluster) : cluster;
}

function getTraits(situation: Situation | undefined): Traits {
  return situation === undefined ? {} : TRAITS[situation];
}

type JobSetManagement = "ours" | "beingDeleted" | "managedElsewhere";

const rarely = fc.constantFrom(false, false, false, false, true);

/** The conditions of a finished JobSet. */
const ends: readonly string[] = ["Completed", "Failed"];

/** The creation time of the JobSet and the transition time of other conditions. */
const muchEarlier = "2026-02-07T09:30:00Z";
const longAgo = "2026-02-07T08:00:00Z";

function weightFirst<Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...Array<Value>(8).fill(usual), ...others);
}

function features(traits: Traits): fc.Arbitrary<Record<string, boolean>> {
  return fc
    .subarray([
      "InPlaceRestart",
      "RestartJob",
      "ElasticJobSet",
      "ExecutionAttemptsTracking",
      "MutablePodResourcesForSuspendedJobSets",
    ])
    .map((names) => [...names, ...(traits.features ?? [])])
    .map((names) => Object.fromEntries(names.map((name) => [name, true])));
}

function statuses(finished: boolean, { condition }: Traits): fc.Arbitrary<Partial<JobSetStatus>> {
  const types = [
    "Suspended",
    "RestartingJobSet",
    "StartupPolicyInProgress",
    "StartupPolicyCompleted",
    ...ends,
  ].filter((type) => !condition?.includes(type));
  const entry = (type: string, status: "True" | "False"): Condition => ({
    type,
    status,
    reason: "Reason",
    message: "message",
    lastTransitionTime: ends.includes(type) ? earlier : muchEarlier,
  });
  const arbitraryCondition = (type: string) =>
    (finished || !ends.includes(type)
      ? fc.constantFrom("True" as const, "False" as const)
      : fc.constant("False" as const)
    ).map((status) => entry(type, status));
  const given: fc.Arbitrary<Condition[]> =
    condition === undefined
      ? fc.constant([])
      : fc.constantFrom(
          [],
          ...Array(6)
            .fill(condition)
            .flat()
            .map((type) => [entry(type, "True")]),
        );
  const restarts = fc.nat(2);
  return fc.record(
    {
      restarts,
      restartsCountTowardsMax: restarts,
      conditions: fc
        .subarray(types, { maxLength: 3 })
        .chain((chosen) => fc.tuple(given, ...chosen.map(arbitraryCondition)))
        .map(([first, ...rest]) => [...rest, ...first]),
      currentInPlaceRestartAttempt: fc.nat(2),
      previousInPlaceRestartAttempt: fc.nat(2),
      executionAttempts: fc.nat(5),
    },
    { requiredKeys: ["restarts", ...(condition ? ["conditions" as const] : [])] },
  );
}

interface Parts {
  readonly base: JobSet;
  readonly spec: Partial<JobSetSpec>;
  readonly dependencies: readonly DependsOn[][];
  readonly status: Partial<JobSetStatus>;
  readonly leftRestarts: NonNullable<Traits["leftRestarts"]>[number] | undefined;
  readonly self: JobSetManagement;
}

/** @param traits - absent for any clusters, including those that admission would deny */
function completeJobSet(parts: Parts, traits: Traits | undefined): JobSet {
  const { base, spec, dependencies, self, leftRestarts } = parts;
  const { failurePolicy } = spec;
  const status = { restarts: 0, ...base.status, ...parts.status };
  const inPlace = failurePolicy?.restartStrategy === "InPlaceRestart";
  const replicatedJobs = (base.spec.replicatedJobs ?? []).map((replicatedJob, index) => ({
    ...replicatedJob,
    dependsOn:
      traits === undefined
        ? (dependencies[index] ?? [])
        : dependOnPreceding(dependencies[index], base, index, traits),
    ...(inPlace && { template: withOnePod(replicatedJob) }),
  }));
  const maxRestarts = leftRestarts && countRestarts(status, leftRestarts.of) + leftRestarts.left;
  return {
    ...base,
    metadata: {
      ...base.metadata,
      creationTimestamp: longAgo,
      ...(self === "beingDeleted" && { deletionTimestamp: earlier, finalizers: ["f"] }),
    },
    spec: {
      ...base.spec,
      ...spec,
      ...(failurePolicy &&
        maxRestarts !== undefined && { failurePolicy: { ...failurePolicy, maxRestarts } }),
      ...(traits?.suspended && { suspend: true }),
      // An omitted field comes first and has the same meaning as its default.
      ...(traits?.suspended === false && base.spec.suspend && { suspend: false }),
      replicatedJobs,
      ...(self === "managedElsewhere" && { managedBy: "acme.com/controller" }),
    },
    status,
  };
}

function countRestarts(status: JobSetStatus, of: "JobSet" | "All"): number {
  const { restartsCountTowardsMax = 0, replicatedJobsStatus = [] } = status;
  const ofJobs = replicatedJobsStatus.flatMap((one) => one.jobRestartsCountTowardsMax ?? []);
  return (of === "JobSet" ? [] : ofJobs).reduce((sum, one) => sum + one, restartsCountTowardsMax);
}

/** Dependencies that admission accepts: a ReplicatedJob depends on none, one or two preceding ReplicatedJobs. */
function dependOnPreceding(
  generated: readonly DependsOn[] = [],
  { spec }: JobSet,
  index: number,
  { dependsOn }: Traits,
): DependsOn[] {
  if (dependsOn === "Never") return [];
  const before = (spec.replicatedJobs ?? []).slice(Math.max(0, index - generated.length), index);
  // Both orders are possible, because a status check may depend on the order.
  if (generated[0]?.name !== generated[1]?.name) before.reverse();
  return before.map(({ name }, at) => ({
    name,
    status: generated[at]?.status ?? "Ready",
  }));
}

/** Returns the template with one Pod, as in-place restart requires. */
function withOnePod({ template }: ReplicatedJob): ReplicatedJob["template"] {
  return { ...template, spec: { ...template.spec, parallelism: 1, completions: 1 } };
}

const running = { ready: 1, active: 1 };

/** Returns Jobs that are not in the spec, and Jobs of other owners. */
function listUnclaimedJobs(which: {
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

/**
 * Services with possible names of the JobSet's Service, and the Pods that they select. The JobSet controls those that
 * select its Pods.
 */
interface Services {
  readonly names: readonly string[];
  readonly selected: string;
}

function listServices(
  { names, selected }: Services,
  namespace = "default",
): readonly KubernetesObject[] {
  const selector = { [JOBSET_NAME_KEY]: selected };
  const isOwn = selected === "train" && namespace === "default";
  return names.map((name) => {
    const service = aService(name).inNamespace(namespace);
    const { metadata } = isOwn ? service.controlledBy(aJobSet("train")) : service;
    return { ...service, metadata, spec: { ...service.spec, selector } };
  });
}

const SHARED_SUBDOMAIN = "net";

/** Returns another JobSet and the Service of its subdomain. */
function listOtherJobSetWithService(): readonly KubernetesObject[] {
  const other = copySubdomain(aJobSet("other").withUid("other").withReplicatedJob("b"));
  const [service] = listServices({ names: [SHARED_SUBDOMAIN], selected: "other" });
  const ownerReferences = [controllerReference(other)];
  return [
    other,
    ...(service ? [{ ...service, metadata: { ...service.metadata, ownerReferences } }] : []),
  ];
}

function copySubdomain(jobSet: JobSet): JobSet {
  const network = { ...jobSet.spec.network, enableDNSHostnames: true, subdomain: SHARED_SUBDOMAIN };
  return { ...jobSet, spec: { ...jobSet.spec, network } };
}

/**
 * Returns a Job with JobSet's labels and a required name, but without a controller. It may have the JobSet as a plain
 * owner.
 */
function createUncontrolledJob(isOwned: boolean): Job {
  const job = aJob("train-b-0").withoutOwner().withUid("foreign").withStatus(running);
  const owner = { ...controllerReference(aJobSet("train")), controller: false };
  return isOwned ? { ...job, metadata: { ...job.metadata, ownerReferences: [owner] } } : job;
}

/** Returns a Job of an earlier JobSet with the same name, which was deleted and recreated. */
function createJobOfOldJobSet(): Job {
  return aJob("train-workers-0")
    .withUid("of-old")
    .withStatus(running)
    .controlledBy(aJobSet("train").withUid("old-uid"))
    .beingDeleted();
}

/** Returns a Pod of that Job that has announced an in-place restart. */
function createPodOfOldJobSet(attempt: string): APod {
  return aPod("train-workers-0-0-older")
    .withAnnotations({ [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt })
    .withStatus({ phase: "Running" })
    .controlledBy(createJobOfOldJobSet());
}

/** Returns the objects of a JobSet with the same name in another namespace. */
function listObjectsInAnotherNamespace(): readonly KubernetesObject[] {
  const namesake = aJobSet("train").inNamespace("ml").withUid("elsewhere");
  return [
    aJob("train-workers-0").inNamespace("ml").controlledBy(namesake).withStatus(running),
    aJob("train-driver-0").inNamespace("ml").controlledBy(namesake).failed(),
    ...listServices({ names: ["train", "net"], selected: "train" }, "ml"),
    aClaim("data-train").inNamespace("ml"),
    aClaim("logs-train").inNamespace("ml"),
  ];
}

/** The state of the Pods of a JobSet with in-place restart. */
interface PodsInPlace {
  readonly missing: number;
  readonly attempt: number;
  readonly ahead: number;
  /** The number of failed Pods that were replaced. */
  readonly failed: number;
  readonly containerRestarts: number;
  /** Whether the restarted container is an init container. */
  readonly isInit: boolean;
  /** Whether one of the Pods announces a value that is not a number. */
  readonly isOdd: boolean;
  /** The state of the last Pod. Its announced attempt counts in each state. */
  readonly last: "Running" | "Succeeded" | "BeingDeleted";
}

function inPlaceRestartPods(): fc.Arbitrary<PodsInPlace> {
  return fc.record({
    missing: fc.constantFrom(0, 0, 0, 0, 0, 1),
    // Usually later than the current attempt in the status, which is at most 2.
    attempt: fc.nat(6),
    ahead: fc.constantFrom(0, 0, 0, 1),
    failed: fc.constantFrom(0, 1, 1, 1),
    containerRestarts: fc.constantFrom(0, 0, 0, 0, 0, 30),
    isInit: fc.constantFrom(false, true, true, true),
    isOdd: fc.constantFrom(...Array<boolean>(9).fill(false), true),
    last: fc.constantFrom("Running", "Succeeded", "Succeeded", "BeingDeleted", "BeingDeleted"),
  });
}

function restartedInPlace(
  jobs: readonly Job[],
  { missing, attempt, ahead, failed, containerRestarts, isInit, isOdd, last }: PodsInPlace,
): readonly KubernetesObject[] {
  const live = jobs.slice(missing).map((_, index, { length }) => {
    const pod = createAnnouncingPod(
      jobs,
      index,
      isOdd && index === 0 ? "x" : String(index < ahead ? attempt + 1 : attempt),
    ).withStatus({
      phase: index === length - 1 && last === "Succeeded" ? last : "Running",
      ...(index === 0 &&
        containerRestarts > 0 && {
          [isInit ? "initContainerStatuses" : "containerStatuses"]: [
            { name: "main", ready: true, image: "", imageID: "", restartCount: containerRestarts },
          ],
        }),
    });
    return index === length - 1 && last === "BeingDeleted" ? pod.beingDeleted() : pod;
  });
  const failedPods = Array.from({ length: failed }, (_, index) =>
    createAnnouncingPod(jobs, jobs.length + index, "0").withStatus({ phase: "Failed" }),
  );
  return [...live, ...failedPods];
}

/** Returns a Pod of the next of these Jobs, in turn. */
function createAnnouncingPod(
  jobs: readonly Job[],
  index: number,
  attempt: string | undefined,
): APod {
  const job = jobs[index % jobs.length]?.metadata.name ?? "train-workers-0";
  return aPod(`${job}-${index}-abcde`).withAnnotations({
    [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt,
  });
}

/** Returns a predicate that is true for the first object of each kind, namespace and name. */
function uniqueNames(): (object: KubernetesObject) => boolean {
  const seen = new Set<string>();
  return ({ kind, metadata }) => {
    const key = `${kind}/${metadata.namespace}/${metadata.name}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  };
}
