import type { Unvalidated } from "@jobset-ts/api";
import type { LabelSelector } from "@jobset-ts/api/kubernetes";

/** How Kueue is configured, as far as it matters to a JobSet. */
export interface KueueConfig {
  /** The integrations that are on, like `jobset.x-k8s.io/jobset` and `batch/job`. */
  readonly enabledFrameworks?: readonly string[];
  /** Kinds that are managed elsewhere, like `StatefulSet.v1.apps`. */
  readonly externalFrameworks?: readonly string[];
  /** Whether JobSets without a queue are managed as well. */
  readonly manageJobsWithoutQueueName?: boolean;
  /** The namespaces whose JobSets are managed; absent means all. */
  readonly managedJobsNamespaceSelector?: Unvalidated<LabelSelector>;
  /** Whether the condition `PodsReady` is kept. */
  readonly waitForPodsReady?: boolean;
  /** Labels that a Workload takes over from its JobSet. */
  readonly labelKeysToCopy?: readonly string[];
  /** Annotations that a Workload takes over from its JobSet (gate `CustomMetricLabels`). */
  readonly annotationsToCopy?: readonly string[];
}
