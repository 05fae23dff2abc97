// Except for `parseJson`, these functions navigate a text that is known to be JSON. They do not check the syntax again.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the offset of the next character that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Returns the offset after a string whose opening quote is at `start`. */
export function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
    else if (Number.isNaN(code)) return at; // The offset is past the end, so the text is not JSON.
  }
}

/** Returns the offset after a number, `true`, `false` or `null`. */
export function findWordEnd(text: string, start: number): number {
  let at = start;
  while (/[\w.+-]/.test(text.charAt(at))) at++;
  return at;
}

/** Parses the string literal between two offsets. */
export function parseStringAt(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/** A member of an object, or an element of a list. An element has no key, and both its offsets are equal. */
export interface JsonChild {
  readonly key: string;
  readonly keyOffset: number;
  readonly valueOffset: number;
}

/** Yields the members or elements of the object or list at `start`. */
export function* listChildren(text: string, start: number): Generator<JsonChild, void, undefined> {
  const isObject = text[start] === "{";
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    const keyOffset = at;
    let key = "";
    if (isObject) {
      const keyEnd = findStringEnd(text, keyOffset);
      key = parseStringAt(text, keyOffset, keyEnd);
      at = skipSpace(text, skipSpace(text, keyEnd) + 1); // The colon.
    }
    yield { key, keyOffset, valueOffset: at };
    at = skipSpace(text, findValueEnd(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
}

function findValueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = findStringEnd(text, at);
    else {
      if (character === "{" || character === "[") depth++;
      else if (character === "}" || character === "]") depth--;
      else if (depth === 0) return findWordEnd(text, at);
      at++;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

/** Returns the value of a JSON text, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
