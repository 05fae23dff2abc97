// The conditions of a JobSet and the Events that go with them, to the letter.

/** Condition types of a JobSet. */
export const CONDITION_COMPLETED = "Completed";
export const CONDITION_FAILED = "Failed";
export const CONDITION_SUSPENDED = "Suspended";
export const CONDITION_RESTARTING = "RestartingJobSet";
/** Never True together with {@link CONDITION_STARTUP_COMPLETED}. */
export const CONDITION_STARTUP_IN_PROGRESS = "StartupPolicyInProgress";
export const CONDITION_STARTUP_COMPLETED = "StartupPolicyCompleted";

export type JobSetConditionType =
  | typeof CONDITION_COMPLETED
  | typeof CONDITION_FAILED
  | typeof CONDITION_SUSPENDED
  | typeof CONDITION_RESTARTING
  | typeof CONDITION_STARTUP_IN_PROGRESS
  | typeof CONDITION_STARTUP_COMPLETED;

/** Reasons of the `Completed` condition, and of the False `RestartingJobSet` that follows from it. */
export const REASON_ALL_JOBS_COMPLETED = "AllJobsCompleted";
export const REASON_JOBSET_COMPLETED = "JobSetCompleted";
export const MESSAGE_COMPLETED = "jobset completed successfully";

/** Reasons of the `Failed` condition. */
export const REASON_FAILED_JOBS = "FailedJobs";
export const REASON_REACHED_MAX_RESTARTS = "ReachedMaxRestarts";
export const REASON_FAIL_JOBSET_ACTION = "FailJobSetFailurePolicyAction";
export const MESSAGE_FAILED_JOBS = "jobset failed due to one or more job failures";
export const MESSAGE_REACHED_MAX_RESTARTS = "jobset failed due to reaching max number of restarts";
export const MESSAGE_FAIL_JOBSET_ACTION = "applying FailJobSet failure policy action";
/** The False `RestartingJobSet` that follows from a failure. */
export const REASON_JOBSET_FAILED = "JobSetFailed";
export const MESSAGE_JOBSET_FAILED = "jobset failed";

/** Suspended and resumed. */
export const REASON_SUSPENDED_JOBS = "SuspendedJobs";
export const REASON_RESUME_JOBS = "ResumeJobs";
export const REASON_JOBSET_SUSPENDED = "JobSetSuspended";
export const MESSAGE_SUSPENDED = "jobset is suspended";
export const MESSAGE_RESUMED = "jobset is resumed";

/** Restarting: the reason when no rule matched, and the start of the reason when one did. */
export const REASON_DEFAULT_FAILURE_POLICY = "DefaultFailurePolicy";
export const REASON_FAILURE_POLICY_RULE_PREFIX = "FailurePolicy_";
export const REASON_JOBS_READY = "JobsReady";
export const MESSAGE_JOBS_READY = "all jobs are ready";

/** Startup in order. */
export const REASON_STARTUP_IN_PROGRESS = "InOrderStartupPolicyInProgress";
export const REASON_STARTUP_COMPLETED = "InOrderStartupPolicyCompleted";
export const MESSAGE_STARTUP_IN_PROGRESS = "in order startup policy is in progress";
export const MESSAGE_STARTUP_COMPLETED = "in order startup policy has completed";

/** Event reasons without a condition: failure policy actions carried out. */
export const REASON_RESTART_JOBSET_ACTION = "RestartJobSetFailurePolicyAction";
export const REASON_RESTART_JOBSET_IGNORE_ACTION =
  "RestartJobSetAndIgnoreMaxRestartsFailurePolicyAction";
export const REASON_RESTART_JOB_ACTION = "RestartJobFailurePolicyAction";
export const REASON_RESTART_JOB_IGNORE_ACTION = "RestartJobAndIgnoreMaxRestartsFailurePolicyAction";
export const MESSAGE_RESTART_JOBSET_ACTION = "applying RestartJobSet failure policy action";
export const MESSAGE_RESTART_JOBSET_IGNORE_ACTION =
  "applying RestartJobSetAndIgnoreMaxRestarts failure policy action";
export const MESSAGE_RESTART_JOB_ACTION = "applying RestartJob failure policy action";
export const MESSAGE_RESTART_JOB_IGNORE_ACTION =
  "applying RestartJobAndIgnoreMaxRestarts failure policy action";

/** Event reasons for an object that could not be created; the message is the API's error. */
export const REASON_JOB_CREATION_FAILED = "JobCreationFailed";
export const REASON_SERVICE_CREATION_FAILED = "HeadlessServiceCreationFailed";
export const REASON_CLAIM_CREATION_FAILED = "PVCCreationFailed";

/** The `action` of every Event that the controller emits. */
export const EVENT_ACTION_RECONCILING = "Reconciling";

/** Condition of a Pod that placement repair is about to delete. */
export const POD_CONDITION_DISRUPTION_TARGET = "DisruptionTarget";
export const REASON_EXCLUSIVE_PLACEMENT_VIOLATION = "ExclusivePlacementViolation";
export const MESSAGE_EXCLUSIVE_PLACEMENT_VIOLATION =
  "Pod violated JobSet exclusive placement policy";

/** Conditions of a Job that end it. */
export const JOB_CONDITION_COMPLETE = "Complete";
export const JOB_CONDITION_FAILED = "Failed";

/** Reasons of a Job's `Failed` condition that a failure policy rule may name. */
export const jobFailureReasons = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
  "PodFailurePolicy",
] as const;

/** Counters of the controller's metrics, with the labels `jobset_name` and `namespace`. */
export const METRIC_COMPLETED = "jobset_completed_total";
export const METRIC_FAILED = "jobset_failed_total";

/**
 * A message about a failure, with the Job that it goes back to.
 *
 * @example withFirstFailedJob("jobset failed", "train-workers-0") // => "jobset failed (first failed job: train-workers-0)"
 */
export function withFirstFailedJob(message: string, jobName: string): string {
  return `${message} (first failed job: ${jobName})`;
}
