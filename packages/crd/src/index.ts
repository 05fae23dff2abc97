export {
  type AdmitBySchemaOptions,
  type AdmittedBySchema,
  admitBySchema,
  type SchemaError,
  schemaErrorText,
} from "./admit-by-schema.ts";
export {
  type Decoded,
  decodeObject,
  decodeStoredObject,
  type Undecodable,
} from "./decode.ts";
export { applyDefaults } from "./defaulting.ts";
export {
  customResourceDefinition,
  type JobSetCustomResourceDefinition,
  type PrinterColumn,
} from "./manifest.ts";
export { openAPIV3Schema } from "./openapi-v3-schema.ts";
export { prune } from "./prune.ts";
export type {
  Json,
  SchemaType,
  StructuralSchema,
  ValidationRule,
} from "./structural-schema.ts";
