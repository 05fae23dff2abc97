import { isSuspended, type JobSet, type Observed } from "@jobset-ts/api";
import { controllerOf, integerOf, nameOf, textOf, uidOf } from "@jobset-ts/api/kubernetes";
import { equalTyped } from "@jobset-ts/api/typed";
import { infosFromAdmission } from "../admission/infos-from-admission.ts";
import { directivesOf, mergeInfo } from "../admission/pod-set-info.ts";
import type { KueueFeatures } from "../features.ts";
import type { ResourceFlavor } from "../objects/cluster.ts";
import { objectsOf } from "../objects/members.ts";
import type { KueueResult } from "../objects/refusal.ts";
import { hasQuotaReserved, isAdmitted, type PodSet, type Workload } from "../objects/workload.ts";
import { jobPodSets } from "../pod-sets/pod-sets.ts";
import { executionTimeLimit } from "./new-workload.ts";

/**
 * Whether a Workload still asks for what its JobSet needs: the same owner, the same limit of time, and Pod sets with the same
 * counts and containers; while it is not admitted, the same tolerations too, for they decide on which flavors it may run.
 *
 * Names of Pod sets, labels, annotations, node selectors, gates and topology may differ.
 *
 * @returns a refusal when the JobSet's topology annotations cannot be read; it is not found out where owner or limit differ
 * @example
 * const jobSet = { metadata: { name: "train", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w" }] } };
 * const made = newWorkload(jobSet, {}, {}, new Set());
 * made.ok && isEquivalent(jobSet, made.value, [], new Set()) // => { ok: true, value: true }
 */
export function isEquivalent(
  jobSet: Observed<JobSet>,
  workload: Observed<Workload>,
  flavors: readonly Observed<ResourceFlavor>[],
  features: KueueFeatures,
): KueueResult<boolean> {
  if (!hasOwnerAndLimit(jobSet, workload, features)) return { ok: true, value: false };
  const wanted = jobPodSets(jobSet, features);
  if (!wanted.ok) return wanted;
  const held = objectsOf(workload?.spec?.podSets);
  const agree =
    haveSameContainers(wanted.value, held) &&
    tolerationsAgree({ jobSet, workload, wanted: wanted.value, held, flavors, features });
  return { ok: true, value: agree };
}

function hasOwnerAndLimit(
  jobSet: Observed<JobSet>,
  workload: Observed<Workload>,
  features: KueueFeatures,
): boolean {
  const owner = controllerOf(workload);
  if (owner === undefined || textOf(owner.name) !== nameOf(jobSet)) return false;
  if (features.has("FinishOrphanedWorkloads") && textOf(owner.uid) !== uidOf(jobSet)) return false;
  return (workload?.spec?.maximumExecutionTimeSeconds ?? undefined) === executionTimeLimit(jobSet);
}

type PodSets = readonly Observed<PodSet>[];

function haveSameContainers(left: PodSets, right: PodSets): boolean {
  return (
    left.length === right.length &&
    left.every((set, index) => {
      const other = right[index];
      return (
        integerOf(set.count, 0) === integerOf(other?.count, 0) &&
        (set.minCount ?? undefined) === (other?.minCount ?? undefined) &&
        equalTyped(containersOf(set), containersOf(other), "PodSpec")
      );
    })
  );
}

function containersOf(set: Observed<PodSet> | undefined): object {
  const spec = set?.template?.spec;
  return { containers: spec?.containers, initContainers: spec?.initContainers };
}

function tolerationsAgree({
  jobSet,
  workload,
  wanted,
  held,
  flavors,
  features,
}: {
  readonly jobSet: Observed<JobSet>;
  readonly workload: Observed<Workload>;
  readonly wanted: PodSets;
  readonly held: PodSets;
  readonly flavors: readonly Observed<ResourceFlavor>[];
  readonly features: KueueFeatures;
}): boolean {
  if (isAdmitted(workload)) return true;
  const admitted = hasQuotaReserved(workload)
    ? asAdmitted(workload, held, flavors, features)
    : undefined;
  if (admitted === undefined) return haveSameTolerations(wanted, held);
  return (
    haveSameTolerations(wanted, admitted) ||
    (isSuspended(jobSet) && haveSameTolerations(wanted, held))
  );
}

function haveSameTolerations(left: PodSets, right: PodSets): boolean {
  const tolerations = (set: Observed<PodSet> | undefined) => ({
    tolerations: set?.template?.spec?.tolerations,
  });
  return left.every((set, index) =>
    equalTyped(tolerations(set), tolerations(right[index]), "PodSpec"),
  );
}

/** The Pod sets as a JobSet has them that runs by the reservation; `undefined` when it could not run by it. */
function asAdmitted(
  workload: Observed<Workload>,
  held: PodSets,
  flavors: readonly Observed<ResourceFlavor>[],
  features: KueueFeatures,
): PodSets | undefined {
  const infos = infosFromAdmission(workload, flavors, features);
  if (!infos.ok) return undefined;
  const infoByName = new Map(infos.value.map((info) => [info.name, info]));
  const sets: Observed<PodSet>[] = [];
  for (const set of held) {
    const info = infoByName.get(textOf(set.name));
    if (info === undefined) return undefined;
    const merged = mergeInfo(directivesOf(set.template), info);
    if (!merged.ok) return undefined;
    const spec = { ...set.template?.spec, tolerations: merged.value.tolerations };
    sets.push({ ...set, template: { ...set.template, spec } });
  }
  return sets;
}
