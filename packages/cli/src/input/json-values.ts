import { findStringEnd, findWordEnd, skipSpace } from "./json-text.ts";

/** The position of a JSON value in a text. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** The consecutive values of a text, or the reason why it contains something else. */
export type JsonValues =
  | { readonly outcome: "Values"; readonly spans: readonly JsonSpan[] }
  /** The text ends within a value. */
  | { readonly outcome: "CutOff" }
  | { readonly outcome: "NotJson" };

/** The tokens that can come next. */
type Next = "Value" | "FirstElement" | "Key" | "FirstKey" | "Colon" | "Comma";

const closers = { "{": "}", "[": "]" } as const;

/**
 * Finds the JSON values of a text, separated by white space or lines `---`. Checks only the structure. `JSON.parse`
 * validates strings and literals. Takes linear time.
 */
export function findJsonValues(text: string): JsonValues {
  const spans: JsonSpan[] = [];
  let at = skipSeparators(text, 0);
  while (at < text.length) {
    const end = findJsonEnd(text, at);
    if (typeof end === "string") return { outcome: end };
    spans.push({ start: at, end });
    at = skipSeparators(text, end);
  }
  return { outcome: "Values", spans };
}

function skipSeparators(text: string, start: number): number {
  let at = skipSpace(text, start);
  while (/^---(?=\s|$)/.test(text.slice(at, at + 4)) && (at === 0 || text[at - 1] === "\n")) {
    at = skipSpace(text, at + 3);
  }
  return at;
}

/** Returns the offset after the object or list at `start`. A string or number is not valid on its own. */
function findJsonEnd(text: string, start: number): number | "CutOff" | "NotJson" {
  const open: ("{" | "[")[] = [];
  let next: Next = "Value";
  let at = start;
  do {
    const character = text[at];
    if (character === undefined) return "CutOff";
    const inner = open.at(-1);
    const mayClose = next === "Comma" || next === "FirstElement" || next === "FirstKey";
    const isValueNext: boolean = next === "Value" || next === "FirstElement";
    if (mayClose && inner !== undefined && character === closers[inner]) {
      open.pop();
      next = "Comma";
      at++;
    } else if (next === "Comma" && character === ",") {
      next = inner === "{" ? "Key" : "Value";
      at++;
    } else if (next === "Colon" && character === ":") {
      next = "Value";
      at++;
    } else if (isValueNext && (character === "{" || character === "[")) {
      open.push(character);
      next = character === "{" ? "FirstKey" : "FirstElement";
      at++;
    } else if (inner !== undefined && character === '"' && next !== "Colon" && next !== "Comma") {
      next = isValueNext ? "Comma" : "Colon";
      at = findStringEnd(text, at);
    } else if (inner !== undefined && isValueNext && /[-\dtfn]/.test(character)) {
      next = "Comma";
      at = findWordEnd(text, at);
    } else return "NotJson";
    if (open.length > 0) at = skipSpace(text, at);
  } while (open.length > 0);
  return at;
}
