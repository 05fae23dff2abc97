export { boundedText, moreMark, repeatedValue } from "./bounded-text.ts";
export { compareBytes } from "./byte-order.ts";
export type { Condition, ConditionStatus } from "./condition.ts";
export {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_SUSPENDED,
  EVENT_ACTION_RECONCILING,
  JOB_CONDITION_COMPLETE,
  JOB_CONDITION_FAILED,
  type JobSetConditionType,
  jobFailureReasons,
  MESSAGE_COMPLETED,
  MESSAGE_EXCLUSIVE_PLACEMENT_VIOLATION,
  MESSAGE_FAIL_JOBSET_ACTION,
  MESSAGE_FAILED_JOBS,
  MESSAGE_JOBS_READY,
  MESSAGE_JOBSET_FAILED,
  MESSAGE_REACHED_MAX_RESTARTS,
  MESSAGE_RESTART_JOB_ACTION,
  MESSAGE_RESTART_JOB_IGNORE_ACTION,
  MESSAGE_RESTART_JOBSET_ACTION,
  MESSAGE_RESTART_JOBSET_IGNORE_ACTION,
  MESSAGE_RESUMED,
  MESSAGE_STARTUP_COMPLETED,
  MESSAGE_STARTUP_IN_PROGRESS,
  MESSAGE_SUSPENDED,
  METRIC_COMPLETED,
  METRIC_FAILED,
  POD_CONDITION_DISRUPTION_TARGET,
  REASON_ALL_JOBS_COMPLETED,
  REASON_CLAIM_CREATION_FAILED,
  REASON_DEFAULT_FAILURE_POLICY,
  REASON_EXCLUSIVE_PLACEMENT_VIOLATION,
  REASON_FAIL_JOBSET_ACTION,
  REASON_FAILED_JOBS,
  REASON_FAILURE_POLICY_RULE_PREFIX,
  REASON_JOB_CREATION_FAILED,
  REASON_JOBS_READY,
  REASON_JOBSET_COMPLETED,
  REASON_JOBSET_FAILED,
  REASON_JOBSET_SUSPENDED,
  REASON_REACHED_MAX_RESTARTS,
  REASON_RESTART_JOB_ACTION,
  REASON_RESTART_JOB_IGNORE_ACTION,
  REASON_RESTART_JOBSET_ACTION,
  REASON_RESTART_JOBSET_IGNORE_ACTION,
  REASON_RESUME_JOBS,
  REASON_SERVICE_CREATION_FAILED,
  REASON_STARTUP_COMPLETED,
  REASON_STARTUP_IN_PROGRESS,
  REASON_SUSPENDED_JOBS,
  withFirstFailedJob,
} from "./conditions.ts";
export {
  type DefaultedRequest,
  defaultJobSet,
  defaultJobSetRequest,
  jobSetDecodeErrors,
} from "./default-jobset.ts";
export type { Event, EventSeries, ObjectReference } from "./event.ts";
export {
  type FeatureGate,
  type FeatureName,
  type FeatureStage,
  type Features,
  featureGates,
  featuresOf,
  parseFeatureGates,
} from "./feature-gates.ts";
export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  fieldErrorText,
  forbidden,
  internal,
  invalid,
  NO_FIELD,
  notSupported,
  required,
  showValue,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { fieldPath, type PathStep } from "./field-path.ts";
export { isInt32, MAX_INT32, MIN_INT32, toInt32 } from "./int32.ts";
export { type IntegerLabel, parseIntegerLabel } from "./integer-label.ts";
export type { Job, JobCondition, JobSpec, JobStatus, JobTemplateSpec } from "./job.ts";
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
  COORDINATOR_KEY,
  DISABLE_IN_PLACE_RESTART_KEY,
  EXCLUSIVE_TOPOLOGY_KEY,
  GLOBAL_REPLICAS_KEY,
  GROUP_NAME_KEY,
  GROUP_REPLICAS_KEY,
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_GLOBAL_INDEX_KEY,
  JOB_GROUP_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  NAMESPACED_JOB_KEY,
  NO_SCHEDULE_TAINT_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
  REPLICATED_JOB_NAME_KEY,
  REPLICATED_JOB_REPLICAS_KEY,
  RESTART_ATTEMPT_KEY,
} from "./keys.ts";
export {
  type LabelSelector,
  type LabelSelectorOperator,
  type LabelSelectorRequirement,
  labelSelectorErrors,
  selectsLabels,
} from "./label-selector.ts";
export {
  annotationOf,
  isObject,
  labelOf,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  textOf,
  uidOf,
} from "./members.ts";
export {
  dns1035LabelMessages,
  dnsLabelMessages,
  labelValueMessages,
  qualifiedNameMessages,
  subdomainMessages,
} from "./name-checks.ts";
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
export type { Node, NodeCondition, NodeSpec, NodeStatus, Taint } from "./node.ts";
export {
  controllerOf,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
} from "./object-meta.ts";
export type { New, Observed, Open } from "./observed.ts";
export type { Parsed } from "./parsed.ts";
export type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
} from "./persistent-volume-claim.ts";
export type {
  Affinity,
  Container,
  ContainerStatus,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodCondition,
  PodSchedulingGate,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  ResourceRequirements,
  Toleration,
  Volume,
  VolumeMount,
} from "./pod.ts";
export {
  canonicalQuantity,
  compareQuantities,
  equalQuantities,
  heldAlike,
  type ParsedQuantity,
  parseQuantity,
  type Quantity,
} from "./quantity.ts";
export { quote } from "./quote.ts";
export type { Service, ServiceSpec } from "./service.ts";
export { formatMicroTime, formatTime, type Instant, parseTime } from "./time.ts";
export { ToldErrors, toldErrors } from "./told-errors.ts";
export { agreesTyped } from "./typed/agree.ts";
export { decodeErrors, firstDecodeErrors } from "./typed/decode.ts";
export { type TypedDifference, typedDifferences } from "./typed/differences.ts";
export { equalTyped, equalTypedLists, identicalTyped } from "./typed/equal.ts";
export { renderJson, renderJsonList } from "./typed/render.ts";
export { reserialise } from "./typed/serialise.ts";
export type { ElementType, Scalar, Special } from "./typed/shape.ts";
export type { ShapeName } from "./typed/shapes.ts";
export { unknownFields } from "./typed/unknown-fields.ts";
export { byteLength, encodeUtf8, firstBytes, isLongerThan } from "./utf8.ts";
