import { isObject } from "@jobset-ts/api/kubernetes";
import type { Document } from "./document.ts";
import { readJsonDocuments } from "./json-document.ts";
import { listJsonErrors } from "./json-errors.ts";
import type { LocatedValue } from "./located-value.ts";

/** The nesting levels around an item: the list, and its `items`. */
const LEVELS_ABOVE = 2;

/**
 * Reads the `List` that kubectl writes, item by item. The whole text would take as much memory as the bytes, or twice
 * as much with a character beyond Latin-1.
 *
 * @param changed - applied to each item, so that no original item stays in memory
 * @param textOf - decodes the bytes for the positions of values; called only for errors
 * @returns `undefined` for other input, and if the text contains an error
 */
export function readLargeList(
  bytes: Uint8Array,
  changed: (item: unknown) => unknown,
  textOf: () => string,
): Document | undefined {
  const found = findItems(bytes);
  if (found === undefined) return undefined;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parseParts = (...parts: readonly Uint8Array[]): unknown => {
    const text = parts.map((part) => decoder.decode(part)).join("[]");
    const value: unknown = JSON.parse(text);
    const wrong = listJsonErrors(text, () => 0, parts.length === 1 ? LEVELS_ABOVE : 0);
    if (wrong.errors.length > 0 || wrong.duplicates.length > 0) throw new SyntaxError("refused");
    return value;
  };
  try {
    const list = parseParts(bytes.subarray(0, found.start), bytes.subarray(found.end));
    if (!isObject(list) || (list as { readonly kind?: unknown }).kind !== "List") return undefined;
    const items: unknown[] = [];
    const { bounds } = found;
    const isEmpty = bounds.length === 2 && isBlank(bytes.subarray((bounds[0] ?? 0) + 1, bounds[1]));
    for (let at = 0; at + 1 < bounds.length && !isEmpty; at++) {
      const [start, end] = [(bounds[at] ?? 0) + 1, bounds[at + 1]];
      items.push(changed(parseParts(bytes.subarray(start, end))));
    }
    const whole = memoize(() => readJsonDocuments(textOf())?.[0]);
    return {
      value: { ...list, items },
      errors: [],
      duplicates: [],
      root: locateOnDemand(whole),
      positionAt: (offset) => whole()?.positionAt(offset) ?? { line: 1, column: 1 },
    };
  } catch {
    return undefined;
  }
}

/** Returns whether bytes are JSON white space. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

function memoize<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}

function locateOnDemand(whole: () => Document | undefined): LocatedValue {
  return {
    get offset() {
      return whole()?.root.offset ?? 0;
    },
    members: () => whole()?.root.members() ?? new Map(),
    elements: () => whole()?.root.elements() ?? [],
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPENERS: ReadonlySet<number> = new Set([0x7b, OPEN_LIST]);
const CLOSERS: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const ITEMS = [..."items"].map((letter) => letter.charCodeAt(0));

interface FoundItems {
  /** The start and end of the list of items, including its brackets. */
  readonly start: number;
  readonly end: number;
  /** The offsets of the brackets, and of the commas between items. */
  readonly bounds: readonly number[];
}

/**
 * Finds the items of a JSON object by quotes, brackets and commas only. `JSON.parse` validates the text between them.
 */
function findItems(bytes: Uint8Array): FoundItems | undefined {
  const bounds: number[] = [];
  let [start, end, depth] = [-1, -1, 0];
  let expectsKey = true;
  let isItems = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const close = findTextEnd(bytes, at);
      if (depth === 1 && expectsKey) {
        isItems =
          close - at === ITEMS.length + 1 && ITEMS.every((one, i) => bytes[at + 1 + i] === one);
        // The object has a second list of items, and only the last one counts.
        if (isItems && start !== -1) return undefined;
        expectsKey = false;
      }
      at = close;
    } else if (OPENERS.has(byte)) {
      depth++;
      if (depth === 2 && isItems && byte === OPEN_LIST && start === -1) {
        start = at;
        bounds.push(at);
      }
    } else if (CLOSERS.has(byte)) {
      if (depth === 2 && isItems && start !== -1 && end === -1) {
        end = at + 1;
        bounds.push(at);
      }
      depth--;
      if (depth < 0) return undefined;
    } else if (byte === COMMA) {
      if (depth === 1) [expectsKey, isItems] = [true, false];
      else if (depth === 2 && isItems) bounds.push(at);
    }
  }
  return end === -1 || depth !== 0 ? undefined : { start, end, bounds };
}

/** Returns the closing quote of a string whose opening quote is at `start`, or the end of the bytes. */
function findTextEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    at = bytes.indexOf(QUOTE, at);
    if (at === -1) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
}
