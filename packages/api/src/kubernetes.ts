export { applyMergePatch } from "./apply-merge-patch.ts";
export type { Condition, ConditionStatus } from "./condition.ts";
export type { Event, ObjectReference } from "./event.ts";
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
  type LabelSelectorRequirement,
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
export type { Node, Taint } from "./node.ts";
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
} from "./pod.ts";
export { canonicalQuantity, equalQuantities, parseQuantity } from "./quantity.ts";
export type { Service } from "./service.ts";
