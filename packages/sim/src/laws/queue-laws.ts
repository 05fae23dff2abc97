import { isSuspended, type JobSet } from "@jobset-ts/api";
import { asArray, getLabel, namespacedName } from "@jobset-ts/api/kubernetes";
import { isActive, QUEUE_NAME_KEY, type Workload } from "@jobset-ts/kueue";
import { hasQuotaReserved, isAdmitted } from "@jobset-ts/kueue/workload";
import type { Objects } from "../api-server/objects.ts";
import { isTerminal } from "./jobset-facts.ts";
import type { SafetyLaw, SteadyStateLaw } from "./law.ts";

export const quotaIsReleasedAfterPodsStop: SafetyLaw = {
  name: "quotaIsReleasedAfterPodsStop",
  sentence: "The quota of a JobSet is released only when its status has no active Job.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["Workload"],
  onChange: ({ before, after }, { objects }) => {
    if (before?.kind !== "Workload" || after === undefined) return undefined;
    const [was, is] = [before, after] as readonly unknown[] as readonly Workload[];
    if (!hasQuotaReserved(was) || hasQuotaReserved(is)) return undefined;
    const { namespace = "", ownerReferences } = after.metadata;
    const [owner] = asArray(ownerReferences);
    const jobSet = objects.get<JobSet>("JobSet", namespace, owner?.name ?? "");
    return jobSet?.metadata.uid === owner?.uid && jobSet !== undefined && isActive(jobSet)
      ? `the quota of ${namespacedName(jobSet)} is released, but it has active Jobs`
      : undefined;
  },
};

export const runningJobSetsHaveQuota: SteadyStateLaw = {
  name: "runningJobSetsHaveQuota",
  sentence: "In an idle cluster, a queued JobSet that is not suspended has finished or has quota.",
  onSteadyState: (objects) => {
    const workloads = objects.ofKind<Workload>("Workload");
    if (workloads.length === 0) return undefined;
    for (const jobSet of runningJobSets(objects)) {
      if ((getLabel(jobSet, QUEUE_NAME_KEY) ?? "") === "") continue;
      if (!getWorkloads(jobSet, workloads).some(isAdmitted))
        return `${namespacedName(jobSet)} runs without quota`;
    }
    return undefined;
  },
};

function getWorkloads(jobSet: JobSet, workloads: readonly Workload[]): readonly Workload[] {
  return workloads.filter(({ metadata }) =>
    asArray(metadata.ownerReferences).some(({ uid }) => uid === jobSet.metadata.uid),
  );
}

function runningJobSets(objects: Objects): readonly JobSet[] {
  return objects
    .ofKind<JobSet>("JobSet")
    .filter(
      (jobSet) =>
        !isSuspended(jobSet) &&
        !isTerminal(jobSet) &&
        jobSet.metadata.deletionTimestamp === undefined,
    );
}
