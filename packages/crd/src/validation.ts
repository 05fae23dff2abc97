import {
  type FieldError,
  invalid,
  NO_FIELD,
  notSupported,
  required,
  type TruncatedErrors,
  tooLong,
  tooMany,
  truncateErrors,
  typeInvalid,
} from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { goQuote, truncateQuoted } from "@jobset-ts/api/text";
import { isInt32 } from "@jobset-ts/api/typed";

import { isDateTime } from "./formats.ts";
import { badValueText } from "./go-text.ts";
import { type JsonKind, jsonKind } from "./json-kind.ts";
import { bodyText, elementPath, mapKeyPath, memberPath, type Path } from "./path.ts";
import { mayHavePast, type OldValue, type Ratchet } from "./ratchet.ts";
import { createNode, isMapKey, memberNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The data about the old object for the validation of an update. */
export interface Before {
  readonly old: OldValue;
  readonly ratchet: Ratchet;
}

/**
 * Returns the schema errors of a value: wrong types, missing members, values outside their limits. On an update, errors
 * in an unchanged part are tolerated. The value should be pruned and defaulted.
 *
 * @param at.field - the path of the value in its object, like `status`; absent for the object itself. As in upstream,
 *   messages contain only the path below the value
 * @see Kubernetes `apiextensions-apiserver/pkg/apiserver/validation`; kube-openapi `validate`
 */
export function schemaErrors(
  value: unknown,
  schema: StructuralSchema,
  at: { readonly field?: string; readonly before?: Before } = {},
): TruncatedErrors<FieldError> {
  const errors = truncateErrors();
  checkValue(value, createNode(schema), undefined, at.before?.old, {
    errors,
    ratchet: at.before?.ratchet,
    field: at.field,
  });
  return errors;
}

/** The values that are constant during a validation. */
interface Validation {
  readonly errors: TruncatedErrors<FieldError>;
  readonly ratchet: Ratchet | undefined;
  readonly field: string | undefined;
}

function checkValue(
  value: unknown,
  node: SchemaNode,
  path: Path,
  old: OldValue,
  validation: Validation,
) {
  const { errors, ratchet } = validation;
  // All errors in an identical value are tolerated.
  if (old !== undefined && old === value && ratchet?.isUnchanged(value, old, node)) return;
  const { schema } = node;
  // Ratcheting applies only if there is an old value.
  const before = old === undefined ? undefined : errors.mark();
  const kind = jsonKind(value);
  checkType(value, kind, schema, path, validation);
  switch (kind) {
    case "null":
      break;
    case "string":
      checkText(value as string, node, path, validation);
      break;
    case "integer":
    case "number":
      checkNumber(value as number, kind, schema, path, validation);
      break;
    case "array":
      checkElements(value as readonly unknown[], node, path, old, validation);
      break;
    case "object":
      checkMembers(value as JsonObject, node, path, old, validation);
      break;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    const supported = schema.enum;
    errors.add(() =>
      notSupported(getField(path, validation), value, supported, badValueText(value)),
    );
  }
  if (before === undefined || errors.count === before.count) return;
  if (ratchet?.isUnchanged(value, old, node)) errors.reset(before);
}

/**
 * Checks the type in two steps: first the format, for values that are neither text nor lists, then the type itself. The
 * second step skips text and lists if the schema declares a format of text.
 */
function checkType(
  value: unknown,
  kind: JsonKind,
  schema: StructuralSchema,
  path: Path,
  validation: Validation,
) {
  if (schema["x-kubernetes-int-or-string"] === true) {
    checkIntOrString(value, kind, path, validation);
    return;
  }
  const { type, format } = schema;
  if (type === undefined) return;
  if (kind === "null") {
    if (schema.nullable !== true) addTypeError(type, "null", path, validation);
    return;
  }
  const fits = kind === type || (type === "integer" && isNearlyInteger(value));
  const isTextOrList = kind === "string" || kind === "array";
  if (format !== undefined && !isTextOrList) {
    if (!fits) addTypeError(format, FORMAT_BY_KIND[kind] ?? "", path, validation);
  } else if (format === "date-time") {
    if (kind === "string" && !isDateTime(value as string)) {
      addTypeError(format, value as string, path, validation);
    }
  } else if (!fits) {
    addTypeError(type, kind, path, validation);
  }
}

/** The format that a decoded number has by itself. */
const FORMAT_BY_KIND: Readonly<Partial<Record<JsonKind, string>>> = {
  integer: "int64",
  number: "float64",
};

/** Upstream checks the union, then its first alternative, and finally reports that no alternative matches. */
function checkIntOrString(value: unknown, kind: JsonKind, path: Path, validation: Validation) {
  if (kind === "integer" || kind === "string") return;
  const fits = isNearlyInteger(value);
  if (!fits) addTypeError("integer,string", kind, path, validation);
  if (kind === "null") return;
  if (!fits) addTypeError("integer", kind, path, validation);
  if (kind === "number") addRangeError("integer (default format)", path, validation);
  validation.errors.add(() => {
    const detail = `${goQuote(bodyText(path))} must validate at least one schema (anyOf)`;
    return withoutField(detail, validation);
  });
}

function checkText(text: string, node: SchemaNode, path: Path, validation: Validation) {
  const { errors } = validation;
  const { schema, matches } = node;
  const { minLength, maxLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && pattern === undefined) return;
  const length = characterCount(text);
  const at = () => getField(path, validation);
  if (maxLength !== undefined && length > maxLength) {
    errors.add(() => tooLong(at(), text, maxLength));
  } else if (minLength !== undefined && length < minLength) {
    errors.add(() => {
      const detail = `${bodyText(path)} in body should be at least ${minLength} chars long`;
      return invalid(at(), text, detail);
    });
  } else if (matches?.(text) === false) {
    errors.add(() => {
      return invalid(at(), text, `${bodyText(path)} in body should match '${pattern}'`);
    });
  }
}

function checkNumber(
  number: number,
  kind: "integer" | "number",
  schema: StructuralSchema,
  path: Path,
  validation: Validation,
) {
  const { type, format, minimum } = schema;
  if (type === "integer" && (kind === "number" || (format === "int32" && !isInt32(number)))) {
    const expected =
      format === undefined ? "integer (default format)" : `integer with format ${format}`;
    addRangeError(expected, path, validation);
  }
  if (minimum !== undefined && number < minimum) {
    validation.errors.add(() => {
      const detail = `${bodyText(path)} in body should be greater than or equal to ${minimum}`;
      return invalid(getField(path, validation), number, detail, badValueText(number));
    });
  }
}

function checkElements(
  list: readonly unknown[],
  node: SchemaNode,
  path: Path,
  old: OldValue,
  validation: Validation,
) {
  const { items, schema } = node;
  if (items !== undefined) {
    for (let index = 0; index < list.length; index += 1) {
      const element = list[index];
      if (isPlain(element, items)) continue;
      const before =
        old === undefined ? undefined : validation.ratchet?.oldElement(old, element, node);
      checkValue(element, items, elementPath(path, index), before, validation);
    }
  }
  const { maxItems } = schema;
  if (maxItems !== undefined && list.length > maxItems) {
    validation.errors.add(() => tooMany(getField(path, validation), list.length, maxItems));
  }
}

function checkMembers(
  object: JsonObject,
  node: SchemaNode,
  path: Path,
  old: OldValue,
  validation: Validation,
) {
  for (const name of Object.keys(object)) {
    const below = memberNode(node, name);
    if (below === undefined || isPlain(object[name], below)) continue;
    const at = isMapKey(node, name) ? mapKeyPath(path, name) : memberPath(path, name);
    const before =
      old !== undefined && mayHavePast(name, path === undefined)
        ? validation.ratchet?.oldMember(old, name, node)
        : undefined;
    checkValue(object[name], below, at, before, validation);
  }
  for (const name of node.schema.required ?? []) {
    if (Object.hasOwn(object, name)) continue;
    validation.errors.add(() => required(getField(memberPath(path, name), validation)));
  }
}

/** Most values are scalars with only a type. They cannot fail, so they need no path. */
function isPlain(value: unknown, { plainType }: SchemaNode): boolean {
  if (plainType === undefined) return false;
  return plainType === "integer" ? isInt32(value) : typeof value === plainType;
}

function addTypeError(expected: string, actual: string, path: Path, validation: Validation) {
  validation.errors.add(() => {
    const detail = `${bodyText(path)} in body must be of type ${expected}: ${truncateQuoted(actual)}`;
    return typeInvalid(getField(path, validation), actual, detail);
  });
}

function addRangeError(expected: string, path: Path, validation: Validation) {
  validation.errors.add(() => {
    const detail = `Checked value must be of type ${expected} in ${bodyText(path)}`;
    return withoutField(detail, validation);
  });
}

/** Upstream loses the path of some errors. The remaining path is that of the validated value. */
function withoutField(detail: string, validation: Validation): FieldError {
  return invalid(validation.field ?? NO_FIELD, "", detail);
}

function getField(path: Path, { field }: Validation): string {
  const below = bodyText(path).replace(/^\./, "");
  if (field === undefined) return below === "" ? NO_FIELD : below;
  return below === "" ? field : `${field}.${below}`;
}

/**
 * Reports whether upstream accepts a float as an integer. It ignores a fraction that is small relative to the number.
 */
function isNearlyInteger(value: unknown): boolean {
  if (typeof value !== "number" || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  return value === whole || (whole > 0 && (value - whole) / (value + whole) < 1e-9);
}

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
