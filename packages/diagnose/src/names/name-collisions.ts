import { getSubdomain, type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import {
  desiredVolumeClaims,
  hasDnsHostnames,
  indexedReplicatedJobs,
} from "@jobset-ts/core/desired";

/** The names that several JobSets of a namespace use. */
export type NameCollisions =
  | { readonly outcome: "Known"; readonly collisions: readonly NameCollision[] }
  | { readonly outcome: "Unknown"; readonly message: string };

/**
 * A name that another JobSet of the namespace also uses.
 *
 * - `Job`: only one JobSet gets it, and the other's creation fails in every reconcile
 * - `Service`: the first JobSet keeps it, and the Pods of the other have no addresses
 * - `PersistentVolumeClaim`: both use one volume
 */
export interface NameCollision {
  readonly kind: "Job" | "Service" | "PersistentVolumeClaim";
  /** The first colliding name. */
  readonly name: string;
  /** The number of colliding names. For Jobs, the number that both ReplicatedJobs have. */
  readonly count: number;
  /** The other JobSet. */
  readonly jobSet: string;
}

/** Returns the names that a JobSet shares with others of its namespace, by JobSet in byte order. */
export function nameCollisions(
  jobSet: Unvalidated<JobSet>,
  snapshot: Snapshot | undefined,
): NameCollisions {
  if (snapshot === undefined) {
    return { outcome: "Unknown", message: "objects of kind JobSet were not read" };
  }
  const reading = snapshot.kindStatus("JobSet");
  if (reading.outcome !== "Read") return { outcome: "Unknown", message: reading.message };
  const namespace = getNamespace(jobSet);
  const own = listNames(jobSet);
  const others = snapshot.jobSets.filter(
    (other) => getNamespace(other) === namespace && getName(other) !== getName(jobSet),
  );
  return { outcome: "Known", collisions: others.flatMap((other) => [...findBetween(own, other)]) };
}

interface GeneratedNames {
  /** The number of Jobs by name without the index. */
  readonly jobs: ReadonlyMap<string, number>;
  readonly service: string | undefined;
  readonly claims: ReadonlySet<string>;
}

/**
 * Names with the same index differ only before the last dash, so comparing the part before it is enough. The Jobs
 * need not be listed one by one.
 */
function listNames(jobSet: Unvalidated<JobSet>): GeneratedNames {
  const jobs = new Map<string, number>();
  for (const { name, replicas } of indexedReplicatedJobs(jobSet)) {
    const stem = jobName(getName(jobSet), name, 0).slice(0, -"-0".length);
    jobs.set(stem, Math.max(jobs.get(stem) ?? 0, replicas));
  }
  return {
    jobs,
    service: hasDnsHostnames(jobSet) ? getSubdomain(jobSet) : undefined,
    claims: new Set(desiredVolumeClaims(jobSet).map(getName)),
  };
}

function* findBetween(own: GeneratedNames, jobSet: Unvalidated<JobSet>): Generator<NameCollision> {
  const other = listNames(jobSet);
  const of = { jobSet: getName(jobSet) };
  for (const [stem, replicas] of other.jobs) {
    const count = Math.min(replicas, own.jobs.get(stem) ?? 0);
    if (count > 0) yield { kind: "Job", name: `${stem}-0`, count, ...of };
  }
  if (own.service !== undefined && other.service === own.service) {
    yield { kind: "Service", name: own.service, count: 1, ...of };
  }
  for (const name of other.claims) {
    if (own.claims.has(name)) yield { kind: "PersistentVolumeClaim", name, count: 1, ...of };
  }
}
