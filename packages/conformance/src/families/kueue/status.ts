import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { formatFieldError } from "@jobset-ts/api/errors";
import {
  isActive,
  type PodSet,
  podsReady,
  type ReclaimablePod,
  reclaimablePods,
  stopJob,
  type Workload,
} from "@jobset-ts/kueue";
import { canDefaultManagedBy } from "@jobset-ts/kueue/webhooks";
import { findFinished, podLabelSelector } from "../../../../kueue/src/status/jobset-state.ts";
import {
  isPodsReadyOutdated,
  podsReadyCondition,
} from "../../../../kueue/src/status/pods-ready-condition.ts";
import {
  capReclaimablePods,
  reclaimableUpdateErrors,
  sameReclaimablePods,
} from "../../../../kueue/src/status/reclaimable-pods.ts";
import type { Family } from "../family.ts";
import { type KueueInput, kueueFamily } from "./kueue-family.ts";

interface JobSetInput extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
}

interface PodsReadyConditionInput extends JobSetInput {
  readonly workload: Unvalidated<Workload>;
}

interface ReclaimablePodsInput extends JobSetInput {
  readonly workloadPodSets?: readonly Unvalidated<PodSet>[];
}

interface ReclaimableEqualInput extends KueueInput {
  readonly a: readonly ReclaimablePod[];
  readonly b: readonly ReclaimablePod[];
}

interface ReclaimableUpdateInput extends KueueInput {
  readonly old: Unvalidated<Workload>;
  readonly new: Unvalidated<Workload>;
}

/** Families for Kueue's reading of a JobSet's status. */
export const statusFamilies: readonly Family[] = [
  kueueFamily<JobSetInput>("suspend", ["jobSet"], ({ jobSet }, features) => ({
    isSuspended: isSuspended(jobSet),
    isActive: isActive(jobSet),
    podLabelSelector: podLabelSelector(jobSet),
    canDefaultManagedBy: canDefaultManagedBy(jobSet, features),
    managedBy: jobSet.spec?.managedBy,
    suspendAfter: isSuspended(stopJob(jobSet, undefined, "").jobSet),
  })),
  kueueFamily<JobSetInput>("finished", ["jobSet"], ({ jobSet }) => findFinished(jobSet)),
  kueueFamily<JobSetInput>("podsReady", ["jobSet"], ({ jobSet }) => ({ ready: podsReady(jobSet) })),
  kueueFamily<PodsReadyConditionInput>(
    "podsReadyCondition",
    ["jobSet", "workload"],
    ({ jobSet, workload }) => {
      const condition = podsReadyCondition(workload, jobSet);
      return { condition, write: isPodsReadyOutdated(workload, condition) };
    },
  ),
  kueueFamily<ReclaimablePodsInput>("reclaimablePods", ["jobSet"], (input) => {
    const reclaimable = reclaimablePods(input.jobSet);
    const { workloadPodSets } = input;
    const limited = workloadPodSets && capReclaimablePods(reclaimable ?? [], workloadPodSets);
    return reclaimable === undefined
      ? { none: true, limited }
      : { reclaimablePods: reclaimable, limited };
  }),
  kueueFamily<ReclaimableEqualInput>("reclaimableEqual", ["a", "b"], ({ a, b }) => ({
    equal: sameReclaimablePods(a, b),
  })),
  kueueFamily<ReclaimableUpdateInput>("reclaimableUpdateAllowed", ["old", "new"], (input) => {
    const errors = reclaimableUpdateErrors(input.old, input.new);
    return { allowed: errors.length === 0, errors: errors.map(formatFieldError) };
  }),
];
