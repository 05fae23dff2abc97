/**
 * A queueing system: JobSets with the label `kueue.x-k8s.io/queue-name` wait until there is quota for all their Pods.
 */
export interface QueueConfig {
  /** Kinds of nodes. The first one with enough quota is used. */
  readonly flavors: readonly Flavor[];
  /** The time spans without quota of a flavor. */
  readonly evictions: readonly Eviction[];
}

interface Flavor {
  readonly name: string;
  /** The node selector of the admitted Pods. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Quantities by resource. Other resources have no quota. */
  readonly quota: Readonly<Record<string, string>>;
}

/**
 * A time span without quota of a flavor, in milliseconds since the start of the run. JobSets that use the flavor are
 * evicted.
 */
interface Eviction {
  readonly flavor: string;
  readonly from: number;
  readonly until: number;
}
