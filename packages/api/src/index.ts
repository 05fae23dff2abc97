export { defaultJobSet, defaultJobSetRequest } from "./default-jobset.ts";
export { type Features, featureGates, featuresOf, parseFeatureGates } from "./feature-gates.ts";
export { parseIntegerLabel } from "./integer-label.ts";
export {
  type Coordinator,
  type DependsOn,
  type DependsOnStatus,
  type FailurePolicy,
  type FailurePolicyAction,
  type FailurePolicyRule,
  JOBSET_API_VERSION,
  JOBSET_CONTROLLER_NAME,
  JOBSET_GROUP,
  JOBSET_KIND,
  JOBSET_VERSION,
  type JobSet,
  type JobSetSpec,
  type JobSetStatus,
  type Network,
  type ReplicatedJob,
  type ReplicatedJobStatus,
  type RestartStrategy,
  type StartupPolicy,
  type StartupPolicyOrder,
  type SuccessPolicy,
  type TerminalState,
  type VolumeClaimPolicy,
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
