import type { JobSet, JobSetStatus } from "@jobset-ts/api";
import type { Condition, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, createContext } from "@jobset-ts/core";
import fc from "fast-check";
import { aClaim } from "../builders/a-claim.ts";
import { children, earlier } from "./arbitrary-fates.ts";
import { jobSets } from "./arbitrary-jobsets.ts";
import { dependencies, policies } from "./arbitrary-policies.ts";
import {
  copySubdomain,
  listOtherJobSetWithService,
  listServices,
  services,
} from "./arbitrary-services.ts";
import { completeJobSet, type JobSetManagement } from "./complete-jobset.ts";
import {
  createAnnouncingPod,
  inPlaceRestartPods,
  restartedInPlace,
} from "./in-place-restart-pods.ts";
import { copyOtherMembers } from "./other-clients-members.ts";
import { type Situation, TRAITS, type Traits } from "./situations.ts";
import {
  createJobOfOldJobSet,
  createPodOfOldJobSet,
  createUncontrolledJob,
  listObjectsInAnotherNamespace,
  listUnclaimedJobs,
  strayObjects,
} from "./stray-objects.ts";
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
    strays: strayObjects(wedged),
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
    services: services(),
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

/** The conditions of a finished JobSet. */
const ends: readonly string[] = ["Completed", "Failed"];

/** The transition time of other conditions. */
const muchEarlier = "2026-02-07T09:30:00Z";

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

/** Returns a predicate that is true for the first object of each kind, namespace and name. */
function uniqueNames(): (object: KubernetesObject) => boolean {
  const seen = new Set<string>();
  return ({ kind, metadata }) => {
    const key = `${kind}/${metadata.namespace}/${metadata.name}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  };
}
