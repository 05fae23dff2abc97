import { stringifyJson } from "@jobset-ts/api/text";

/**
 * Serializes request bodies as JSON, and their shared parts only once.
 *
 * The Jobs of a ReplicatedJob share a frozen Pod spec. Each Job shares one frozen map of keys with its Pods. The
 * serializer caches the texts of the last few frozen parts, assuming that frozen parts never change.
 *
 * @example new BodySerializer().of({ kind: "Job", metadata: Object.freeze({ name: "train-w-0" }) }) // => '{"kind":"Job","metadata":{"name":"train-w-0"}}'
 */
export class BodySerializer {
  /** The most recently used parts first. */
  readonly #parts: { readonly part: object; readonly text: string }[] = [];
  readonly #names = new Map<string, string>();

  /**
   * Serializes a body like `JSON.stringify`, at any depth. Returns `null` for values that JSON cannot represent.
   */
  of(body: unknown): string {
    return this.#serializeValue(body, 0) ?? "null";
  }

  /** Undefined for values that JSON omits, such as functions. */
  #serializeValue(value: unknown, depth: number): string | undefined {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Object.isFrozen(value)) return this.#partText(value);
    if (depth === MAX_DEPTH || Array.isArray(value) || "toJSON" in value)
      return stringifyJson(value);
    // With `+`, V8 shares the long parts with the texts of the siblings until the text is sent.
    let text = "";
    for (const [name, member] of Object.entries(value)) {
      const own = this.#serializeValue(member, depth + 1);
      if (own !== undefined) text += (text === "" ? "{" : ",") + this.#nameText(name) + own;
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #partText(part: object): string | undefined {
    const at = this.#parts.findIndex((one) => one.part === part);
    const kept = this.#parts[at];
    if (kept !== undefined) {
      if (at > 0) this.#parts.unshift(...this.#parts.splice(at, 1));
      return kept.text;
    }
    const text = stringifyJson(part) as string | undefined;
    if (text !== undefined) this.#parts.unshift({ part, text });
    if (this.#parts.length > MAX_PARTS) this.#parts.pop();
    return text;
  }

  /** Returns a member's name with its colon. */
  #nameText(name: string): string {
    let text = this.#names.get(name);
    if (text === undefined) {
      text = `${JSON.stringify(name)}:`;
      if (this.#names.size < MAX_NAMES) this.#names.set(name, text);
    }
    return text;
  }
}

/** The depth of the search for shared parts. The Pod spec of a Job is three levels deep. */
const MAX_DEPTH = 6;

/** The body of a Job has three shared parts. */
const MAX_PARTS = 8;

/** The body of a Job has a dozen names above its shared parts. */
const MAX_NAMES = 100;
