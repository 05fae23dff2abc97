// The conditions of a JobSet and their Events, exactly as the controller writes them.

/** The JobSet has completed successfully. Final. */
export const CONDITION_COMPLETED = "Completed";
/** The JobSet has failed permanently. Final. */
export const CONDITION_FAILED = "Failed";
/** The JobSet's Jobs are suspended. */
export const CONDITION_SUSPENDED = "Suspended";
/** Jobs of an earlier restart attempt are being replaced. */
export const CONDITION_RESTARTING = "RestartingJobSet";
/** The ReplicatedJobs are starting in order. Never True together with {@link CONDITION_STARTUP_COMPLETED}. */
export const CONDITION_STARTUP_IN_PROGRESS = "StartupPolicyInProgress";
/** The last ReplicatedJob in order has started. */
export const CONDITION_STARTUP_COMPLETED = "StartupPolicyCompleted";

/** The type of a condition that JobSet's controller writes. */
export type JobSetConditionType =
  | typeof CONDITION_COMPLETED
  | typeof CONDITION_FAILED
  | typeof CONDITION_SUSPENDED
  | typeof CONDITION_RESTARTING
  | typeof CONDITION_STARTUP_IN_PROGRESS
  | typeof CONDITION_STARTUP_COMPLETED;

/** Condition of a Pod that placement repair is about to delete. */
export const POD_CONDITION_DISRUPTION_TARGET = "DisruptionTarget";

/** Reasons of the conditions and Events of the JobSet controller, exactly as it writes them. */
export const jobSetReasons = {
  /** Reason of `Completed`. */
  AllJobsCompleted: "AllJobsCompleted",
  /** Reason of the False `RestartingJobSet` after completion. */
  JobSetCompleted: "JobSetCompleted",
  /** Reason of `Failed`: a Job failed and the JobSet has no failure policy. */
  FailedJobs: "FailedJobs",
  /** Reason of `Failed`: a Job failed and the restart limit is reached. */
  ReachedMaxRestarts: "ReachedMaxRestarts",
  /** Reason of `Failed` and of its Event: a rule of the failure policy fails the JobSet. */
  FailJobSetAction: "FailJobSetFailurePolicyAction",
  /** Reason of the False `RestartingJobSet` after a failure. */
  JobSetFailed: "JobSetFailed",
  /** Reason of the True `Suspended`. */
  SuspendedJobs: "SuspendedJobs",
  /** Reason of the False `Suspended`. */
  ResumeJobs: "ResumeJobs",
  /** Reason of the False `RestartingJobSet` after a suspension. */
  JobSetSuspended: "JobSetSuspended",
  /** Reason of the True `RestartingJobSet` when no rule of the failure policy matched. */
  DefaultFailurePolicy: "DefaultFailurePolicy",
  /** Prefix of the reason of the True `RestartingJobSet` if a rule matched. The rule's name follows. */
  FailurePolicyRulePrefix: "FailurePolicy_",
  /** Reason of the False `RestartingJobSet` after a completed restart. */
  JobsReady: "JobsReady",
  /** Reason of `StartupPolicyInProgress`. */
  StartupInProgress: "InOrderStartupPolicyInProgress",
  /** Reason of `StartupPolicyCompleted`. */
  StartupCompleted: "InOrderStartupPolicyCompleted",
  /** Reason of the Event of the action `RestartJobSet`. */
  RestartJobSetAction: "RestartJobSetFailurePolicyAction",
  /** Reason of the Event of the action `RestartJobSetAndIgnoreMaxRestarts`. */
  RestartJobSetIgnoreAction: "RestartJobSetAndIgnoreMaxRestartsFailurePolicyAction",
  /** Reason of the Event of the action `RestartJob`. */
  RestartJobAction: "RestartJobFailurePolicyAction",
  /** Reason of the Event of the action `RestartJobAndIgnoreMaxRestarts`. */
  RestartJobIgnoreAction: "RestartJobAndIgnoreMaxRestartsFailurePolicyAction",
  /** Reason of the Event for a Job that could not be created. The message is the API server's error. */
  JobCreationFailed: "JobCreationFailed",
  /** Reason of the Event for a Job that could not be suspended, resumed or scaled. Only jobset-ts emits it. */
  JobUpdateFailed: "JobUpdateFailed",
  /** Reason of the Event for a Job that could not be deleted. Only jobset-ts emits it. */
  JobDeletionFailed: "JobDeletionFailed",
  /**
   * Reason of the Event for a Job that could not be resumed with other resources. The message contains the API server's
   * error.
   */
  ResourcePropagationFailed: "FailedResourcePropagation",
  /** Reason of the Event for a headless Service that could not be created. The message is the API server's error. */
  ServiceCreationFailed: "HeadlessServiceCreationFailed",
  /**
   * Reason of the Event for a Service with the subdomain's name that selects the Pods of another JobSet. Only jobset-ts
   * emits it.
   */
  ServiceConflict: "HeadlessServiceConflict",
  /** Reason of the Event for a PVC that could not be created. The message is the API server's error. */
  ClaimCreationFailed: "PVCCreationFailed",
  /** Reason of `DisruptionTarget`: placement repair is about to delete the Pod. */
  ExclusivePlacementViolation: "ExclusivePlacementViolation",
} as const;

/** Messages of the conditions and Events of the JobSet controller, exactly as it writes them. */
export const jobSetMessages = {
  /** Message of `jobSetReasons.AllJobsCompleted` and `jobSetReasons.JobSetCompleted`. */
  Completed: "jobset completed successfully",
  /** Message of `jobSetReasons.FailedJobs`, followed by the first failed Job. */
  FailedJobs: "jobset failed due to one or more job failures",
  /** Message of `jobSetReasons.ReachedMaxRestarts`, followed by the first failed Job, if there is one. */
  ReachedMaxRestarts: "jobset failed due to reaching max number of restarts",
  /** Message of `jobSetReasons.FailJobSetAction`, followed by the first failed Job. */
  FailJobSetAction: "applying FailJobSet failure policy action",
  /** Message of `jobSetReasons.JobSetFailed`. */
  JobSetFailed: "jobset failed",
  /** Message of `jobSetReasons.SuspendedJobs` and `jobSetReasons.JobSetSuspended`. */
  Suspended: "jobset is suspended",
  /** Message of `jobSetReasons.ResumeJobs`. */
  Resumed: "jobset is resumed",
  /** Message of `jobSetReasons.JobsReady`. */
  JobsReady: "all jobs are ready",
  /** Message of `jobSetReasons.StartupInProgress`. */
  StartupInProgress: "in order startup policy is in progress",
  /** Message of `jobSetReasons.StartupCompleted`. */
  StartupCompleted: "in order startup policy has completed",
  /** Message of the action `RestartJobSet`, in the Event and in `RestartingJobSet`; the first failed Job follows. */
  RestartJobSetAction: "applying RestartJobSet failure policy action",
  /** Message of the action `RestartJobSetAndIgnoreMaxRestarts`, in both; the first failed Job follows. */
  RestartJobSetIgnoreAction: "applying RestartJobSetAndIgnoreMaxRestarts failure policy action",
  /** Message of the Event of the action `RestartJob`; the first failed Job follows. */
  RestartJobAction: "applying RestartJob failure policy action",
  /** Message of the Event of the action `RestartJobAndIgnoreMaxRestarts`; the first failed Job follows. */
  RestartJobIgnoreAction: "applying RestartJobAndIgnoreMaxRestarts failure policy action",
  /** Message of `jobSetReasons.ExclusivePlacementViolation`. */
  ExclusivePlacementViolation: "Pod violated JobSet exclusive placement policy",
} as const;

/** Condition of a Job that has succeeded. */
export const JOB_CONDITION_COMPLETE = "Complete";
/** Condition of a Job that has failed. */
export const JOB_CONDITION_FAILED = "Failed";

/** Reasons of a Job's `Failed` condition that a failure policy rule may use. */
export const jobFailureReasons = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
  "PodFailurePolicy",
] as const;

/**
 * Returns a message about a failure, followed by the Job that caused it: the one that failed first.
 *
 * @example withFirstFailedJob("jobset failed", "train-workers-0") // => "jobset failed (first failed job: train-workers-0)"
 */
export function withFirstFailedJob(message: string, jobName: string): string {
  return `${message} (first failed job: ${jobName})`;
}
