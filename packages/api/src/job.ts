import type { ConditionStatus } from "./condition.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { PodTemplateSpec } from "./pod.ts";
import type { Open } from "./unvalidated.ts";

/**
 * A Job: Pods that run to completion.
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

/** The template of a ReplicatedJob's Jobs. */
export interface JobTemplateSpec {
  /** Only labels and annotations are copied to the Jobs. */
  metadata?: ObjectMeta;
  spec: JobSpec;
}

/** The Pods that a Job runs, and when it is complete. */
export interface JobSpec extends Open {
  /** The maximum number of concurrent Pods. */
  parallelism?: number;
  /** The number of Pods that must succeed. Absent means that the first success completes the Job. */
  completions?: number;
  /** `Indexed` gives each Pod an index from 0 to `completions` − 1. */
  completionMode?: "Indexed" | "NonIndexed";
  activeDeadlineSeconds?: number;
  /** The number of retries for failed Pods before the Job fails. */
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  /** Whether the Job is suspended and has no Pods. */
  suspend?: boolean;
  selector?: LabelSelector;
  manualSelector?: boolean;
  /** When a Pod is replaced: as soon as it is `TerminatingOrFailed`, or only when it has `Failed`. */
  podReplacementPolicy?: "TerminatingOrFailed" | "Failed";
  ttlSecondsAfterFinished?: number;
  managedBy?: string;
  template: PodTemplateSpec;
}

/** The state of a Job as the Job controller reports it. */
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
  /** `Complete`, `Failed`, `FailureTarget`, `SuccessCriteriaMet`, `Suspended`, or a newer type. */
  type: string;
  status: ConditionStatus;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
