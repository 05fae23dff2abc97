/** A queueing system: JobSets with the label `kueue.x-k8s.io/queue-name` wait until there is quota for all their Pods. */
export interface QueueConfig {
  /** Kinds of nodes; the first one with enough left is taken. */
  readonly flavors: readonly Flavor[];
  /** When there is none of a flavor. */
  readonly evictions: readonly Eviction[];
}

interface Flavor {
  readonly name: string;
  /** What the Pods that are admitted to it are sent to. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Quantities by resource; of what is not named there is none. */
  readonly quota: Readonly<Record<string, string>>;
}

/** A time without quota of a flavor: JobSets that use it are evicted. Milliseconds since the start of the run. */
interface Eviction {
  readonly flavor: string;
  readonly from: number;
  readonly until: number;
}
