export { defaultJobSet, defaultJobSetRequest } from "./default-jobset.ts";
export { type Features, featureGates, featuresOf, parseFeatureGates } from "./feature-gates.ts";
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
export { isSuspended, replicasOf, replicatedJobsOf, restartsOf } from "./jobset-members.ts";
export {
  fqdn,
  jobName,
  namespacedJob,
  podDnsName,
  podHostname,
  subdomainOf,
  volumeClaimName,
} from "./names.ts";
export type { New, Observed } from "./observed.ts";
export { formatMicroTime, formatTime, type Instant, parseTime } from "./time.ts";
