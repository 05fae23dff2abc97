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
 * The served and stored version.
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
 * A group of Jobs that run as one unit.
 *
 * @see JobSet v1alpha2 `JobSet`
 */
export interface JobSet {
  apiVersion: typeof JOBSET_API_VERSION;
  kind: typeof JOBSET_KIND;
  metadata: ObjectMeta;
  spec: JobSetSpec;
  /** Written only by the controller, through the `status` subresource. */
  status?: JobSetStatus;
}

/** The desired state. Most members are immutable. */
export interface JobSetSpec {
  /** The groups of equal Jobs. Names are unique. The order matters for startup and for indexes. */
  replicatedJobs?: ReplicatedJob[];
  network?: Network;
  /** When the JobSet completes. Absent means that all Jobs of all ReplicatedJobs must succeed. */
  successPolicy?: SuccessPolicy;
  /** What happens when a Job fails. Absent means that the JobSet fails. */
  failurePolicy?: FailurePolicy;
  /** The older way to order startup. `InOrder` excludes `dependsOn`. */
  startupPolicy?: StartupPolicy;
  /** Whether the Jobs are suspended. */
  suspend?: boolean;
  /** The Pod whose address all Pods receive. */
  coordinator?: Coordinator;
  /** The controller of this JobSet. Absent means JobSet's own. Up to 63 bytes, `domain/path`. */
  managedBy?: string;
  /** Seconds after the JobSet has finished until it is deleted. Absent means never, 0 means immediately. */
  ttlSecondsAfterFinished?: number;
  /** PersistentVolumeClaims that the Pods share; at most 50 policies. */
  volumeClaimPolicies?: VolumeClaimPolicy[];
}

/** `replicas` Jobs from one template. */
export interface ReplicatedJob {
  name: string;
  /** ReplicatedJobs of one group share the `job-group-index` numbering. Default: `default`. */
  groupName?: string;
  template: JobTemplateSpec;
  /** The number of Jobs. Default: 1. May be 0. */
  replicas?: number;
  /** The conditions for creating the Jobs of this ReplicatedJob. At most 5. */
  dependsOn?: DependsOn[];
}

/** A condition on another ReplicatedJob. */
export interface DependsOn {
  /** An earlier ReplicatedJob in the list. */
  name: string;
  status: DependsOnStatus;
}

/** `Ready`: every Job is ready or finished. `Complete`: every Job has succeeded. */
export type DependsOnStatus = "Ready" | "Complete";

/** How Pods find each other. */
export interface Network {
  /** Whether each Pod gets a hostname in a headless Service. Default: true. */
  enableDNSHostnames?: boolean;
  /** The name of the Service. Default: the JobSet's name. */
  subdomain?: string;
  /** Whether the name of a Pod resolves before it is ready. Default: true. */
  publishNotReadyAddresses?: boolean;
}

/** When a JobSet completes. */
export interface SuccessPolicy {
  /** Whether `All` target Jobs must succeed, or `Any` one of them. */
  operator: Operator;
  /** The ReplicatedJobs that count. Absent or empty means all. */
  targetReplicatedJobs?: string[];
}

/** `All`: each target Job succeeds. `Any`: one of them does. */
type Operator = "All" | "Any";

/** What happens when a Job fails. */
export interface FailurePolicy {
  /** The maximum number of restarts that count. Default: 0. */
  maxRestarts?: number;
  restartStrategy?: RestartStrategy;
  /** The first rule that matches a failed Job decides. Without a match: `RestartJobSet`. */
  rules?: FailurePolicyRule[];
}

/**
 * `Recreate`: each Job is recreated as soon as its predecessor is gone. `BlockingRecreate`: no Job is
 * recreated before all predecessors are gone. `InPlaceRestart`: the Pods remain, and their containers restart
 * (gate `InPlaceRestart`).
 */
export type RestartStrategy = "Recreate" | "BlockingRecreate" | "InPlaceRestart";

/** One rule of a failure policy. All its conditions must match. */
export interface FailurePolicyRule {
  /** Unique among the rules. Becomes part of a condition's reason. Default: `failurePolicyRule<index>`. */
  name?: string;
  action: FailurePolicyAction;
  /** Reasons of the Job's `Failed` condition. Absent or empty means any. */
  onJobFailureReasons?: string[];
  /** RE2 patterns that are searched in the message of the Job's `Failed` condition. Absent or empty means any. */
  onJobFailureMessagePatterns?: string[];
  /** The ReplicatedJobs to which the rule applies. Absent or empty means all. */
  targetReplicatedJobs?: string[];
}

/**
 * `FailJobSet` fails the JobSet permanently. `RestartJobSet` recreates all its Jobs, `RestartJob` only the failed one.
 * The variants `…AndIgnoreMaxRestarts` do not count the restart towards `maxRestarts`.
 */
export type FailurePolicyAction =
  | "FailJobSet"
  | "RestartJobSet"
  | "RestartJobSetAndIgnoreMaxRestarts"
  /** Requires the gate `RestartJob`. */
  | "RestartJob"
  /** Requires the gate `RestartJob`. */
  | "RestartJobAndIgnoreMaxRestarts";

/** The order in which ReplicatedJobs start. */
export interface StartupPolicy {
  /** `InOrder`: a ReplicatedJob starts once the one before it is ready. */
  startupPolicyOrder: StartupPolicyOrder;
}

/** `AnyOrder`: all at once. `InOrder`: one after the other, in list order. */
export type StartupPolicyOrder = "AnyOrder" | "InOrder";

/** The Pod that all other Pods contact. */
export interface Coordinator {
  /** The ReplicatedJob of the Pod. */
  replicatedJob: string;
  /** The index of its Job. Default: 0. */
  jobIndex?: number;
  /** The completion index of the Pod in its Indexed Job. Default: 0. */
  podIndex?: number;
}

/** PersistentVolumeClaims that the controller creates once per JobSet. */
export interface VolumeClaimPolicy {
  /** Mounted by every container with a volume mount of the template's name. At most 50. */
  templates?: PersistentVolumeClaimTemplate[];
  retentionPolicy?: VolumeRetentionPolicy;
}

/** Whether the claims are retained or deleted with the JobSet. */
interface VolumeRetentionPolicy {
  /** Whether the claims are deleted with the JobSet. Default: `Delete`. */
  whenDeleted?: RetentionPolicyType;
}

/** `Delete`: the JobSet owns the claims. `Retain`: they remain. */
type RetentionPolicyType = "Delete" | "Retain";

/** The state of a JobSet as its controller reports it. */
export interface JobSetStatus {
  conditions?: Condition[];
  /** The number of restarts of the whole JobSet, which is the current restart attempt of its Jobs. */
  restarts: number;
  /** The number of restarts that count towards `maxRestarts`. At most `restarts`. */
  restartsCountTowardsMax?: number;
  /** Set with the condition of that name. Absent while the JobSet is unfinished. */
  terminalState?: TerminalState;
  /** One entry for each ReplicatedJob, sorted by name descending. */
  replicatedJobsStatus?: ReplicatedJobStatus[];
  /** In-place restart: the attempt that all Pods have left. Absent until it is first set. */
  previousInPlaceRestartAttempt?: number;
  /** In-place restart: the attempt that all Pods have to reach. Absent until it is first set. */
  currentInPlaceRestartAttempt?: number;
  /**
   * The number of execution attempts: it increases with each global restart and each resume (gate
   * `ExecutionAttemptsTracking`). Not in a released controller yet.
   *
   * @see KEP-1282
   */
  executionAttempts?: number;
}

/** The final state of a JobSet. */
export type TerminalState = "Completed" | "Failed";

/** The number of Jobs of a ReplicatedJob in each state, in the current restart attempt. */
export interface ReplicatedJobStatus {
  name: string;
  /** Active Jobs with enough ready and succeeded Pods. */
  ready: number;
  succeeded: number;
  failed: number;
  /** Active Jobs with at least one active Pod. */
  active: number;
  /** Active Jobs that are suspended. */
  suspended: number;
  /** The restarts of individual Jobs by job index. Absent if there were none (gate `RestartJob`). */
  jobRestarts?: number[];
  /** The restarts of individual Jobs that count towards `maxRestarts`, by job index (gate `RestartJob`). */
  jobRestartsCountTowardsMax?: number[];
}
