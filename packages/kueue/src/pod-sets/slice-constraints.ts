import { isInt32 } from "@jobset-ts/api/typed";
import type { SliceConstraint } from "../objects/workload.ts";
import type { GoParsed } from "./go-numbers.ts";

/**
 * Reads layers of slices as Go's decoder does: keys in whatever case, the last one of a name winning, and a size that is
 * written as an integer. A null is what is not there.
 *
 * @param text - a JSON list of `{"topology": …, "size": …}`
 * @returns of what cannot be read, words of our own, for Go's differ from version to version
 */
export function parseSliceConstraints(text: string): GoParsed<readonly SliceConstraint[]> {
  let document: unknown;
  try {
    JSON.parse(text);
    document = JSON.parse(asWritten(text));
  } catch {
    // The position that the runtime tells differs between runtimes.
    return refused("the text is no JSON");
  }
  if (document === null) return { ok: true, value: [] };
  if (!Array.isArray(document)) return refused("a list is expected");
  const constraints: SliceConstraint[] = [];
  for (const entry of document) {
    const constraint = constraintOf(entry);
    if (!constraint.ok) return constraint;
    constraints.push(constraint.value);
  }
  return { ok: true, value: constraints };
}

/**
 * JSON whose numbers are texts, so that 1.0 is not taken for 1, and whose keys are numbered, so that none is lost to an equal
 * one: texts begin with `s`, numbers with `n`, keys with a number and a colon.
 */
function asWritten(text: string): string {
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

function constraintOf(entry: unknown): GoParsed<SliceConstraint> {
  if (entry === null) return { ok: true, value: {} };
  if (typeof entry !== "object" || Array.isArray(entry)) return refused("an object is expected");
  let topology = "";
  let size = 0;
  for (const [numbered, value] of Object.entries(entry as object)) {
    const key = folded(numbered.slice(numbered.indexOf(":") + 1));
    if (value === null) continue;
    if (key === "topology") {
      if (typeof value !== "string" || !value.startsWith("s")) {
        return refused("a topology is a text");
      }
      topology = value.slice(1).toWellFormed();
    } else if (key === "size") {
      const written = typeof value === "string" && /^n-?\d+$/.test(value) ? value.slice(1) : "";
      if (written === "" || !isInt32(Number(written))) {
        return refused("a size is an integer of 32 bits");
      }
      size = Number(written) + 0;
    }
  }
  return {
    ok: true,
    value: { ...(topology !== "" && { topology }), ...(size !== 0 && { size }) },
  };
}

/** A key in lower case, with the two letters outside of ASCII that Go takes for others of it. */
function folded(key: string): string {
  return key.replace(/\u017f/g, "s").replace(/\u212a/g, "k").toLowerCase();
}

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `json: ${message}` };
}
