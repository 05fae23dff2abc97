export { coordinatorEndpoint } from "./desired/coordinator.ts";
export {
  createJobFactories,
  desiredJobs,
  type JobFactory,
} from "./desired/desired-jobs.ts";
export { desiredService, hasDnsHostnames } from "./desired/desired-service.ts";
export { desiredVolumeClaims } from "./desired/desired-volume-claims.ts";
export {
  isPlacedByNodeLabels,
  placementAnnotations,
  usesNodeSelectorStrategy,
} from "./desired/exclusive-placement.ts";
export { EXECUTION_ATTEMPT_KEY } from "./desired/execution-attempts.ts";
export { indexedReplicatedJobs, jobCount } from "./desired/job-indexes.ts";
export { jobKey } from "./desired/job-key.ts";
export { podAddresses } from "./desired/pod-addresses.ts";
export {
  findSizeExcess,
  MAX_DESIRED_JOBS,
  MAX_DESIRED_PODS,
  type SizeExcess,
} from "./desired/size-limits.ts";
export { createOwnerReference, isChildJob } from "./owner.ts";
