import type { Unvalidated } from "@jobset-ts/api";
import type { LabelSelector } from "@jobset-ts/api/kubernetes";

/** The part of Kueue's configuration that affects JobSets. */
export interface KueueConfig {
  /** The enabled integrations, such as `jobset.x-k8s.io/jobset` and `batch/job`. */
  readonly enabledFrameworks?: readonly string[];
  /** Kinds that an external controller manages, such as `StatefulSet.v1.apps`. */
  readonly externalFrameworks?: readonly string[];
  /** Whether Kueue also manages JobSets without a queue. */
  readonly manageJobsWithoutQueueName?: boolean;
  /** Selects the namespaces in which Kueue manages JobSets. Absent means all. */
  readonly managedJobsNamespaceSelector?: Unvalidated<LabelSelector>;
  /** Whether Kueue maintains the condition `PodsReady`. */
  readonly waitForPodsReady?: boolean;
  /** Labels that a Workload copies from its JobSet. */
  readonly labelKeysToCopy?: readonly string[];
  /** Annotations that a Workload copies from its JobSet (gate `CustomMetricLabels`). */
  readonly annotationsToCopy?: readonly string[];
}
