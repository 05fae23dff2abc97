import { MAX_DETAIL_BYTES, MAX_VALUE_BYTES, truncateQuoted, truncateText } from "./bounded-text.ts";
import { goQuote } from "./quote.ts";

/**
 * Why a field is invalid, in the words of the Kubernetes API (`details.causes[].reason`).
 *
 * @see Kubernetes `metav1.CauseType`, `field.ErrorType`
 */
export type FieldErrorType =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueTypeInvalid"
  | "FieldValueNotSupported"
  | "FieldValueDuplicate"
  | "FieldValueNotFound"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "InternalError";

/** The path that Kubernetes prints for an error without a field. */
export const NO_FIELD = "<nil>";

/**
 * One invalid field.
 *
 * `body` is the text that the API uses as a cause's `message`: the kind of error, the bad value and the detail. It
 * contains at most 16 KiB of the bad value and 8 KiB of detail. Longer texts end in `…`, if possible with `… (N more)`.
 * {@link formatFieldError} adds the path.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path, like `spec.replicatedJobs[0].replicas`, or {@link NO_FIELD}. */
  readonly field: string;
  /** The invalid value as in the object. Absent if Kubernetes does not show it. */
  readonly badValue?: unknown;
  /** Everything after the path, for people. Programs read `type`. */
  readonly body: string;
}

/** Formats a field error as Kubernetes prints it: `<field>: <body>`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${error.body}`;
}

/** Returns the error for a required member that is missing. */
export function required(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, body: withDetail("Required value", detail) };
}

/**
 * Returns the error for a value that breaks a rule.
 *
 * @param printedValue - the bad value as Kubernetes prints it, if that differs from {@link formatValue}
 */
export function invalid(
  field: string,
  badValue: unknown,
  detail: string,
  printedValue = formatValue(badValue),
): FieldError {
  return {
    type: "FieldValueInvalid",
    field,
    badValue,
    body: withDetail(withValue("Invalid value", printedValue), detail),
  };
}

/** Returns the error for a value of the wrong type. */
export function typeInvalid(
  field: string,
  badValue: unknown,
  detail: string,
  printedValue = formatValue(badValue),
): FieldError {
  return { ...invalid(field, badValue, detail, printedValue), type: "FieldValueTypeInvalid" };
}

/** Returns the error for a value outside a closed list. The message shows the list in this order. */
export function notSupported(
  field: string,
  badValue: unknown,
  supported: readonly string[],
  printedValue = formatValue(badValue),
): FieldError {
  const values = supported.map(goQuote).join(", ");
  return {
    type: "FieldValueNotSupported",
    field,
    badValue,
    body: `${withValue("Unsupported value", printedValue)}: supported values: ${values}`,
  };
}

/** Returns the error for a repeated value that must be unique. `shown` is its form in Kubernetes' message. */
export function duplicate(
  field: string,
  badValue: unknown,
  printedValue = formatValue(badValue),
): FieldError {
  return {
    type: "FieldValueDuplicate",
    field,
    badValue,
    body: withValue("Duplicate value", printedValue),
  };
}

/** Returns the error for an unknown name, such as that of a volume. */
export function notFound(field: string, badValue: unknown, detail = ""): FieldError {
  return {
    type: "FieldValueNotFound",
    field,
    badValue,
    body: withDetail(withValue("Not found", formatValue(badValue)), detail),
  };
}

/** Returns the error for a field that must not be set or changed in this situation. */
export function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, body: withDetail("Forbidden", detail) };
}

/** Returns the error for a text of more than `maxBytes` bytes. The value itself is not shown. */
export function tooLong(field: string, badValue: unknown, maxBytes: number): FieldError {
  return {
    type: "FieldValueTooLong",
    field,
    badValue,
    body: `Too long: may not be more than ${maxBytes} bytes`,
  };
}

/** Returns the error for a list of `count` elements of which only `max` are allowed. */
export function tooMany(field: string, count: number, max: number): FieldError {
  return {
    type: "FieldValueTooMany",
    field,
    badValue: count,
    body: `Too many: ${count}: must have at most ${max} items`,
  };
}

/** Returns the error for a mistake that upstream reports as an internal error, with or without a field. */
export function internalError(detail: string, field: string = NO_FIELD): FieldError {
  return { type: "InternalError", field, body: withDetail("Internal error", detail) };
}

/** Returns a scalar as Kubernetes prints an invalid value: text in quotes, other values as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return truncateQuoted(value);
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '"object"'; // Nested too deeply for the stack. The API server also shows the type if it cannot show a value.
  }
}

function withValue(kind: string, printedValue: string): string {
  return `${kind}: ${truncateText(printedValue, MAX_VALUE_BYTES)}`;
}

function withDetail(kind: string, detail: string): string {
  return detail === "" ? kind : `${kind}: ${truncateText(detail, MAX_DETAIL_BYTES)}`;
}
