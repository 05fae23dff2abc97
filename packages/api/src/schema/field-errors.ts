import type * as z from "zod";
import {
  type FieldError,
  forbidden,
  invalid,
  NO_FIELD,
  notSupported,
  required,
  typeInvalid,
} from "../field-error.ts";
import { suggestName } from "../suggest-name.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The JSON names of types that zod names differently. */
const jsonTypes: ReadonlyMap<string, string> = new Map([
  ["int", "integer"],
  ["number", "integer"], // all number members of our schemas are integers
  ["record", "object"],
]);

/**
 * Converts the issues of a schema to field errors in the API server's words.
 *
 * @param value - the value that the schema refused
 * @param known - the members that an object may have, by its path
 */
export function toFieldErrors(
  issues: readonly Issue[],
  value: unknown,
  known: ReadonlyMap<string, readonly string[]>,
): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) =>
          unknownField(key, issue.path, known.get(getField(issue.path)) ?? []),
        )
      : [toFieldError(issue, valueAt(value, issue.path))],
  );
}

function unknownField(key: string, path: Path, known: readonly string[]): FieldError {
  return forbidden(getField([...path, key]), `unknown field${suggestName(key, known)}`);
}

function toFieldError(issue: Issue, value: unknown): FieldError {
  const field = getField(issue.path);
  // Null counts as absent, but a list has no absent elements.
  if (value === undefined || (value === null && typeof issue.path.at(-1) === "string")) {
    return required(field);
  }
  switch (issue.code) {
    case "invalid_type":
      return wrongType(field, value, jsonTypes.get(issue.expected) ?? issue.expected);
    case "invalid_value":
      return notInList(field, value, issue.values);
    case "invalid_union": // the tag of a discriminated union is unknown
      return notInList(field, value, ("options" in issue && issue.options) || []);
    case "too_big":
      return invalid(field, value, `must be no more than ${issue.maximum}`);
    case "too_small":
      return invalid(field, value, `must be no less than ${issue.minimum}`);
    default:
      return invalid(field, value, issue.message);
  }
}

function notInList(field: string, value: unknown, list: readonly unknown[]): FieldError {
  if (typeof value !== "string") return wrongType(field, value, "string");
  return notSupported(field, value, list.map(String));
}

function wrongType(field: string, value: unknown, expected: string): FieldError {
  const actual = `"${getJsonType(value)}"`;
  const where = field === NO_FIELD ? "" : `${field} in body `;
  return typeInvalid(field, value, `${where}must be of type ${expected}: ${actual}`, actual);
}

function getJsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (parent, key) =>
      typeof parent === "object" && parent !== null && Object.hasOwn(parent, key)
        ? parent[key as keyof typeof parent]
        : undefined,
    value,
  );
}

/** Returns a path like `spec.replicatedJobs[0].template`. Keys that are not plain words are in brackets. */
export function getField(path: Path): string {
  if (path.length === 0) return NO_FIELD;
  return path.reduce<string>((parent, key) => {
    if (typeof key === "number" || !/^\w+$/.test(String(key))) return `${parent}[${String(key)}]`;
    return parent === "" ? String(key) : `${parent}.${String(key)}`;
  }, "");
}
