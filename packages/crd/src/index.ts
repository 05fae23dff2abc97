export {
  type AdmitBySchemaOptions,
  admitBySchema,
  formatSchemaError,
  type SchemaAdmissionResult,
  type SchemaError,
} from "./admit-by-schema.ts";
export { decodeObject, decodeStoredObject } from "./decode.ts";
export { customResourceDefinition } from "./manifest.ts";
export { openAPIV3Schema } from "./openapi-v3-schema.ts";
export { findPrunedFields, type PrunedField } from "./pruned-fields.ts";
export type { StructuralSchema } from "./structural-schema.ts";
