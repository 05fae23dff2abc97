export {
  type Admission,
  type AdmissionError,
  type AdmitOptions,
  admissionErrorText,
  admit,
} from "./crd/admit.ts";
export {
  type Decoded,
  decodeObject,
  decodeStoredObject,
  type Undecodable,
} from "./crd/decode.ts";
export { applyDefaults } from "./crd/defaulting.ts";
export { jobSetSchema } from "./crd/jobset-schema.ts";
export {
  customResourceDefinition,
  type JobSetCustomResourceDefinition,
  type PrinterColumn,
} from "./crd/manifest.ts";
export { prune } from "./crd/prune.ts";
export type {
  Json,
  SchemaType,
  StructuralSchema,
  ValidationRule,
} from "./crd/structural-schema.ts";
