import type { Unvalidated } from "@jobset-ts/api";
import { asRecord, asString, isObject } from "@jobset-ts/api/kubernetes";
import { parseJson } from "../input/json-text.ts";

/** The maximum number of characters of one object, and of the list around its objects. */
const MAX_TEXT = 1 << 26;

/** The depth of the members of an object's metadata: list, items, object, metadata. */
const METADATA_DEPTH = 4;

/** The end of the text before the managed fields. An API server writes other members of the metadata before them. */
const beforeManagedFields = /,\s*"managedFields"\s*:\s*$/;

/** The maximum length of this end with a usual indentation. */
const MAX_NAME_LENGTH = 64;

/**
 * Reads the JSON of a list object by object while it arrives, so that a long list is never in memory as one
 * text. Omits managed fields, which are half of a Pod and take most of the time to parse.
 *
 * @example
 * const objects = [];
 * const reader = new ListReader((object) => objects.push(object));
 * reader.read(new TextEncoder().encode('{"kind": "List", "items": [{"kind": "Pod"}]}'));
 * reader.finish() // => ""
 * objects.length // => 1
 */
export class ListReader {
  readonly #take: (object: Readonly<Record<string, unknown>>) => void;
  readonly #decoder = new TextDecoder();
  /** The text of the list, with a 0 in place of each object. */
  #list = "";
  #object = "";
  #count = 0;
  #depth = 0;
  #isInList = false;
  #isInText = false;
  #isEscaped = false;
  #isInManagedFields = false;
  #isBroken = false;
  #nextPage: string | undefined;

  /** @param take - called for every object in a list that is a member of the outermost object */
  constructor(take: (object: Readonly<Record<string, unknown>>) => void) {
    this.#take = take;
  }

  /**
   * The token of the next page, as soon as it is known. An API server writes it before the objects. Absent before that, and on
   * the last page.
   */
  get nextPage(): string | undefined {
    return this.#nextPage;
  }

  /** @returns `false` once it is certain that this is not a list */
  read(bytes: Uint8Array): boolean {
    if (!this.#isBroken) this.#readText(this.#decoder.decode(bytes, { stream: true }));
    return !this.#isBroken;
  }

  /**
   * Returns the token of the next page if the text so far is the complete JSON of a list, without other text around it.
   * The token is empty if there is no further page.
   *
   * @returns undefined for other text
   */
  finish(): string | undefined {
    if (this.#isBroken || this.#depth > 0) return undefined;
    const { kind, items, metadata } = parseList(this.#list + this.#decoder.decode());
    const isList = typeof kind === "string" && kind.endsWith("List");
    if (!isList || !Array.isArray(items) || items.length !== this.#count) return undefined;
    return asString(asRecord(metadata).continue);
  }

  #readText(text: string): void {
    /** The start of the text that belongs to neither the list nor the object yet. */
    let start = 0;
    if (text === "") return; // A part of a character.
    let at = this.#isInText ? this.#skipText(text, 0) : 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      at += 1;
      // A server that indents its lists sends many spaces.
      if (code === SPACE) continue;
      if (code === QUOTE) {
        this.#isInText = true;
        at = this.#skipText(text, at);
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (this.#depth === 1) this.#isInList = code === OPEN_BRACKET;
        if (this.#isAtObject && code === OPEN_BRACE) {
          this.#list += text.slice(start, at - 1);
          start = at - 1;
          if (this.#count === 0)
            this.#nextPage =
              asString(asRecord(parseList(`${this.#list}]}`).metadata).continue) || undefined;
        }
        if (this.#depth === METADATA_DEPTH && code === OPEN_BRACKET && this.#isInList)
          this.#startManagedFields(text.slice(start, at - 1));
        this.#depth += 1;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.#depth -= 1;
        if (this.#isInManagedFields && this.#depth === METADATA_DEPTH) {
          this.#isInManagedFields = false;
          start = at;
        }
        if (this.#isAtObject && code === CLOSE_BRACE) {
          this.#finish(this.#object + text.slice(start, at));
          start = at;
        }
      }
    }
    const rest = text.slice(start);
    if (this.#isInManagedFields) return;
    if (this.#isInList && this.#depth > 2) this.#object += rest;
    else this.#list += rest;
    if (this.#object.length + this.#list.length > MAX_TEXT) this.#isBroken = true;
  }

  /**
   * Returns the offset after the quote that ends a text, or the length if the text continues in the next chunk.
   *
   * @param from - an offset in the text, after its first quote
   */
  #skipText(chunk: string, from: number): number {
    let start = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (;;) {
      const quote = chunk.indexOf('"', start);
      const end = quote === -1 ? chunk.length : quote;
      let escapes = 0;
      while (end - escapes > start && chunk.charCodeAt(end - escapes - 1) === BACKSLASH) escapes++;
      const isEscaped = escapes % 2 === 1;
      if (quote === -1) {
        this.#isEscaped = isEscaped;
        return chunk.length;
      }
      start = quote + 1;
      if (isEscaped) continue;
      this.#isInText = false;
      return start;
    }
  }

  /** @param text - the text of the object before a list that has not been kept yet */
  #startManagedFields(text: string): void {
    const end = (this.#object + text.slice(-MAX_NAME_LENGTH)).slice(-MAX_NAME_LENGTH);
    const name = beforeManagedFields.exec(end)?.[0];
    if (name === undefined) return;
    this.#isInManagedFields = true;
    this.#object = (this.#object + text).slice(0, -name.length);
  }

  get #isAtObject(): boolean {
    return this.#isInList && this.#depth === 2;
  }

  #finish(text: string): void {
    this.#object = "";
    this.#list += "0";
    this.#count += 1;
    const object = parseJson(text);
    if (isObject(object)) this.#take(object as Readonly<Record<string, unknown>>);
    else this.#isBroken = true;
  }
}

type ListMembers = Unvalidated<{
  readonly kind: string;
  readonly items: readonly unknown[];
  readonly metadata: Unvalidated<{ readonly continue: string }>;
}>;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

function parseList(text: string): ListMembers {
  return asRecord(parseJson(text) as ListMembers | undefined);
}
