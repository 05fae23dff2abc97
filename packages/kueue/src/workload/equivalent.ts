import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { asInteger, asString, getControllerOf, getName, getUid } from "@jobset-ts/api/kubernetes";
import { semanticEqual } from "@jobset-ts/api/typed";
import { getDirectives, mergePodSetInfo } from "../admission/pod-set-info.ts";
import { podSetsInfoFromAdmission } from "../admission/pod-sets-info-from-admission.ts";
import type { KueueFeatureGates } from "../features.ts";
import type { ResourceFlavor } from "../objects/cluster.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import { listObjects } from "../objects/members.ts";
import { hasQuotaReserved, isAdmitted, type PodSet, type Workload } from "../objects/workload.ts";
import { jobPodSets } from "../pod-sets/pod-sets.ts";
import { executionTimeLimit } from "./new-workload.ts";

/**
 * Reports whether a Workload still matches its JobSet: the same owner, the same time limit, and Pod sets with the same
 * counts and containers. While the Workload is not admitted, the tolerations must also be equal, because they decide
 * which flavors it can use.
 *
 * Names of Pod sets, labels, annotations, node selectors, gates and topology may differ.
 *
 * @returns an error if the JobSet's topology annotations cannot be parsed; they are parsed only if owner and limit are equal
 * @example
 * const jobSet = { metadata: { name: "train", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w" }] } };
 * const made = newWorkload(jobSet, {}, {}, new Set());
 * made.ok && isEquivalent(jobSet, made.value, [], new Set()) // => { ok: true, value: true }
 */
export function isEquivalent(
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload>,
  flavors: readonly Unvalidated<ResourceFlavor>[],
  features: KueueFeatureGates,
): KueueResult<boolean> {
  if (!hasOwnerAndLimit(jobSet, workload, features)) return { ok: true, value: false };
  const desired = jobPodSets(jobSet, features);
  if (!desired.ok) return desired;
  const held = listObjects(workload?.spec?.podSets);
  const agree =
    haveSameContainers(desired.value, held) &&
    areTolerationsCompatible({ jobSet, workload, desired: desired.value, held, flavors, features });
  return { ok: true, value: agree };
}

function hasOwnerAndLimit(
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload>,
  features: KueueFeatureGates,
): boolean {
  const owner = getControllerOf(workload);
  if (owner === undefined || asString(owner.name) !== getName(jobSet)) return false;
  if (features.has("FinishOrphanedWorkloads") && asString(owner.uid) !== getUid(jobSet))
    return false;
  return (workload?.spec?.maximumExecutionTimeSeconds ?? undefined) === executionTimeLimit(jobSet);
}

type PodSets = readonly Unvalidated<PodSet>[];

function haveSameContainers(left: PodSets, right: PodSets): boolean {
  return (
    left.length === right.length &&
    left.every((set, index) => {
      const other = right[index];
      return (
        asInteger(set.count, 0) === asInteger(other?.count, 0) &&
        (set.minCount ?? undefined) === (other?.minCount ?? undefined) &&
        semanticEqual(getContainers(set), getContainers(other), "PodSpec")
      );
    })
  );
}

function getContainers(set: Unvalidated<PodSet> | undefined): object {
  const spec = set?.template?.spec;
  return { containers: spec?.containers, initContainers: spec?.initContainers };
}

function areTolerationsCompatible({
  jobSet,
  workload,
  desired,
  held,
  flavors,
  features,
}: {
  readonly jobSet: Unvalidated<JobSet>;
  readonly workload: Unvalidated<Workload>;
  readonly desired: PodSets;
  readonly held: PodSets;
  readonly flavors: readonly Unvalidated<ResourceFlavor>[];
  readonly features: KueueFeatureGates;
}): boolean {
  if (isAdmitted(workload)) return true;
  const admitted = hasQuotaReserved(workload)
    ? withAdmittedInfo(workload, held, flavors, features)
    : undefined;
  if (admitted === undefined) return haveSameTolerations(desired, held);
  return (
    haveSameTolerations(desired, admitted) ||
    (isSuspended(jobSet) && haveSameTolerations(desired, held))
  );
}

function haveSameTolerations(left: PodSets, right: PodSets): boolean {
  const tolerations = (set: Unvalidated<PodSet> | undefined) => ({
    tolerations: set?.template?.spec?.tolerations,
  });
  return left.every((set, index) =>
    semanticEqual(tolerations(set), tolerations(right[index]), "PodSpec"),
  );
}

/**
 * Returns the Pod sets of the JobSet with the directives of the reservation. Returns `undefined` if the reservation
 * cannot be applied.
 */
function withAdmittedInfo(
  workload: Unvalidated<Workload>,
  held: PodSets,
  flavors: readonly Unvalidated<ResourceFlavor>[],
  features: KueueFeatureGates,
): PodSets | undefined {
  const infos = podSetsInfoFromAdmission(workload, flavors, features);
  if (!infos.ok) return undefined;
  const infoByName = new Map(infos.value.map((info) => [info.name, info]));
  const sets: Unvalidated<PodSet>[] = [];
  for (const set of held) {
    const info = infoByName.get(asString(set.name));
    if (info === undefined) return undefined;
    const merged = mergePodSetInfo(getDirectives(set.template), info);
    if (!merged.ok) return undefined;
    const spec = { ...set.template?.spec, tolerations: merged.value.tolerations };
    sets.push({ ...set, template: { ...set.template, spec } });
  }
  return sets;
}
