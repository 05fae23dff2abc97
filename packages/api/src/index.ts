export { compareBytes } from "./byte-order.ts";
export * from "./condition.ts";
export * from "./conditions.ts";
export type * from "./event.ts";
export * from "./feature-gates.ts";
export {
  type FieldError,
  type FieldErrorType,
  fieldErrorText,
  NO_FIELD,
} from "./field-error.ts";
export { isInt32, MAX_INT32, MIN_INT32, toInt32 } from "./int32.ts";
export { type IntegerLabel, parseIntegerLabel } from "./integer-label.ts";
export type * from "./job.ts";
export * from "./jobset.ts";
export * from "./keys.ts";
export {
  type LabelSelector,
  type LabelSelectorOperator,
  type LabelSelectorRequirement,
  labelSelectorErrors,
  selectsLabels,
} from "./label-selector.ts";
export * from "./names.ts";
export type * from "./node.ts";
export {
  controllerOf,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
} from "./object-meta.ts";
export type { Observed, Open } from "./observed.ts";
export type * from "./persistent-volume-claim.ts";
export type * from "./pod.ts";
export { quote } from "./quote.ts";
export type * from "./service.ts";
export { formatTime, type Instant, parseTime } from "./time.ts";
