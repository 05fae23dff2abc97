import { isInt32 } from "@jobset-ts/api/typed";
import type { SliceConstraint } from "../objects/workload.ts";
import type { GoParseResult } from "./go-numbers.ts";

/**
 * Reads layers of slices as Go's decoder does: keys in whatever case, the last one of a name winning, and a size that is
 * written as an integer. A null is what is not there.
 *
 * @param text - a JSON list of `{"topology": …, "size": …}`
 * @returns of a value that has the wrong type, what Go says; of a text that is not JSON, words of ours, since each engine has its own
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

/** How many lists and objects Go's decoder nests. */
const MAX_DEPTH = 10_000;

/** The value that a text holds, as {@link preserveSourceText} writes it; undefined of what Go's decoder refuses as JSON. */
function parseDocument(text: string): unknown {
  try {
    JSON.parse(text);
    return measureDepth(text) > MAX_DEPTH ? undefined : JSON.parse(preserveSourceText(text));
  } catch {
    return undefined;
  }
}

/** How many lists and objects a JSON text nests. */
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
 * JSON whose numbers are texts, so that 1.0 is not taken for 1, and whose keys are numbered, so that none is lost to an equal
 * one: texts begin with `s`, numbers with `n`, keys with a number and a colon.
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

/** Of a number that is out of place, Go shows which one it is only where it expects another number. */
function unmarshalTypeError(
  value: unknown,
  wanted: string,
  shown = "",
): { readonly ok: false; readonly message: string } {
  return {
    ok: false,
    message: `json: cannot unmarshal ${getKind(value)}${shown} into Go ${wanted}`,
  };
}

/** What Go calls the kind of a value, of which numbers and texts are marked. */
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
