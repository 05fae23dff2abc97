import type { ConditionStatus } from "./condition.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./observed.ts";
import type { PodTemplateSpec } from "./pod.ts";

/**
 * Pods run to completion.
 *
 * @see Kubernetes `batch/v1` `Job`
 */
export interface Job {
  apiVersion: "batch/v1";
  kind: "Job";
  metadata: ObjectMeta;
  spec: JobSpec;
  status?: JobStatus;
}

/** The Job that a ReplicatedJob repeats. */
export interface JobTemplateSpec {
  /** Only labels and annotations reach the Jobs. */
  metadata?: ObjectMeta;
  spec: JobSpec;
}

/** What a Job runs, and when it counts as done. */
export interface JobSpec extends Open {
  /** How many Pods run at a time. */
  parallelism?: number;
  /** How many Pods must succeed; absent means that any one success ends the Job. */
  completions?: number;
  /** `Indexed` gives each Pod an index from 0 to `completions` − 1. */
  completionMode?: "Indexed" | "NonIndexed";
  activeDeadlineSeconds?: number;
  /** How many Pod failures are retried before the Job fails. */
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  /** Whether the Job is to have no Pods. */
  suspend?: boolean;
  selector?: LabelSelector;
  manualSelector?: boolean;
  /** When a Pod is replaced: once it is `TerminatingOrFailed`, or only when it has `Failed`. */
  podReplacementPolicy?: "TerminatingOrFailed" | "Failed";
  ttlSecondsAfterFinished?: number;
  managedBy?: string;
  template: PodTemplateSpec;
}

/**
 * The members of a Pod template that may change while its Job is suspended, each by its path from the template: what may
 * change in a suspended JobSet, and what a resume hands on to the Jobs.
 *
 * Kubernetes lets the node affinity change as well; JobSet does not.
 *
 * @see KEP-2926, "mutable scheduling directives"
 * @example schedulingDirectives.nodeSelector // => ["spec", "nodeSelector"]
 */
export const schedulingDirectives = {
  labels: ["metadata", "labels"],
  annotations: ["metadata", "annotations"],
  nodeSelector: ["spec", "nodeSelector"],
  tolerations: ["spec", "tolerations"],
  schedulingGates: ["spec", "schedulingGates"],
} as const;

/** What the Job controller last saw. */
export interface JobStatus extends Open {
  conditions?: JobCondition[];
  /** Absent while the Job is suspended. */
  startTime?: string;
  completionTime?: string;
  /** Pods that are neither finished nor being deleted. */
  active?: number;
  ready?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
}

/** One aspect of a Job's state. */
export interface JobCondition extends Open {
  /** `Complete`, `Failed`, `FailureTarget`, `SuccessCriteriaMet`, `Suspended`, or one newer than ours. */
  type: string;
  status: ConditionStatus;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
