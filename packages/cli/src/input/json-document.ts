import type { Position } from "../output/diagnostics.ts";
import type { Document } from "./document.ts";
import { errorMessages } from "./document-error.ts";
import { listJsonErrors } from "./json-errors.ts";
import { listChildren, parseJson, skipSpace } from "./json-text.ts";
import { findJsonValues } from "./json-values.ts";
import { getLineIndex } from "./line-index.ts";
import type { LocatedValue } from "./located-value.ts";

/**
 * Reads the documents of a JSON text: its values, one after the other.
 *
 * JSON is valid YAML, but the YAML reader needs half a second per megabyte, and a list from a cluster can have many
 * megabytes. For this reason, a text that ends within a JSON value is rejected here, too.
 *
 * @returns `undefined` for a text that is not JSON, which the YAML reader reports
 */
export function readJsonDocuments(text: string): readonly Document[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const positionAt = getLineIndex(text);
  const value = parseJson(text);
  if (value !== undefined) return [createDocument(value, text, positionAt)];
  const found = findJsonValues(text);
  switch (found.outcome) {
    case "NotJson":
      return undefined;
    case "CutOff":
      return [createTruncatedDocument(text, positionAt)];
    case "Values": {
      const documents: Document[] = [];
      for (const { start, end } of found.spans) {
        const part = text.slice(start, end);
        const partValue = parseJson(part);
        if (partValue === undefined) return undefined;
        documents.push(createDocument(partValue, part, (offset) => positionAt(start + offset)));
      }
      return documents;
    }
  }
}

type PositionAt = (offset: number) => Position;

function createDocument(value: unknown, text: string, positionAt: PositionAt): Document {
  return {
    value,
    ...listJsonErrors(text, (offset) => positionAt(offset).line),
    root: locateJson(text, skipSpace(text, 0)),
    positionAt,
  };
}

function createTruncatedDocument(text: string, positionAt: PositionAt): Document {
  const error = { offset: text.length, field: "", message: errorMessages.cutOff };
  const root = locateJson("null", 0);
  return { value: null, errors: [error], duplicates: [], root, positionAt };
}

function locateJson(text: string, start: number, offset = start): LocatedValue {
  let members: Map<string, LocatedValue> | undefined;
  let elements: LocatedValue[] | undefined;
  return {
    offset,
    members: () => {
      if (members !== undefined) return members;
      members = new Map();
      if (text[start] !== "{") return members;
      for (const { key, keyOffset, valueOffset } of listChildren(text, start)) {
        members.set(key, locateJson(text, valueOffset, keyOffset));
      }
      return members;
    },
    elements: () => {
      elements ??=
        text[start] === "["
          ? Array.from(listChildren(text, start), (child) => locateJson(text, child.valueOffset))
          : [];
      return elements;
    },
  };
}
