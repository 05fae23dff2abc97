import { isInt32 } from "@jobset-ts/api/typed";
import type { SliceConstraint } from "../objects/workload.ts";
import type { GoParseResult } from "./go-numbers.ts";

/**
 * Parses slice layers as Go's JSON decoder does. Keys are case-insensitive, the last of equal keys wins, and sizes must
 * be written as integers. A null counts as absent.
 *
 * @param text - a JSON list of `{"topology": …, "size": …}`
 * @returns the layers, or an error: Go's message for a wrong type, and a fixed message for invalid JSON
 */
export function parseSliceConstraints(text: string): GoParseResult<readonly SliceConstraint[]> {
  const document = parseDocument(text);
  if (document === undefined) return { ok: false, message: "it is not valid JSON" };
  if (document === null) return { ok: true, value: [] };
  const type = "v1beta2.PodsetSliceRequiredTopologyConstraint";
  if (!Array.isArray(document)) return unmarshalTypeError(document, `value of type []${type}`);
  const constraints: SliceConstraint[] = [];
  for (const entry of document) {
    if (entry === null) {
      constraints.push({});
      continue;
    }
    if (typeof entry !== "object" || Array.isArray(entry)) {
      return unmarshalTypeError(entry, `value of type ${type}`);
    }
    const constraint = getConstraint(entry);
    if (!constraint.ok) return constraint;
    constraints.push(constraint.value);
  }
  return { ok: true, value: constraints };
}

/** The maximum nesting depth of Go's decoder. */
const MAX_DEPTH = 10_000;

/**
 * Parses JSON with the marks of {@link preserveSourceText}. Returns `undefined` if Go's decoder rejects the text as
 * JSON.
 */
function parseDocument(text: string): unknown {
  try {
    JSON.parse(text);
    return measureDepth(text) > MAX_DEPTH ? undefined : JSON.parse(preserveSourceText(text));
  } catch {
    return undefined;
  }
}

/** Returns the nesting depth of a JSON text. */
function measureDepth(text: string): number {
  let [depth, most] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

/**
 * Rewrites JSON so that parsing loses nothing. Numbers become strings, because 1.0 must differ from 1. Keys are
 * numbered, because duplicate keys must be kept. Strings start with `s`, numbers with `n`, and keys with a number and a
 * colon.
 */
function preserveSourceText(text: string): string {
  let keys = 0;
  return text.replace(
    /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*/g,
    (token, content: string | undefined, colon: string | undefined) => {
      if (content === undefined) return `"n${token}"`;
      if (colon === undefined) return `"s${content}"`;
      keys += 1;
      return `"${keys}:${content}":`;
    },
  );
}

function getConstraint(entry: object): GoParseResult<SliceConstraint> {
  let topology = "";
  let size = 0;
  for (const [numbered, value] of Object.entries(entry)) {
    const key = foldKey(numbered.slice(numbered.indexOf(":") + 1));
    if (value === null) continue;
    if (key === "topology") {
      if (getKind(value) !== "string")
        return unmarshalTypeError(value, structField("topology", "string"));
      topology = value.slice(1).toWellFormed();
    } else if (key === "size") {
      const written = getKind(value) === "number" ? value.slice(1) : "";
      const number = /^-?\d+$/.test(written) ? Number(written) : Number.NaN;
      if (!isInt32(number)) {
        return unmarshalTypeError(
          value,
          structField("size", "int32"),
          written === "" ? "" : ` ${written}`,
        );
      }
      size = number;
    }
  }
  const zeroLeftOut = { ...(topology !== "" && { topology }), ...(size !== 0 && { size }) };
  return { ok: true, value: zeroLeftOut };
}

function structField(name: string, type: string): string {
  return `struct field PodsetSliceRequiredTopologyConstraint.${name} of type ${type}`;
}

/** Returns Go's type error. Go shows the number itself only if it expects another type of number. */
function unmarshalTypeError(
  value: unknown,
  goType: string,
  shown = "",
): { readonly ok: false; readonly message: string } {
  return {
    ok: false,
    message: `json: cannot unmarshal ${getKind(value)}${shown} into Go ${goType}`,
  };
}

/** Returns Go's name for the type of a value in which numbers and strings are marked. */
function getKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return value.startsWith("n") ? "number" : "string";
  return typeof value === "boolean" ? "bool" : "object";
}

/** Returns a key in lower case, including the two non-ASCII letters that Go folds to ASCII ones. */
function foldKey(key: string): string {
  return key
    .replace(/\u017f/g, "s")
    .replace(/\u212a/g, "k")
    .toLowerCase();
}
