import { isSuspended, type JobSet, parseTime, replicatedJobsOf } from "@jobset-ts/api";
import { NODE_SELECTOR_STRATEGY_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  annotationOf,
  conditionOf,
  type Job,
  keyOf,
  labelOf,
  listOf,
} from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import { isActive, type Workload } from "@jobset-ts/kueue";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue/keys";
import { hasQuotaReserved, isAdmitted } from "@jobset-ts/kueue/workload";
import { equal } from "../api-server/become.ts";
import type { Objects } from "../api-server/objects.ts";
import type { RestOracle } from "./at-rest.ts";
import { isTerminal, storedJobsOf } from "./jobset-facts.ts";
import type { Oracle } from "./oracle.ts";

export const quotaIsGivenBackOnceNothingRuns: Oracle = {
  name: "quotaIsGivenBackOnceNothingRuns",
  sentence: "The quota of a JobSet is given back only when its status has no active Job.",
  holds: "Always",
  memory: undefined,
  kinds: ["Workload"],
  onChange: ({ before, after }, { objects }) => {
    if (before?.kind !== "Workload" || after === undefined) return undefined;
    const [was, is] = [before, after] as readonly unknown[] as readonly Workload[];
    if (!hasQuotaReserved(was) || hasQuotaReserved(is)) return undefined;
    const { namespace = "", ownerReferences } = after.metadata;
    const [owner] = listOf(ownerReferences);
    const jobSet = objects.get<JobSet>("JobSet", namespace, owner?.name ?? "");
    return jobSet?.metadata.uid === owner?.uid && jobSet !== undefined && isActive(jobSet)
      ? `the quota of ${keyOf(jobSet)} is free, and it has active Jobs`
      : undefined;
  },
};

export const runningJobSetsHaveQuota: RestOracle = {
  name: "runningJobSetsHaveQuota",
  sentence: "At rest a JobSet that is queued and not suspended has ended, or quota.",
  onRest: (objects) => {
    const workloads = objects.ofKind<Workload>("Workload");
    if (workloads.length === 0) return undefined;
    for (const jobSet of runningJobSets(objects)) {
      if ((labelOf(jobSet, QUEUE_NAME_KEY) ?? "") === "") continue;
      if (!workloadsOf(jobSet, workloads).some(isAdmitted))
        return `${keyOf(jobSet)} runs, and has no quota`;
    }
    return undefined;
  },
};

export const runningJobsFollowTheirTemplate: RestOracle = {
  name: "runningJobsFollowTheirTemplate",
  sentence:
    "At rest the Jobs that run send their Pods where the JobSet's templates say, however often it was resumed, unless it got its quota anew without the controller seeing it suspended.",
  onRest: (objects) => {
    const workloads = objects.ofKind<Workload>("Workload");
    for (const jobSet of runningJobSets(objects)) {
      const queuedAs = workloadsOf(jobSet, workloads);
      const selectors = new Map(
        replicatedJobsOf(jobSet).map(({ name, template }) => [
          name,
          template?.spec?.template?.spec?.nodeSelector ?? {},
        ]),
      );
      for (const job of storedJobsOf(jobSet, objects)) {
        if (jobState(job) !== "active" || isSuspended(job)) continue;
        if (queuedAs.some((workload) => movedUnseen(job, workload))) continue;
        // The node selector of these is made for the Job.
        if (annotationOf(job, NODE_SELECTOR_STRATEGY_KEY) !== undefined) continue;
        const wanted = selectors.get(labelOf(job, REPLICATED_JOB_NAME_KEY) ?? "");
        const own = job.spec.template.spec?.nodeSelector ?? {};
        if (wanted !== undefined && !equal(own, wanted)) {
          return `Job ${job.metadata.name} sends its Pods to ${JSON.stringify(own)}, and is to send them to ${JSON.stringify(wanted)}`;
        }
      }
    }
    return undefined;
  },
};

/** Whether a JobSet has got its quota since its Job runs: it was suspended for it, and its Job was not. */
function movedUnseen({ status }: Job, workload: Workload): boolean {
  const reserved = conditionOf(workload.status?.conditions, "QuotaReserved");
  const reservedAt = parseTime(reserved?.lastTransitionTime) ?? 0;
  return reservedAt > (parseTime(status?.startTime) ?? Number.POSITIVE_INFINITY);
}

function workloadsOf(jobSet: JobSet, workloads: readonly Workload[]): readonly Workload[] {
  return workloads.filter(({ metadata }) =>
    listOf(metadata.ownerReferences).some(({ uid }) => uid === jobSet.metadata.uid),
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
