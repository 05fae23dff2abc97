import { getReplicas, type ReplicatedJob, type Unvalidated } from "@jobset-ts/api";
import { asInteger } from "@jobset-ts/api/kubernetes";

/**
 * Returns the maximum number of concurrent Pods in one child Job: the smaller of parallelism and completions. Absent
 * parallelism is 1. Absent completions equal the parallelism. 0 is a valid count.
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
 * Returns the number of Pods for which a ReplicatedJob needs quota, over all replicas.
 *
 * Multiplies int32 as Go does. The product overflows only in a JobSet that JobSet's webhook denies, or with a negative
 * parallelism or completions, which no webhook denies.
 *
 * @example podCount({ replicas: 3, template: { spec: { parallelism: 2, completions: 3 } } }) // => 6
 */
export function podCount(replicatedJob: Unvalidated<ReplicatedJob>): number {
  return Math.imul(getReplicas(replicatedJob), podsPerReplica(replicatedJob));
}
