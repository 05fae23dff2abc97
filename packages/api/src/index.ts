export { defaultJobSet, defaultJobSetRequest } from "./default-jobset.ts";
export {
  type FeatureGates,
  featureGates,
  parseFeatureGates,
  resolveFeatureGates,
} from "./feature-gates.ts";
export { parseIntegerLabel } from "./integer-label.ts";
export type {
  Coordinator,
  DependsOn,
  DependsOnStatus,
  FailurePolicy,
  FailurePolicyAction,
  FailurePolicyRule,
  JobSet,
  JobSetSpec,
  JobSetStatus,
  Network,
  ReplicatedJob,
  ReplicatedJobStatus,
  RestartStrategy,
  StartupPolicy,
  SuccessPolicy,
  VolumeClaimPolicy,
} from "./jobset.ts";
export { getReplicas, getReplicatedJobs, getRestarts, isSuspended } from "./jobset-members.ts";
export {
  fqdn,
  getSubdomain,
  jobName,
  namespacedJobValue,
  podDnsName,
  podHostname,
  volumeClaimName,
} from "./names.ts";
export { type EpochMillis, formatMicroTime, formatTime, parseTime } from "./time.ts";
export type { ToCreate, Unvalidated } from "./unvalidated.ts";
