import { isObject } from "@jobset-ts/api/kubernetes";
import { compareBytes, jsonQuote, truncateList, truncateQuoted } from "@jobset-ts/api/text";
import { formatInt64 } from "@jobset-ts/api/typed";

import { isArray, jsonKind } from "./json-kind.ts";

// The API server's messages show rejected values as Go prints them. Values may be nested deeper than the stack allows,
// so printing uses an explicit stack instead of recursion.

/** Text to print unchanged, or a value that is still to be printed. */
type Pending = { readonly text: string } | { readonly value: unknown };

/** How a printer writes scalars, lists and objects. */
interface Printer {
  readonly scalar: (value: unknown) => string;
  readonly list: readonly [open: string, separator: string, close: string];
  readonly object: readonly [open: string, separator: string, close: string];
  readonly memberName: (name: string) => string;
}

const json: Printer = {
  scalar: (value) => (typeof value === "string" ? jsonQuote(value) : jsonScalar(value)),
  list: ["[", ",", "]"],
  object: ["{", ",", "}"],
  memberName: (name) => `${jsonQuote(name)}:`,
};

const plain: Printer = {
  scalar: (value) => (typeof value === "string" ? value.toWellFormed() : plainScalar(value)),
  list: ["[", " ", "]"],
  object: ["map[", " ", "]"],
  memberName: (name) => `${name.toWellFormed()}:`,
};

/**
 * Returns a bad value as a field error shows it: text in quotes, numbers plain, lists and objects as JSON. Long text
 * and long lists are truncated.
 *
 * @see Kubernetes `field.Error.ErrorBody`
 */
export function badValueText(value: unknown): string {
  switch (jsonKind(value)) {
    case "string":
      return truncateQuoted(value as string);
    case "number":
      return plainScalar(value);
    case "array":
      return truncateList(value as readonly unknown[], goJson, json.list);
    default:
      return goJson(value);
  }
}

/**
 * Returns a value as Go's `json.Marshal` writes it: members in the order of their names, `<`, `>` and `&` escaped.
 *
 * @example goJson({ b: [1], a: "<" }) // => '{"a":"\\u003c","b":[1]}'
 */
export function goJson(value: unknown): string {
  return print(value, json);
}

/**
 * Returns a value as Go's `fmt` prints it with `%v`.
 *
 * @example goValue({ b: [1, "x"], a: null }) // => "map[a:<nil> b:[1 x]]"
 */
export function goValue(value: unknown): string {
  return print(value, plain);
}

/** Returns the Go type of a decoded JSON value, as `%T` prints it. */
export function goTypeName(value: unknown): string {
  return goTypeNames[jsonKind(value)];
}

const goTypeNames = {
  null: "<nil>",
  boolean: "bool",
  string: "string",
  integer: "int64",
  number: "float64",
  array: "[]interface {}",
  object: "map[string]interface {}",
} as const;

function print(root: unknown, printer: Printer): string {
  const printed: string[] = [];
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("text" in next) {
      printed.push(next.text);
    } else if (isArray(next.value)) {
      pushList(pending, next.value, printer);
    } else if (isObject(next.value)) {
      pushObject(pending, next.value, printer);
    } else {
      printed.push(printer.scalar(next.value));
    }
  }
  return printed.join("");
}

function pushList(pending: Pending[], list: readonly unknown[], printer: Printer) {
  const [open, separator, close] = printer.list;
  pending.push({ text: close });
  for (let index = list.length - 1; index >= 0; index -= 1) {
    pending.push({ value: list[index] }, { text: index === 0 ? "" : separator });
  }
  pending.push({ text: open });
}

function pushObject(
  pending: Pending[],
  object: Readonly<Record<string, unknown>>,
  printer: Printer,
) {
  const [open, separator, close] = printer.object;
  const names = Object.keys(object).sort(compareBytes);
  pending.push({ text: close });
  for (const [fromEnd, name] of names.reverse().entries()) {
    const before = fromEnd === names.length - 1 ? "" : separator;
    pending.push({ value: object[name] }, { text: `${before}${printer.memberName(name)}` });
  }
  pending.push({ text: open });
}

function jsonScalar(value: unknown): string {
  switch (jsonKind(value)) {
    case "integer":
      return formatInt64(value as number);
    case "number":
    case "boolean":
      return JSON.stringify(value);
    default:
      return "null";
  }
}

function plainScalar(value: unknown): string {
  switch (jsonKind(value)) {
    case "null":
      return "<nil>";
    case "integer":
      return formatInt64(value as number);
    case "number":
      return floatText(value as number);
    default:
      return String(value);
  }
}

/**
 * Returns a float as `%v` prints it: the shortest text that parses to the same value, with an exponent below −4 or
 * above 5.
 */
function floatText(value: number): string {
  const [digits = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (!Number.isFinite(value)) return String(value);
  if (exponent >= -4 && exponent <= 5) return String(value);
  const sign = exponent < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
