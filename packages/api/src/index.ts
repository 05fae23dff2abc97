export {
  type DefaultedRequest,
  defaultJobSet,
  defaultJobSetRequest,
  jobSetDecodeErrors,
} from "./default-jobset.ts";
export {
  type FeatureGate,
  type FeatureName,
  type FeatureStage,
  type Features,
  featureGates,
  featuresOf,
  parseFeatureGates,
} from "./feature-gates.ts";
export { type IntegerLabel, parseIntegerLabel } from "./integer-label.ts";
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
  type Operator,
  type ReplicatedJob,
  type ReplicatedJobStatus,
  type RestartStrategy,
  type RetentionPolicyType,
  type StartupPolicy,
  type StartupPolicyOrder,
  type SuccessPolicy,
  type TerminalState,
  type VolumeClaimPolicy,
  type VolumeRetentionPolicy,
} from "./jobset.ts";
export {
  failurePolicyRuleName,
  jobName,
  namespacedJob,
  podDnsName,
  podFqdn,
  podHostname,
  subdomainOf,
  volumeClaimName,
} from "./names.ts";
export type { New, Observed, Open } from "./observed.ts";
export type { Parsed } from "./parsed.ts";
export { formatMicroTime, formatTime, type Instant, parseTime } from "./time.ts";
