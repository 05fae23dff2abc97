import type { Condition } from "./condition.ts";
import type { JobTemplateSpec } from "./job.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { PersistentVolumeClaimTemplate } from "./persistent-volume-claim.ts";

/**
 * JobSet's API group.
 *
 * @example JOBSET_GROUP // => "jobset.x-k8s.io"
 */
export const JOBSET_GROUP = "jobset.x-k8s.io";
/**
 * The one served and stored version.
 *
 * @example `${JOBSET_GROUP}/${JOBSET_VERSION}` // => JOBSET_API_VERSION
 */
export const JOBSET_VERSION = "v1alpha2";
/**
 * A JobSet's `apiVersion`.
 *
 * @example JOBSET_API_VERSION // => "jobset.x-k8s.io/v1alpha2"
 */
export const JOBSET_API_VERSION = "jobset.x-k8s.io/v1alpha2";
/**
 * A JobSet's `kind`.
 *
 * @example JOBSET_KIND // => "JobSet"
 */
export const JOBSET_KIND = "JobSet";

/**
 * The value of `spec.managedBy` that names JobSet's own controller.
 *
 * @example JOBSET_CONTROLLER_NAME // => "jobset.sigs.k8s.io/jobset-controller"
 */
export const JOBSET_CONTROLLER_NAME = "jobset.sigs.k8s.io/jobset-controller";

/**
 * Many Jobs run as one unit.
 *
 * @see JobSet v1alpha2 `JobSet`
 */
export interface JobSet {
  apiVersion: typeof JOBSET_API_VERSION;
  kind: typeof JOBSET_KIND;
  metadata: ObjectMeta;
  spec: JobSetSpec;
  /** Written by the controller through the `status` subresource only. */
  status?: JobSetStatus;
}

/** What the user asks for. Most members cannot be changed once the JobSet exists. */
export interface JobSetSpec {
  /** The groups of equal Jobs; names are unique, and the order matters to startup and to indexes. */
  replicatedJobs?: ReplicatedJob[];
  network?: Network;
  /** When the JobSet counts as completed; absent means all Jobs of all ReplicatedJobs. */
  successPolicy?: SuccessPolicy;
  /** What a failed Job leads to; absent means that the JobSet fails. */
  failurePolicy?: FailurePolicy;
  /** The older way to order startup; excludes `dependsOn` when it is `InOrder`. */
  startupPolicy?: StartupPolicy;
  /** Whether the Jobs are to be suspended. */
  suspend?: boolean;
  /** The Pod whose address all Pods receive. */
  coordinator?: Coordinator;
  /** The controller that runs this JobSet; absent means JobSet's own. Up to 63 bytes, `domain/path`. */
  managedBy?: string;
  /** Seconds after the end until the JobSet is deleted; absent means never, 0 at once. */
  ttlSecondsAfterFinished?: number;
  /** PersistentVolumeClaims that the Pods share; at most 50 policies. */
  volumeClaimPolicies?: VolumeClaimPolicy[];
}

/** `replicas` Jobs made from one template. */
export interface ReplicatedJob {
  name: string;
  /** ReplicatedJobs of one group share the `job-group-index` numbering; default `default`. */
  groupName?: string;
  template: JobTemplateSpec;
  /** How many Jobs; default 1, and 0 is allowed. */
  replicas?: number;
  /** What has to be reached before Jobs of this ReplicatedJob are created; at most 5. */
  dependsOn?: DependsOn[];
}

/** How far another ReplicatedJob must have come. */
export interface DependsOn {
  /** A ReplicatedJob earlier in the list. */
  name: string;
  status: DependsOnStatus;
}

/** `Ready`: every Job is ready or has ended. `Complete`: every Job has succeeded. */
export type DependsOnStatus = "Ready" | "Complete";

/** How Pods find each other. */
export interface Network {
  /** Whether each Pod gets a hostname in a headless Service. Default: true. */
  enableDNSHostnames?: boolean;
  /** The Service's name; default is the JobSet's. */
  subdomain?: string;
  /** Whether a Pod resolves before it is ready; default true. */
  publishNotReadyAddresses?: boolean;
}

/** When a JobSet counts as completed. */
export interface SuccessPolicy {
  /** Whether `All` target Jobs must succeed, or `Any` one of them. */
  operator: Operator;
  /** The ReplicatedJobs that count; absent or empty means all of them. */
  targetReplicatedJobs?: string[];
}

/** `All`: each target Job succeeds. `Any`: one of them does. */
type Operator = "All" | "Any";

/** What a failed Job leads to. */
export interface FailurePolicy {
  /** How many restarts that count are allowed; default 0. */
  maxRestarts?: number;
  restartStrategy?: RestartStrategy;
  /** The first rule that matches a failed Job decides; none: `RestartJobSet`. */
  rules?: FailurePolicyRule[];
}

/**
 * `Recreate`: each Job returns as soon as its predecessor is gone. `BlockingRecreate`: none before all are.
 * `InPlaceRestart`: the Pods stay and their containers restart (gate `InPlaceRestart`).
 */
export type RestartStrategy = "Recreate" | "BlockingRecreate" | "InPlaceRestart";

/** One rule of a failure policy; all its conditions must hold. */
export interface FailurePolicyRule {
  /** Unique among the rules; becomes part of a condition's reason. Default `failurePolicyRule<index>`. */
  name?: string;
  action: FailurePolicyAction;
  /** Reasons of the Job's `Failed` condition; absent or empty means any. */
  onJobFailureReasons?: string[];
  /** RE2 patterns searched in the message of the Job's `Failed` condition; absent or empty means any. */
  onJobFailureMessagePatterns?: string[];
  /** The ReplicatedJobs the rule speaks of; absent or empty means all of them. */
  targetReplicatedJobs?: string[];
}

/**
 * `FailJobSet` fails the JobSet for good. `RestartJobSet` recreates all its Jobs, `RestartJob` only the failed one. The
 * variants `…AndIgnoreMaxRestarts` do not count the restart towards `maxRestarts`.
 */
export type FailurePolicyAction =
  | "FailJobSet"
  | "RestartJobSet"
  | "RestartJobSetAndIgnoreMaxRestarts"
  /** Gate `RestartJob`. */
  | "RestartJob"
  /** Gate `RestartJob`. */
  | "RestartJobAndIgnoreMaxRestarts";

/** In which order the ReplicatedJobs start. */
export interface StartupPolicy {
  /** `InOrder`: the next one starts once the one before is ready. */
  startupPolicyOrder: StartupPolicyOrder;
}

/** `AnyOrder`: all at once. `InOrder`: one after the other, in the order of the list. */
export type StartupPolicyOrder = "AnyOrder" | "InOrder";

/** The Pod that the others are to contact. */
export interface Coordinator {
  /** The ReplicatedJob that holds the Pod. */
  replicatedJob: string;
  /** Which of its Jobs, from 0; default 0. */
  jobIndex?: number;
  /** Which Pod of the Indexed Job, from 0; default 0. */
  podIndex?: number;
}

/** PersistentVolumeClaims that the controller creates once per JobSet. */
export interface VolumeClaimPolicy {
  /** Mounted by every container with a volume mount of the template's name; at most 50. */
  templates?: PersistentVolumeClaimTemplate[];
  retentionPolicy?: VolumeRetentionPolicy;
}

/** Whether the claims are kept or deleted with the JobSet. */
interface VolumeRetentionPolicy {
  /** Whether they go with the JobSet; default `Delete`. */
  whenDeleted?: RetentionPolicyType;
}

/** `Delete`: the claims belong to the JobSet. `Retain`: they stay. */
type RetentionPolicyType = "Delete" | "Retain";

/** What the controller last saw and decided. */
export interface JobSetStatus {
  conditions?: Condition[];
  /** How often the whole JobSet was restarted; the current restart attempt of its Jobs. */
  restarts: number;
  /** The restarts that count towards `maxRestarts`; never more than `restarts`. */
  restartsCountTowardsMax?: number;
  /** Set with the condition of that name; absent while the JobSet is unfinished. */
  terminalState?: TerminalState;
  /** One entry a ReplicatedJob, sorted by name descending. */
  replicatedJobsStatus?: ReplicatedJobStatus[];
  /** In-place restart: the attempt that all Pods have left; absent until first set. */
  previousInPlaceRestartAttempt?: number;
  /** In-place restart: the attempt that all Pods are to reach; absent until first set. */
  currentInPlaceRestartAttempt?: number;
  /**
   * How often the JobSet ran: it rises with each global restart and each resume (gate `ExecutionAttemptsTracking`).
   * Not in a released controller yet.
   *
   * @see KEP-1282
   */
  executionAttempts?: number;
}

/** How a JobSet has ended. */
export type TerminalState = "Completed" | "Failed";

/** How many Jobs of a ReplicatedJob are in which state, in the current restart attempt. */
export interface ReplicatedJobStatus {
  name: string;
  /** Active Jobs whose ready and succeeded Pods suffice. */
  ready: number;
  succeeded: number;
  failed: number;
  /** Active Jobs with at least one active Pod. */
  active: number;
  /** Active Jobs that are suspended. */
  suspended: number;
  /** Restarts of single Jobs by job index; absent when there never was one (gate `RestartJob`). */
  jobRestarts?: number[];
  /** Those that count towards `maxRestarts`, by job index (gate `RestartJob`). */
  jobRestartsCountTowardsMax?: number[];
}
