export { applyMergePatch } from "./apply-merge-patch.ts";
export type { Condition, ConditionStatus } from "./condition.ts";
export type { Event, EventSeries, ObjectReference } from "./event.ts";
export {
  type Job,
  type JobCondition,
  type JobSpec,
  type JobStatus,
  type JobTemplateSpec,
  schedulingDirectives,
} from "./job.ts";
export {
  type LabelSelector,
  type LabelSelectorOperator,
  type LabelSelectorRequirement,
  labelSelectorErrors,
  selectsLabels,
} from "./label-selector.ts";
export {
  annotationOf,
  conditionOf,
  integerOf,
  isObject,
  type JsonObject,
  keyOf,
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
export type { Node, NodeCondition, NodeSpec, NodeStatus, Taint } from "./node.ts";
export {
  controllerOf,
  generatedName,
  type KubernetesObject,
  MAX_GENERATE_NAME_BYTES,
  type ObjectMeta,
  type OwnerReference,
} from "./object-meta.ts";
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
export type { Service, ServiceSpec } from "./service.ts";
