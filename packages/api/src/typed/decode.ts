import { MAX_KEY_BYTES, truncateText } from "../bounded-text.ts";
import { type FieldError, formatValue, invalid, NO_FIELD, typeInvalid } from "../field-error.ts";
import { isInt32, isInt64, MAX_INT32, MIN_INT32 } from "../integers.ts";
import { isObject, type JsonObject } from "../members.ts";
import { parseQuantity } from "../quantity.ts";
import { type TruncatedErrors, truncateErrors } from "../truncated-errors.ts";
import { isAbsent } from "./json-object.ts";
import {
  type Element,
  getElement,
  type Member,
  type Scalar,
  type Shape,
  type Special,
} from "./shape.ts";
import type { ShapeName } from "./shapes.ts";
import { readTimestamp } from "./timestamp.ts";

/**
 * Returns why a JSON value cannot be decoded as a type: the members that upstream's decoder cannot read, in the order
 * of the value, up to the limit of one response, and the number of further errors. A value of a megabyte may have half
 * a million errors. Empty if the value can be decoded.
 *
 * Member names are case-sensitive, and unknown members are ignored. Null means absent everywhere, also as a list
 * element or map value. A number is an integer if its value is whole, because parsed JSON does not show how it was
 * written. Missing required members are not reported here, because the schema reports them.
 *
 * @param value - any JSON value
 * @example decodeErrors({ spec: { suspend: "yes" } }, "JobSet").errors.map(formatFieldError) // => ['spec.suspend: Invalid value: "yes": must be true or false']
 */
export function decodeErrors(value: unknown, type: ShapeName): TruncatedErrors<FieldError> {
  const count: Count = { left: 1000, omitted: 0 };
  const mistakes = collectDecodeErrors(value, type, count);
  const errors = truncateErrors();
  for (const mistake of mistakes) errors.add(() => toFieldError(mistake));
  errors.addAll({ errors: [], omitted: count.omitted });
  return errors;
}

function collectDecodeErrors(
  value: unknown,
  type: ShapeName,
  count: Count,
): readonly DecodeError[] {
  const root = getElement(type);
  return isElement(value, root) ? [] : (collectElementErrors(value, root, count) ?? []);
}

// Nearly every value can be decoded, and this check is much faster than collecting errors.

function isElement(value: unknown, { type, typedShape }: Element): boolean {
  if (isAbsent(value)) return true;
  return typedShape === undefined
    ? isScalar(value, type as Scalar | Special)
    : isObject(value) && hasMembersOfShape(value, typedShape);
}

function hasMembersOfShape(object: JsonObject, { byName }: Shape): boolean {
  // This includes inherited members. At worst, the slow path runs.
  for (const name in object) {
    const member = byName.get(name);
    if (member === undefined) continue;
    const value = object[name];
    // Most members are text and need no further check.
    if (typeof value === "string" && member.isText) continue;
    if (!isMember(value, member)) return false;
  }
  return true;
}

function isMember(value: unknown, member: Member): boolean {
  if (isAbsent(value) || member.collection === "none") return isElement(value, member);
  return member.collection === "map" ? isMap(value, member) : isList(value, member);
}

function isMap(value: unknown, element: Element): boolean {
  if (!isObject(value)) return false;
  for (const key in value) if (!isElement(value[key], element)) return false;
  return true;
}

function isList(value: unknown, element: Element): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) {
    if (!isElement(value[index], element)) return false;
  }
  return true;
}

/** Reports whether a present value is a scalar of a type. */
export function isScalar(value: unknown, type: Scalar | Special): boolean {
  return type === "string"
    ? typeof value === "string"
    : findScalarRejection(value, type) === undefined;
}

/** How many more errors get a path, and how many are only counted. */
interface Count {
  left: number;
  omitted: number;
}

/** A value of the wrong type. */
interface DecodeError {
  /** The path of the value, built from the end: `.name`, `[index]`, `[key]`. */
  path: string;
  readonly value: unknown;
  readonly rejection: ValueRejection;
}

/** The errors in value order, or `undefined` if there are none, which is the usual case. */
type DecodeErrors = DecodeError[] | undefined;

function memberMistakes(value: unknown, member: Member, count: Count): DecodeErrors {
  if (isAbsent(value)) return undefined;
  switch (member.collection) {
    case "none":
      return collectElementErrors(value, member, count);
    case "list":
      return Array.isArray(value)
        ? collectListErrors(value, member, count)
        : createDecodeError(value, wrongTypeReason("must be a list"), count);
    case "map":
      return isObject(value)
        ? mapMistakes(value, member, count)
        : createDecodeError(value, wrongTypeReason("must be an object"), count);
  }
}

function collectListErrors(list: readonly unknown[], element: Element, count: Count): DecodeErrors {
  let errors: DecodeErrors;
  for (let index = 0; index < list.length; index++) {
    const found = collectElementErrors(list[index], element, count);
    if (found !== undefined) errors = addMistakes(errors, `[${index}]`, found);
  }
  return errors;
}

function mapMistakes(map: JsonObject, element: Element, count: Count): DecodeErrors {
  let errors: DecodeErrors;
  for (const key of Object.keys(map)) {
    const found = collectElementErrors(map[key], element, count);
    if (found === undefined) continue;
    errors = addMistakes(errors, `[${truncateText(key, MAX_KEY_BYTES)}]`, found);
  }
  return errors;
}

function collectElementErrors(
  value: unknown,
  { type, typedShape }: Element,
  count: Count,
): DecodeErrors {
  if (isAbsent(value)) return undefined;
  if (typedShape !== undefined) {
    return isObject(value)
      ? collectObjectErrors(value, typedShape, count)
      : createDecodeError(value, wrongTypeReason("must be an object"), count);
  }
  const rejection = findScalarRejection(value, type as Scalar | Special);
  return rejection === undefined ? undefined : createDecodeError(value, rejection, count);
}

function collectObjectErrors(object: JsonObject, { byName }: Shape, count: Count): DecodeErrors {
  let errors: DecodeErrors;
  for (const name of Object.keys(object)) {
    const member = byName.get(name);
    const found = member === undefined ? undefined : memberMistakes(object[name], member, count);
    if (found !== undefined) errors = addMistakes(errors, `.${name}`, found);
  }
  return errors;
}

function createDecodeError(value: unknown, rejection: ValueRejection, count: Count): DecodeErrors {
  if (count.left === 0) {
    count.omitted += 1;
    return undefined;
  }
  count.left -= 1;
  return [{ path: "", value, rejection }];
}

function addMistakes(mistakes: DecodeErrors, step: string, found: DecodeError[]): DecodeError[] {
  for (const one of found) one.path = step + one.path;
  if (mistakes === undefined) return found;
  for (const one of found) mistakes.push(one);
  return mistakes;
}

interface ValueRejection {
  readonly error: typeof invalid;
  readonly claim: string;
}

function wrongTypeReason(claim: string): ValueRejection {
  return { error: typeInvalid, claim };
}

function wrongValueReason(claim: string): ValueRejection {
  return { error: invalid, claim };
}

function findScalarRejection(value: unknown, type: Scalar | Special): ValueRejection | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? undefined : wrongTypeReason("must be a string");
    case "boolean":
      return typeof value === "boolean" ? undefined : wrongTypeReason("must be true or false");
    case "int32":
    case "int64":
    case "integer":
      return findIntegerRejection(value, type, "must be an integer");
    case "IntOrString":
      if (typeof value === "string") return undefined;
      return findIntegerRejection(value, "int32", "must be an integer or a string");
    case "Quantity":
      return findQuantityRejection(value);
    case "Time":
      return findTimeRejection(value);
  }
}

function findIntegerRejection(
  value: unknown,
  type: "int32" | "int64" | "integer",
  claim: string,
): ValueRejection | undefined {
  if (typeof value !== "number") return wrongTypeReason(claim);
  if (!Number.isInteger(value)) return wrongValueReason(claim);
  if (type === "int32") {
    return isInt32(value)
      ? undefined
      : wrongValueReason(`must be between ${MIN_INT32} and ${MAX_INT32}`);
  }
  return isInt64(value) ? undefined : wrongValueReason("must fit into 64 bits");
}

function findQuantityRejection(value: unknown): ValueRejection | undefined {
  const parsed = parseQuantity(value);
  if (parsed.ok) return undefined;
  const isRightType = typeof value === "string" || typeof value === "number";
  return isRightType ? wrongValueReason(parsed.message) : wrongTypeReason(parsed.message);
}

function findTimeRejection(value: unknown): ValueRejection | undefined {
  if (readTimestamp(value) !== undefined) return undefined;
  const claim = "must be an RFC 3339 time such as 2026-02-07T06:56:19Z";
  return typeof value === "string" ? wrongValueReason(claim) : wrongTypeReason(claim);
}

function toFieldError({ path, value, rejection: { error, claim } }: DecodeError): FieldError {
  return error(path === "" ? NO_FIELD : path.slice(1), value, claim, formatShown(value));
}

/**
 * Returns a scalar unchanged. For a list or an object, returns only the type, because the value may be large and
 * deep.
 */
function formatShown(value: unknown): string {
  if (typeof value === "string") return formatValue(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? '"array"' : '"object"';
}
