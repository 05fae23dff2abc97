export { applyMergePatch } from "./apply-merge-patch.ts";
export type { Condition } from "./condition.ts";
export type { Event, ObjectReference } from "./event.ts";
export { isEqualJson } from "./is-equal-json.ts";
export type {
  Job,
  JobCondition,
  JobSpec,
  JobStatus,
  JobTemplateSpec,
} from "./job.ts";
export {
  type LabelSelector,
  type LabelSelectorRequirement,
  matchesLabelSelector,
} from "./label-selector.ts";
export {
  asArray,
  asInteger,
  asRecord,
  asString,
  findCondition,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  getUid,
  isBeingDeleted,
  isObject,
  type JsonObject,
  namespacedName,
} from "./members.ts";
export {
  validateDNS1035Label,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from "./name-checks.ts";
export { type Node, type Taint, toleratesTaint } from "./node.ts";
export {
  getControllerOf,
  type KubernetesObject,
  MAX_GENERATE_NAME_BYTES,
  type ObjectMeta,
  type OwnerReference,
  resolveGenerateName,
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
