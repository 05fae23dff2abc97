import { getReplicas, type ReplicatedJob, type Unvalidated } from "@jobset-ts/api";
import { asInteger } from "@jobset-ts/api/kubernetes";

/**
 * How many Pods of one child Job run at a time, at most: its parallelism, or its completions where these are fewer. Absent
 * parallelism is 1, absent completions are the parallelism. 0 is a count like any other.
 *
 * @example podsPerReplica({ template: { spec: { parallelism: 4, completions: 8 } } }) // => 4
 * @example podsPerReplica({}) // => 1
 */
export function podsPerReplica(replicatedJob: Unvalidated<ReplicatedJob>): number {
  const spec = replicatedJob?.template?.spec;
  const parallelism = asInteger(spec?.parallelism, 1);
  return Math.min(parallelism, asInteger(spec?.completions, parallelism));
}

/**
 * For how many Pods a ReplicatedJob needs quota: those of all its replicas.
 *
 * Multiplies as Go multiplies int32. The product wraps only in a JobSet that JobSet's webhook denies, or with a negative
 * parallelism or completions, which nothing denies.
 *
 * @example podCount({ replicas: 3, template: { spec: { parallelism: 2, completions: 3 } } }) // => 6
 */
export function podCount(replicatedJob: Unvalidated<ReplicatedJob>): number {
  return Math.imul(getReplicas(replicatedJob), podsPerReplica(replicatedJob));
}
