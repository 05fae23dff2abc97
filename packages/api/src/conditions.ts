// The conditions of a JobSet and the Events that go with them, to the letter.

/** All that has to succeed has succeeded; the JobSet stays as it is. */
export const CONDITION_COMPLETED = "Completed";
/** The JobSet has failed for good and stays as it is. */
export const CONDITION_FAILED = "Failed";
/** The JobSet's Jobs are suspended. */
export const CONDITION_SUSPENDED = "Suspended";
/** Jobs of an earlier restart attempt are being replaced. */
export const CONDITION_RESTARTING = "RestartingJobSet";
/** The ReplicatedJobs start one after the other. Never True together with {@link CONDITION_STARTUP_COMPLETED}. */
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

/** Reason of `Completed`. */
export const REASON_ALL_JOBS_COMPLETED = "AllJobsCompleted";
/** Reason of the False `RestartingJobSet` that follows from completion. */
export const REASON_JOBSET_COMPLETED = "JobSetCompleted";
/** Message of both. */
export const MESSAGE_COMPLETED = "jobset completed successfully";

/** Reason of `Failed`: a Job failed and there is no failure policy. */
export const REASON_FAILED_JOBS = "FailedJobs";
/** Reason of `Failed`: a Job failed and no restart is left. */
export const REASON_REACHED_MAX_RESTARTS = "ReachedMaxRestarts";
/** Reason of `Failed`: a rule says so; also of the Event. */
export const REASON_FAIL_JOBSET_ACTION = "FailJobSetFailurePolicyAction";
/** Message of {@link REASON_FAILED_JOBS}, to be followed by the first failed Job. */
export const MESSAGE_FAILED_JOBS = "jobset failed due to one or more job failures";
/** Message of {@link REASON_REACHED_MAX_RESTARTS}, to be followed by the first failed Job when there is one. */
export const MESSAGE_REACHED_MAX_RESTARTS = "jobset failed due to reaching max number of restarts";
/** Message of {@link REASON_FAIL_JOBSET_ACTION}, to be followed by the first failed Job. */
export const MESSAGE_FAIL_JOBSET_ACTION = "applying FailJobSet failure policy action";
/** Reason of the False `RestartingJobSet` that follows from a failure. */
export const REASON_JOBSET_FAILED = "JobSetFailed";
/** Message of {@link REASON_JOBSET_FAILED}. */
export const MESSAGE_JOBSET_FAILED = "jobset failed";

/** Reason of the True `Suspended`. */
export const REASON_SUSPENDED_JOBS = "SuspendedJobs";
/** Reason of the False `Suspended`. */
export const REASON_RESUME_JOBS = "ResumeJobs";
/** Reason of the False `RestartingJobSet` that follows from suspension. */
export const REASON_JOBSET_SUSPENDED = "JobSetSuspended";
/** Message of {@link REASON_SUSPENDED_JOBS} and {@link REASON_JOBSET_SUSPENDED}. */
export const MESSAGE_SUSPENDED = "jobset is suspended";
/** Message of {@link REASON_RESUME_JOBS}. */
export const MESSAGE_RESUMED = "jobset is resumed";

/** Reason of the True `RestartingJobSet` when no rule of the failure policy matched. */
export const REASON_DEFAULT_FAILURE_POLICY = "DefaultFailurePolicy";
/** Start of the reason of the True `RestartingJobSet` when a rule matched; the rule's name follows. */
export const REASON_FAILURE_POLICY_RULE_PREFIX = "FailurePolicy_";
/** Reason of the False `RestartingJobSet` that follows from a restart carried through. */
export const REASON_JOBS_READY = "JobsReady";
/** Message of {@link REASON_JOBS_READY}. */
export const MESSAGE_JOBS_READY = "all jobs are ready";

/** Reason of `StartupPolicyInProgress`. */
export const REASON_STARTUP_IN_PROGRESS = "InOrderStartupPolicyInProgress";
/** Reason of `StartupPolicyCompleted`. */
export const REASON_STARTUP_COMPLETED = "InOrderStartupPolicyCompleted";
/** Message of {@link REASON_STARTUP_IN_PROGRESS}. */
export const MESSAGE_STARTUP_IN_PROGRESS = "in order startup policy is in progress";
/** Message of {@link REASON_STARTUP_COMPLETED}. */
export const MESSAGE_STARTUP_COMPLETED = "in order startup policy has completed";

/** Reason of the Event of the action `RestartJobSet`. */
export const REASON_RESTART_JOBSET_ACTION = "RestartJobSetFailurePolicyAction";
/** Reason of the Event of the action `RestartJobSetAndIgnoreMaxRestarts`. */
export const REASON_RESTART_JOBSET_IGNORE_ACTION =
  "RestartJobSetAndIgnoreMaxRestartsFailurePolicyAction";
/** Reason of the Event of the action `RestartJob`. */
export const REASON_RESTART_JOB_ACTION = "RestartJobFailurePolicyAction";
/** Reason of the Event of the action `RestartJobAndIgnoreMaxRestarts`. */
export const REASON_RESTART_JOB_IGNORE_ACTION = "RestartJobAndIgnoreMaxRestartsFailurePolicyAction";
/** Message of the action `RestartJobSet`, in the Event and in `RestartingJobSet`; the first failed Job follows. */
export const MESSAGE_RESTART_JOBSET_ACTION = "applying RestartJobSet failure policy action";
/** Message of the action `RestartJobSetAndIgnoreMaxRestarts`, in both; the first failed Job follows. */
export const MESSAGE_RESTART_JOBSET_IGNORE_ACTION =
  "applying RestartJobSetAndIgnoreMaxRestarts failure policy action";
/** Message of the Event of the action `RestartJob`; the first failed Job follows. */
export const MESSAGE_RESTART_JOB_ACTION = "applying RestartJob failure policy action";
/** Message of the Event of the action `RestartJobAndIgnoreMaxRestarts`; the first failed Job follows. */
export const MESSAGE_RESTART_JOB_IGNORE_ACTION =
  "applying RestartJobAndIgnoreMaxRestarts failure policy action";

/** Reason of the Event of a Job that could not be created; the message is the API's error. */
export const REASON_JOB_CREATION_FAILED = "JobCreationFailed";
/** Reason of the Event of a Job that could not be suspended, resumed or scaled. jobset-ts says so, JobSet does not. */
export const REASON_JOB_UPDATE_FAILED = "JobUpdateFailed";
/** Reason of the Event of a Job that could not be deleted. jobset-ts says so, JobSet does not. */
export const REASON_JOB_DELETION_FAILED = "JobDeletionFailed";
/** Reason of the Event of a Job that could not be resumed with other resources; the message holds the API's error. */
export const REASON_RESOURCE_PROPAGATION_FAILED = "FailedResourcePropagation";
/** Reason of the Event of a headless Service that could not be created; the message is the API's error. */
export const REASON_SERVICE_CREATION_FAILED = "HeadlessServiceCreationFailed";
/** The Service of the subdomain's name selects the Pods of another JobSet. jobset-ts says so, JobSet does not. */
export const REASON_SERVICE_CONFLICT = "HeadlessServiceConflict";
/** Reason of the Event of a volume claim that could not be created; the message is the API's error. */
export const REASON_CLAIM_CREATION_FAILED = "PVCCreationFailed";

/** The `action` of every Event that the controller emits. */
export const EVENT_ACTION_RECONCILING = "Reconciling";

/** Condition of a Pod that placement repair is about to delete. */
export const POD_CONDITION_DISRUPTION_TARGET = "DisruptionTarget";
/** Its reason. */
export const REASON_EXCLUSIVE_PLACEMENT_VIOLATION = "ExclusivePlacementViolation";
/** Its message. */
export const MESSAGE_EXCLUSIVE_PLACEMENT_VIOLATION =
  "Pod violated JobSet exclusive placement policy";

/** Condition of a Job that has succeeded. */
export const JOB_CONDITION_COMPLETE = "Complete";
/** Condition of a Job that has failed. */
export const JOB_CONDITION_FAILED = "Failed";
/** A Job's own condition: the Job controller has suspended it, and has not resumed it since. */
export const JOB_CONDITION_SUSPENDED = "Suspended";

/** Reasons of a Job's `Failed` condition that a failure policy rule may name. */
export const jobFailureReasons = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
  "PodFailurePolicy",
] as const;

/** Metric that counts completed JobSets, with the labels `jobset_name` and `namespace`. */
export const METRIC_COMPLETED = "jobset_completed_total";
/** Metric that counts failed JobSets, with the same labels. */
export const METRIC_FAILED = "jobset_failed_total";

/**
 * A message about a failure, with the Job that it goes back to: the failed Job that failed first.
 *
 * @example withFirstFailedJob("jobset failed", "train-workers-0") // => "jobset failed (first failed job: train-workers-0)"
 */
export function withFirstFailedJob(message: string, jobName: string): string {
  return `${message} (first failed job: ${jobName})`;
}
