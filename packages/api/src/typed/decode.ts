import { type FieldError, invalid, NO_FIELD, typeInvalid } from "../field-error.ts";
import { isInt32, MAX_INT32, MIN_INT32 } from "../int32.ts";
import { parseQuantity } from "../quantity.ts";
import { quote } from "../quote.ts";
import { isAbsent, isJsonObject, type JsonObject } from "./json-object.ts";
import { type ElementType, isShapeName, type Member, type Shape, typedShapeOf } from "./shape.ts";
import type { ShapeName } from "./shapes.ts";
import { readTimestamp } from "./timestamp.ts";

/**
 * Why a JSON value is none of a type: every member that upstream's decoder could not read, in the order of the
 * value. Empty when the value decodes.
 *
 * Member names are case-sensitive and unknown members are ignored. Null stands for an absent value everywhere,
 * also as a list element or map value. A number is an integer when its value is whole; how it was written is
 * gone once JSON is parsed. Whether required members are there is not asked: the schema asks it.
 *
 * @param value - any JSON value
 * @see Kubernetes `runtime.Decode`; what upstream answers is the first of these, in the words of Go
 * @example decodeErrors({ spec: { suspend: "yes" } }, "JobSet").map(fieldErrorText) // => ['spec.suspend: Invalid value: "yes": must be true or false']
 */
export function decodeErrors(value: unknown, type: ShapeName): readonly FieldError[] {
  const place: Place = { trail: [], found: [] };
  checkElement(value, type, place);
  return place.found;
}

/** Where we are, and what was found so far. */
interface Place {
  /** The steps from the root, put together where there is something to report: `.name`, `[index]`, `[key]`. */
  readonly trail: string[];
  readonly found: FieldError[];
}

function checkMember(value: unknown, member: Member, place: Place): void {
  if (isAbsent(value)) return;
  switch (member.collection) {
    case "none":
      checkElement(value, member.type, place);
      break;
    case "list":
      if (Array.isArray(value)) checkElements(value.entries(), member.type, place);
      else refuse(value, wrongType("must be a list"), place);
      break;
    case "map":
      if (isJsonObject(value)) checkElements(Object.entries(value), member.type, place);
      else refuse(value, wrongType("must be an object"), place);
  }
}

function checkElements(
  elements: Iterable<readonly [string | number, unknown]>,
  type: ElementType,
  place: Place,
): void {
  for (const [key, element] of elements) {
    place.trail.push(`[${key}]`);
    checkElement(element, type, place);
    place.trail.pop();
  }
}

function checkElement(value: unknown, type: ElementType, place: Place): void {
  if (isAbsent(value)) return;
  if (!isShapeName(type)) {
    const refusal = scalarRefusal(value, type);
    if (refusal !== undefined) refuse(value, refusal, place);
  } else if (isJsonObject(value)) {
    checkMembers(value, typedShapeOf(type), place);
  } else {
    refuse(value, wrongType("must be an object"), place);
  }
}

function checkMembers(object: JsonObject, { byName }: Shape, place: Place): void {
  for (const [name, content] of Object.entries(object)) {
    const member = byName.get(name);
    if (member === undefined) continue;
    place.trail.push(`.${name}`);
    checkMember(content, member, place);
    place.trail.pop();
  }
}

interface Refusal {
  readonly error: typeof invalid;
  readonly claim: string;
}

function wrongType(claim: string): Refusal {
  return { error: typeInvalid, claim };
}

function wrongValue(claim: string): Refusal {
  return { error: invalid, claim };
}

function scalarRefusal(value: unknown, type: Exclude<ElementType, ShapeName>): Refusal | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? undefined : wrongType("must be a string");
    case "boolean":
      return typeof value === "boolean" ? undefined : wrongType("must be true or false");
    case "int32":
    case "int64":
    case "integer":
      return integerRefusal(value, type, "must be an integer");
    case "IntOrString":
      if (typeof value === "string") return undefined;
      return integerRefusal(value, "int32", "must be an integer or a string");
    case "Quantity":
      return quantityRefusal(value);
    case "Time":
      return timeRefusal(value);
  }
}

/** 2^63 itself passes: it is what the largest integer of 64 bits becomes as a double. */
const maxInt64 = 2 ** 63;

function integerRefusal(
  value: unknown,
  type: "int32" | "int64" | "integer",
  claim: string,
): Refusal | undefined {
  if (typeof value !== "number") return wrongType(claim);
  if (!Number.isInteger(value)) return wrongValue(claim);
  if (type === "int32") {
    return isInt32(value) ? undefined : wrongValue(`must be between ${MIN_INT32} and ${MAX_INT32}`);
  }
  return Math.abs(value) > maxInt64 ? wrongValue("must fit into 64 bits") : undefined;
}

function quantityRefusal(value: unknown): Refusal | undefined {
  const parsed = parseQuantity(value);
  if (parsed.ok) return undefined;
  const isRightType = typeof value === "string" || typeof value === "number";
  return isRightType ? wrongValue(parsed.message) : wrongType(parsed.message);
}

function timeRefusal(value: unknown): Refusal | undefined {
  if (readTimestamp(value) !== undefined) return undefined;
  const claim = "must be an RFC 3339 time such as 2026-02-07T06:56:19Z";
  return typeof value === "string" ? wrongValue(claim) : wrongType(claim);
}

function refuse(value: unknown, { error, claim }: Refusal, { found, trail }: Place): void {
  const field = trail.length === 0 ? NO_FIELD : trail.join("").slice(1);
  found.push(error(field, value, claim, shown(value)));
}

/** A scalar as it is; of a list or an object only what it is, since it may be large and deep. */
function shown(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? '"array"' : '"object"';
}
