export {
  incrementInt32,
  int64Text,
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
  agreesTyped,
  equalTyped,
  identicalTyped,
  type TypedDifference,
  typedDifferences,
} from "./typed/equality.ts";
export { renderJson, renderJsonList } from "./typed/render.ts";
export {
  type ElementType,
  isRawJson,
  isShapeName,
  type Member,
  type Shape,
  shapeOf,
} from "./typed/shape.ts";
export type { ShapeName } from "./typed/shapes.ts";
export { readTimestamp, type Timestamp, wireTimestamp } from "./typed/timestamp.ts";
export { findUnknownFields, unknownFields } from "./typed/unknown-fields.ts";
