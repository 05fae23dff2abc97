// Sources that several defects change, by their paths below `packages`.

export const coordinator = "admission/src/jobset/coordinator-rules.ts";
export const existingClaims = "admission/src/jobset/existing-claim-rules.ts";
export const failureRules = "admission/src/jobset/failure-policy-rules.ts";
export const immutability = "admission/src/jobset/immutability-rules.ts";
export const mutableMembers = "admission/src/jobset/mutable-members.ts";
export const mutateJobSet = "admission/src/jobset/mutate-jobset.ts";
export const replicatedJobRules = "admission/src/jobset/replicated-job-rules.ts";
export const validateJobSet = "admission/src/jobset/validate-jobset.ts";
export const lookup = "admission/src/pod/leader-lookup.ts";
export const terms = "admission/src/pod/leader-terms.ts";
export const mutatePod = "admission/src/pod/mutate-pod.ts";
export const podOrders = "admission/src/pod/pod-orders.ts";
export const validatePod = "admission/src/pod/validate-pod.ts";
export const response = "admission/src/review/admission-response.ts";
export const defaults = "api/src/default-jobset.ts";
export const resumeJob = "core/src/child-jobs/resume-job.ts";
export const childKeys = "core/src/desired/child-keys.ts";
export const desiredJobs = "core/src/desired/desired-jobs.ts";
export const failurePolicy = "core/src/policies/failure-policy.ts";
export const inPlaceRestart = "core/src/policies/in-place-restart.ts";
export const applyFailurePolicy = "core/src/reconcile/apply-failure-policy.ts";
export const createJobs = "core/src/reconcile/create-jobs.ts";
export const draft = "core/src/reconcile/draft.ts";
export const suspendOrResume = "core/src/reconcile/suspend-or-resume.ts";
export const statuses = "core/src/status/replicated-jobs-status.ts";
export const setCondition = "core/src/status/set-condition.ts";
