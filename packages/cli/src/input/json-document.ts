import type { Document } from "./document.ts";
import { jsonRefusals } from "./json-refusals.ts";
import { childrenOf, skipSpace } from "./json-text.ts";
import { lineIndexOf } from "./line-index.ts";
import type { LocatedValue } from "./located-value.ts";

/**
 * The document of a JSON text.
 *
 * JSON is YAML, but a list from a cluster may be of many megabytes, and the YAML reader takes a second for each.
 *
 * @returns `undefined` for a text that is no JSON, or more than one JSON value: the YAML reader says what it is
 */
export function readJsonDocument(text: string): Document | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parsedJson(text);
  if (value === undefined) return undefined;
  const positionAt = lineIndexOf(text);
  return {
    value,
    ...jsonRefusals(text, (offset) => positionAt(offset).line),
    root: locatedJson(text, skipSpace(text, 0)),
    positionAt,
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function locatedJson(text: string, start: number, offset = start): LocatedValue {
  let members: Map<string, LocatedValue> | undefined;
  let elements: LocatedValue[] | undefined;
  return {
    offset,
    members: () => {
      if (members !== undefined) return members;
      members = new Map();
      if (text[start] !== "{") return members;
      for (const { key, keyOffset, valueOffset } of childrenOf(text, start)) {
        members.set(key, locatedJson(text, valueOffset, keyOffset));
      }
      return members;
    },
    elements: () => {
      elements ??=
        text[start] === "["
          ? Array.from(childrenOf(text, start), (child) => locatedJson(text, child.valueOffset))
          : [];
      return elements;
    },
  };
}
