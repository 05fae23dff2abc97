// The finalizer, labels, annotations, condition types and reasons of the Job API.

/** Keeps a Pod until its end is in its Job's counts. */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
/** Label: the UID of the Job. */
export const CONTROLLER_UID_KEY = "batch.kubernetes.io/controller-uid";
/** Label: the name of the Job. */
export const BATCH_JOB_NAME_KEY = "batch.kubernetes.io/job-name";
/** Annotation: how many Pods of the index failed before this one, of those that count. */
export const INDEX_FAILURES_KEY = "batch.kubernetes.io/job-index-failure-count";
/** Annotation: how many failed that a policy ignores. */
export const INDEX_IGNORED_FAILURES_KEY = "batch.kubernetes.io/job-index-ignored-failure-count";

/** The value of `managedBy` that names the built-in Job controller, the only one here. */
export const BUILT_IN_CONTROLLER = "kubernetes.io/job-controller";

export const JOB_SUSPENDED = "Suspended";
/** All that was needed succeeded; the Job ends once its Pods have. */
export const SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
/** The Job has failed, and ends once its Pods have. */
export const FAILURE_TARGET = "FailureTarget";
export const JOB_COMPLETE = "Complete";
export const JOB_FAILED = "Failed";
