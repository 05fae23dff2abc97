import { admitJobSet, type JobSetAdmissionResult, mutatePod } from "@jobset-ts/admission";
import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asRecord, getName, getUid, type Job } from "@jobset-ts/api/kubernetes";
import { createSnapshot, reconcile, type Snapshot } from "@jobset-ts/core";
import { createJobFactories, desiredService, desiredVolumeClaims } from "@jobset-ts/core/desired";
import { leaderForPod, type PlacementPlan, reconcilePlacement } from "@jobset-ts/core/placement";
import { decodeStoredObject, openAPIV3Schema } from "@jobset-ts/crd";
import { prepareCreate } from "../../admission/request-object.ts";
import { getNames } from "../../input/jobset-selector.ts";
import type { InputObject } from "../../input/objects.ts";
import type { PassContext } from "../cluster/pass-context.ts";
import {
  compare,
  listPlanDifferences,
  listRequestDifferences,
  shortenName,
} from "./compare-plans.ts";
import { listSituations } from "./situations.ts";
import type { JobSetDifferences, VersionDifference } from "./version-difference.ts";

/** The same result under the old and the new version. */
interface VersionPair<Value> {
  readonly from: Value;
  readonly to: Value;
}

function mapPair<From, To>(
  { from, to }: VersionPair<From>,
  convert: (value: From) => To,
): VersionPair<To> {
  return { from: convert(from), to: convert(to) };
}

/**
 * Compares two versions of JobSet for one JobSet: runs the functions of both on the same input.
 *
 * @param cluster - contains the JobSet; if a server has stored it, also its known Jobs and Pods
 */
export function compareJobSet(
  jobSet: Unvalidated<JobSet>,
  cluster: Snapshot,
  versions: VersionPair<PassContext>,
): JobSetDifferences {
  const isStored = getUid(jobSet) !== "";
  const { status: _, ...sent } = jobSet as InputObject["value"];
  const object = prepareCreate({ value: sent }, {});
  const admissions = mapPair(versions, (context) => {
    const request = { operation: "CREATE", object } as const;
    return { context, result: admitJobSet(request, emptyCluster, context) };
  });
  const read = mapPair(admissions, ({ context, result }) =>
    !isStored && result.allowed
      ? (result.stored ?? {})
      : decodeWith(context, isStored ? jobSet : object),
  );
  const fields = compare("Field", CREATION, "JobSet", read.from, read.to);
  const jobSets = fields.length === 0 ? mapPair(read, () => read.from) : read;
  const objects = {
    from: listObjects(jobSets.from, versions.from),
    to: listObjects(jobSets.to, versions.to),
  };
  const running = isStored ? compareRunning(jobSet, cluster, versions) : [];
  const outcomes = mapPair(admissions, ({ result }) => toOutcome(result));
  return {
    ...getNames(jobSet),
    isRejected: !admissions.to.result.allowed,
    isRestarted: running.some(isRestart),
    isAffected: running.length > 0,
    differences: [
      ...running,
      ...(isStored ? listMissingKeys(jobSet, cluster, objects) : []),
      ...compare("Admission", CREATION, "JobSet", outcomes.from, outcomes.to),
      ...fields,
      ...compareObjects(objects),
      ...compareSituations(jobSets, versions),
    ],
  };
}

const CREATION = "Creation";
/** The situation of a running JobSet during the upgrade. */
const NOW = "Now";

/** No existing object conflicts with a new JobSet. */
const emptyCluster = createSnapshot([], { kinds: "all" });

/** Returns a stored or denied JobSet as a version reads it. */
function decodeWith(
  { schema = openAPIV3Schema() }: PassContext,
  jobSet: object,
): Unvalidated<JobSet> {
  return decodeStoredObject(jobSet, schema) as Unvalidated<JobSet>;
}

function toOutcome(result: JobSetAdmissionResult) {
  if (result.allowed) return { outcome: "admitted" };
  const { code, reason, message } = result.denial.status;
  return { outcome: "denied", code, reason, message };
}

/** Compares the objects that a new JobSet gets, and the first Pod of each first Job after the mutating webhook. */
function compareObjects({ from, to }: VersionPair<CreatedObjects>): readonly VersionDifference[] {
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((object) => {
    const category = object.startsWith("Pod ") ? "Pod" : "Object";
    return compare(category, CREATION, object, from.get(object), to.get(object));
  });
}

/** The created objects by kind and short name. */
type CreatedObjects = ReadonlyMap<string, object>;

/** Returns the created objects: of each ReplicatedJob, only the first Job and its first Pod. */
function listObjects(jobSet: Unvalidated<JobSet>, context: PassContext): CreatedObjects {
  const objects = new Map<string, object>();
  const name = getName(jobSet);
  const add = (object: {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string };
  }) => objects.set(`${object.kind} ${shortenName(object.metadata?.name ?? "", name)}`, object);
  const service = desiredService(jobSet);
  if (service !== undefined) add(service);
  for (const claim of desiredVolumeClaims(jobSet)) add(claim);
  for (const { replicas, jobAt } of createJobFactories(jobSet, context)) {
    if (replicas === 0) continue;
    const job = jobAt(0) as Job;
    add(job);
    objects.set(`Pod ${shortenName(getName(job), name)}-0`, createFirstPod(job, context));
  }
  return objects;
}

/** Returns the metadata, the affinity and the node selector of a Job's first Pod, or the denial. */
function createFirstPod(job: Job, context: PassContext): object {
  const { metadata = {}, spec } = job.spec.template;
  const annotations = { ...metadata.annotations, "batch.kubernetes.io/job-completion-index": "0" };
  const { namespace, name } = job.metadata;
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, namespace, name: `${name}-0-abcde`, annotations },
    spec,
  };
  const mutated = mutatePod({ operation: "CREATE", object: pod }, emptyCluster, context);
  if (!mutated.allowed) return { denial: mutated.denial.status.message };
  const { labels, annotations: notes } = mutated.object.metadata ?? {};
  const { affinity, nodeSelector } = mutated.object.spec ?? {};
  return { metadata: { labels, annotations: notes }, spec: { affinity, nodeSelector } };
}

/** Compares the next reconcile in typical situations, with Jobs that the old version created. */
function compareSituations(
  { from, to }: VersionPair<Unvalidated<JobSet>>,
  versions: VersionPair<PassContext>,
): readonly VersionDifference[] {
  const before = listSituations(from, versions.from);
  const after = from === to ? before : listSituations(to, versions.from);
  const found = before.flatMap(({ name, jobSet, snapshot }) => {
    const next = after.find((one) => one.name === name);
    if (next === undefined) return [];
    const plans = {
      from: reconcile(snapshot, jobSet, versions.from),
      to: reconcile(next.snapshot, next.jobSet, versions.to),
      status: undefined,
    };
    return listPlanDifferences(plans, name);
  });
  return foldSituations(found);
}

/** Keeps the first of equal differences in several situations, and names these. */
function foldSituations(found: readonly VersionDifference[]): readonly VersionDifference[] {
  const groups = new Map<string, VersionDifference[]>();
  for (const one of found) {
    const { situation: _, ...rest } = one;
    const key = JSON.stringify(rest);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => ({
    ...(group[0] as VersionDifference),
    situation: group.map(({ situation }) => situation).join(", "),
  }));
}

/** Compares the next reconcile of a stored JobSet, and the placement repair of its Pods. */
function compareRunning(
  jobSet: Unvalidated<JobSet>,
  cluster: Snapshot,
  versions: VersionPair<PassContext>,
): readonly VersionDifference[] {
  const plans = mapPair(versions, (context) => reconcile(cluster, jobSet, context));
  const key = getNames(jobSet);
  const repairs = mapPair(versions, (context) => planRepairs(cluster, key, context));
  return [
    ...listPlanDifferences({ ...plans, status: jobSet.status }, NOW),
    ...listRequestDifferences(repairs.from, repairs.to, { situation: NOW, jobSet: key.name }),
  ];
}

/** Returns the steps of placement repair for all leader Pods of a JobSet. */
function planRepairs(
  cluster: Snapshot,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  context: PassContext,
): Pick<PlacementPlan, "steps"> {
  const leaders = new Set(
    cluster
      .podsOfJobSet(namespace, name)
      .flatMap((pod) => leaderForPod(cluster, pod, context) ?? []),
  );
  const plans = [...leaders].map((leader) => reconcilePlacement(cluster, leader, context));
  return { steps: plans.flatMap(({ steps }) => steps) };
}

/** Lists the labels and annotations that the new version sets on new Jobs, but that existing Jobs do not have. */
function listMissingKeys(
  jobSet: Unvalidated<JobSet>,
  cluster: Snapshot,
  { from, to }: VersionPair<CreatedObjects>,
): readonly VersionDifference[] {
  const name = getName(jobSet);
  return cluster.childJobs(jobSet).flatMap((job) => {
    const object = `Job ${shortenName(getName(job), name)}`;
    const [old, next] = [from.get(object), to.get(object)] as readonly (Job | undefined)[];
    if (old === undefined || next === undefined) return [];
    return (["labels", "annotations"] as const).flatMap((member) => {
      const has = (one: Unvalidated<Job>, key: string) =>
        Object.hasOwn(asRecord(one.metadata?.[member]), key);
      return Object.keys(asRecord(next.metadata[member]))
        .filter((key) => !has(old, key) && !has(job, key))
        .map((key): VersionDifference => {
          const field = `metadata.${member}[${key}]`;
          return { category: "Object", situation: NOW, object, field, to: MISSING };
        });
    });
  });
}

const MISSING = "(only on Jobs that are created after the upgrade)";

/** Returns whether a difference means that the new version restarts the JobSet, or deletes its Jobs or Pods. */
function isRestart({ category, object, field, from, to }: VersionDifference): boolean {
  if (category === "Request" && /^(Job|Pod) /.test(object)) {
    return isDeletion(to) && !isDeletion(from);
  }
  if (!/^status\.(restarts|restartsCountTowardsMax)$/.test(field)) return false;
  return typeof to === "number" && to > (typeof from === "number" ? from : 0);
}

function isDeletion(request: unknown): boolean {
  return typeof request === "string" && request.split(", ").includes("delete");
}
