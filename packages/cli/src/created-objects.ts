import type {
  Features,
  Job,
  JobSet,
  Observed,
  PersistentVolumeClaim,
  Service,
} from "@jobset-ts/api";
import {
  desiredService,
  desiredVolumeClaims,
  type IndexedReplicatedJob,
  jobConstructors,
  MAX_DESIRED_JOBS,
} from "@jobset-ts/core";

/** What the control plane creates for a JobSet. */
export type CreatedObject = Service | PersistentVolumeClaim | Job;

/** One of them, and which Job of which ReplicatedJob it is. */
export interface Created {
  readonly object: CreatedObject;
  readonly replicatedJob?: string;
  readonly jobIndex?: number;
}

/**
 * The objects that the control plane creates for a new JobSet: the headless Service, the volume claims, and the Jobs
 * in spec order, then by index. Jobs that wait for others are among them.
 *
 * Lazy: ten thousand Jobs need not be in memory at once.
 */
export function* createdObjects(
  jobSet: Observed<JobSet>,
  features: Features,
): Generator<Created, void, undefined> {
  const service = desiredService(jobSet);
  if (service !== undefined) yield { object: service };
  for (const object of desiredVolumeClaims(jobSet)) yield { object };
  for (const { name, replicas, jobAt } of jobConstructors(jobSet, { features })) {
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) {
      yield { object: jobAt(jobIndex), replicatedJob: name, jobIndex };
    }
  }
}

/** Where a JobSet asks for more Jobs than are rendered: the first ReplicatedJob that exceeds the limit. */
export function firstExcess(
  replicatedJobs: readonly IndexedReplicatedJob[],
): { readonly index: number; readonly jobCount: number } | undefined {
  const index = replicatedJobs.findIndex(
    ({ firstGlobalIndex, replicas }) => firstGlobalIndex + replicas > MAX_DESIRED_JOBS,
  );
  const first = replicatedJobs[index];
  return first && { index, jobCount: first.globalReplicas };
}
