export {
  formatInt64,
  incrementInt32,
  isInt32,
  isInt64,
  MAX_INT32,
  MIN_INT32,
  toInt32,
} from "./integers.ts";
export { apiDefaults, setApiDefaults } from "./typed/api-defaults.ts";
export { decodeErrors } from "./typed/decode.ts";
export { jobSetDecodeErrors } from "./typed/decode-jobset.ts";
export {
  deepEqualTyped,
  findTypedDifferences,
  isTypedSubset,
  semanticEqual,
  type TypedDifference,
} from "./typed/equality.ts";
export { renderJson, renderJsonList } from "./typed/render.ts";
export {
  type ElementType,
  getShape,
  isRawJson,
  isShapeName,
  type Member,
  type Shape,
} from "./typed/shape.ts";
export type { ShapeName } from "./typed/shapes.ts";
export { formatTimestamp, readTimestamp, type Timestamp } from "./typed/timestamp.ts";
export { findUnknownFields } from "./typed/unknown-fields.ts";
