import { getReplicas, getReplicatedJobs, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_COMPLETED, CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asInteger, asString, findCondition, getName } from "@jobset-ts/api/kubernetes";
import { toInt32 } from "@jobset-ts/api/typed";
import { isConditionTrue } from "../objects/conditions.ts";
import { listObjects } from "../objects/members.ts";

/**
 * Reports whether Pods of a JobSet run according to its status, which may be out of date.
 *
 * @example isActive({ status: { replicatedJobsStatus: [{ name: "w", active: 1 }] } }) // => true
 */
export function isActive(jobSet: Unvalidated<JobSet> | undefined): boolean {
  return listObjects(jobSet?.status?.replicatedJobsStatus).some(
    ({ active }) => asInteger(active, 0) > 0,
  );
}

/** Whether and how a JobSet has finished. */
export interface FinishedResult {
  readonly finished: boolean;
  readonly success: boolean;
  /** The message of the deciding condition. Empty if the JobSet has not finished. */
  readonly message: string;
}

/**
 * Reports whether and how a JobSet has finished. Only the first condition of each type counts, and `Completed` precedes
 * `Failed`.
 *
 * @example findFinished({ status: { conditions: [{ type: "Failed", status: "True", message: "no" }] } }) // => { finished: true, success: false, message: "no" }
 */
export function findFinished(jobSet: Unvalidated<JobSet> | undefined): FinishedResult {
  const conditions = jobSet?.status?.conditions;
  for (const type of [CONDITION_COMPLETED, CONDITION_FAILED]) {
    if (!isConditionTrue(conditions, type)) continue;
    const message = asString(findCondition(conditions, type)?.message);
    return { finished: true, success: type === CONDITION_COMPLETED, message };
  }
  return { finished: false, success: false, message: "" };
}

/**
 * Reports whether as many Jobs are ready or succeeded as the spec requires, summed over all ReplicatedJobs.
 *
 * @example
 * const spec = { replicatedJobs: [{ name: "w", replicas: 2 }] };
 * podsReady({ spec, status: { replicatedJobsStatus: [{ name: "w", ready: 1, succeeded: 1 }] } }) // => true
 */
export function podsReady(jobSet: Unvalidated<JobSet> | undefined): boolean {
  const desired = sum(getReplicatedJobs(jobSet ?? {}).map(getReplicas));
  const statuses = listObjects(jobSet?.status?.replicatedJobsStatus);
  return (
    desired ===
    sum(statuses.map(({ ready, succeeded }) => asInteger(ready, 0) + asInteger(succeeded, 0)))
  );
}

/** Adds int32 as Go does. */
function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => toInt32(total + count), 0);
}

/**
 * Returns the label selector for all Pods of a JobSet.
 *
 * @example podLabelSelector({ metadata: { name: "train" } }) // => "jobset.sigs.k8s.io/jobset-name=train"
 */
export function podLabelSelector(jobSet: Unvalidated<JobSet>): string {
  return `${JOBSET_NAME_KEY}=${getName(jobSet)}`;
}
