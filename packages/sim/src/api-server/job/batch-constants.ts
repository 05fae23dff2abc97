// The finalizer, labels, annotations, condition types and reasons of the Job API.

/** The finalizer of a Pod that is not yet included in the counts of its Job. */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
/** Label: the name of the Job. */
export const BATCH_JOB_NAME_KEY = "batch.kubernetes.io/job-name";
/** Annotation: the number of earlier failures of this index that count toward the limit. */
export const INDEX_FAILURES_KEY = "batch.kubernetes.io/job-index-failure-count";
/** Annotation: the number of earlier failures of this index that a policy ignores. */
export const INDEX_IGNORED_FAILURES_KEY = "batch.kubernetes.io/job-index-ignored-failure-count";

/** The value of `managedBy` for the built-in Job controller, the only one that the simulator has. */
export const BUILT_IN_CONTROLLER = "kubernetes.io/job-controller";

export const JOB_SUSPENDED = "Suspended";
/** The success criteria are met. The Job completes when its Pods have terminated. */
export const SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
/** The Job is going to fail when its Pods have terminated. */
export const FAILURE_TARGET = "FailureTarget";
export const JOB_COMPLETE = "Complete";
export const JOB_FAILED = "Failed";
