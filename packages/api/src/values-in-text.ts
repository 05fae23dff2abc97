import { goQuote, jsonQuote } from "./quote.ts";

/** Shorter values occur in text by chance. */
const MIN_LENGTH = 6;

/**
 * Words of a value that are at least this long, such as arguments of a command line, are also searched for
 * individually.
 */
const MIN_WORD_LENGTH = 8;

/** If at least this many characters of a value match, they are replaced even if the rest differs. */
const MIN_PART = 64;

/** Programs truncate messages longer than this. A shorter message is complete. */
const MIN_TRUNCATED_LENGTH = 1_000;

/** Words of Kubernetes and of common settings. They occur in many messages and are not secrets. */
const COMMON_WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    "active admission automatic backoff because before cannot changed cluster command completed condition config container " +
    "containers controller created creating current deadline default deleted deleting denied development disabled enabled " +
    "environment expected failed failure failures information initial invalid jobset kubelet kubernetes leader localhost " +
    "master memory message missing namespace network normal number object parallel pending permission policy primary " +
    "production program python python3 reached reason replica replicas request resource resources restart restarts running " +
    "scheduled scheduler secondary secret server service staging started starting status stopped storage string " +
    "succeeded success suspend suspended system target template timeout training unknown update upgrade version volume " +
    "volumes waiting warning worker workers"
  ).split(" "),
);

const MAX_COMMON_LENGTH = 14;

interface Needle {
  readonly text: string;
  readonly replacement: string;
  /** The longest other needle that is a prefix of this one. */
  readonly shorter: Needle | undefined;
}

interface Added {
  readonly value: string;
  readonly replacement: string;
  readonly hasWords: boolean;
}

/** Finds values in text, unchanged or escaped as in Go and JSON, and replaces them. */
export class ValuesInText {
  /** The needles by their text. */
  readonly #long = new Map<string, string>();
  readonly #short = new Map<string, string>();
  /** The needles sorted by text. Undefined while outdated. */
  #needles: readonly Needle[] | undefined;
  /** The prefixes of the needles, by {@link hashPrefix}. */
  #beginnings = new Uint8Array(0);
  /** The values that are not yet in {@link #long} and {@link #short}. Most runs search no text. */
  #added: Added[] = [];
  readonly #names = new Set<string>();

  /** @param hasWords - whether a word of the value can be a secret by itself */
  add(value: string, replacement: string, hasWords: boolean): void {
    this.#added.push({ value, replacement, hasWords });
  }

  /** A value that is also a name is not replaced in texts. */
  addName(name: string): void {
    this.#names.add(name);
  }

  replaceIn(text: string): string {
    if (typeof text !== "string" || text === "") return text;
    this.#takeAdded();
    return this.#replaceLong(this.#replaceShort(text));
  }

  #takeAdded(): void {
    if (this.#added.length === 0) return;
    const added = this.#added;
    this.#added = [];
    // A complete value has priority over a word of another one.
    for (const { value, replacement } of added) this.#addForms(value, replacement);
    for (const { value, replacement, hasWords } of added) {
      if (!hasWords) continue;
      for (const word of listSecretWords(value)) this.#addForms(word, replacement);
    }
    this.#needles = undefined;
  }

  #addForms(value: string, replacement: string): void {
    if (this.#names.has(value)) return;
    for (const form of listForms(value)) {
      const isCommon = form.length <= MAX_COMMON_LENGTH && COMMON_WORDS.has(form.toLowerCase());
      const isShort = form.length < MIN_LENGTH || isCommon;
      if (isShort && isTrivial(form)) continue;
      const map = isShort ? this.#short : this.#long;
      if (!map.has(form)) map.set(form, replacement);
    }
  }

  #replaceShort(text: string): string {
    if (this.#short.size === 0) return text;
    return text.replace(SHORT_PLACES, (token) => this.#short.get(token) ?? token);
  }

  #replaceLong(text: string): string {
    this.#needles ??= this.#sortedNeedles();
    const needles = this.#needles;
    if (needles.length === 0) return text;
    let replaced = "";
    let from = 0;
    for (let at = 0; at + MIN_LENGTH <= text.length; ) {
      const found =
        this.#beginnings[hashPrefix(text, at)] === 1 ? longestAt(needles, text, at) : undefined;
      if (found === undefined) {
        at += 1;
        continue;
      }
      replaced += text.slice(from, at) + found.replacement;
      at += found.length;
      from = at;
    }
    return from === 0 ? text : replaced + text.slice(from);
  }

  #sortedNeedles(): readonly Needle[] {
    const texts = [...this.#long.keys()].sort();
    this.#beginnings = new Uint8Array(PREFIX_BUCKETS);
    let last: Needle | undefined;
    return texts.map((text) => {
      let shorter = last;
      while (shorter !== undefined && !text.startsWith(shorter.text)) shorter = shorter.shorter;
      last = { text, replacement: this.#long.get(text) ?? "", shorter };
      this.#beginnings[hashPrefix(text, 0)] = 1;
      return last;
    });
  }
}

/** Matches short values between quotes, after `=` and after `value:`. */
const SHORT_PLACES =
  /(?<=["'`])[^"'`\n\\]{1,16}(?=\\*["'`])|(?<==|\bvalue: )[^\s"'`,;)\]}]{1,16}(?=[\s"'`,;)\]}]|$)/gi;

/** Reports whether a short value is a plain setting, such as a count or a switch. */
function isTrivial(text: string): boolean {
  return /^(?:-?\d{1,3}|true|false|yes|no|on|off|null|none|nil)$/i.test(text) || text === "";
}

/**
 * Returns the forms in which programs write a value: unchanged, in JSON, in Go's quotes, and each of these quoted
 * again.
 */
function listForms(value: string): Iterable<string> {
  // All forms of other text are equal.
  if (!/[^ !#-%'-;=?-[\]-~]/.test(value)) return [value];
  const once = listEscapedForms(value);
  return new Set([value, ...once, ...once.flatMap(listEscapedForms)]);
}

function listEscapedForms(text: string): readonly string[] {
  const quoted = [JSON.stringify(text)];
  // For other characters, Go and JSON produce the same text.
  if (/[<>&\u2028\u2029]/.test(text)) quoted.push(jsonQuote(text));
  if (/[^ -~]/.test(text)) quoted.push(goQuote(text));
  return quoted.map((one) => one.slice(1, -1));
}

/** Returns the words in a command line or a setting that may be secret: long words that are not only lower case. */
function listSecretWords(value: string): readonly string[] {
  if (!/[\s="':,;]/.test(value)) return [];
  return value
    .split(/[\s="':,;]+/)
    .filter((word) => word.length >= MIN_WORD_LENGTH && /[A-Z\d]/.test(word));
}

const PREFIX_BUCKETS = 1 << 16;

/** Returns a hash of the first three characters of a text. Different texts may have the same hash. */
function hashPrefix(text: string, at: number): number {
  const two = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return (two * 31 + text.charCodeAt(at + 2)) & (PREFIX_BUCKETS - 1);
}

interface FoundNeedle {
  readonly length: number;
  readonly replacement: string;
}

/** Returns the longest needle at a position, or the longest matching prefix of one. */
function longestAt(needles: readonly Needle[], text: string, at: number): FoundNeedle | undefined {
  let [low, high] = [0, needles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(needles[middle]?.text ?? "", text, at)) high = middle;
    else low = middle + 1;
  }
  const [before, after] = [needles[low - 1], needles[low]];
  const lengths = [commonLength(before, text, at), commonLength(after, text, at)] as const;
  // Each needle that matches here is a prefix of the last needle that does not sort after the text.
  let whole = before;
  while (whole !== undefined && whole.text.length > lengths[0]) whole = whole.shorter;
  const length = Math.max(...lengths);
  const part = lengths[0] >= lengths[1] ? before : after;
  const isPart = length >= (isCutAt(text, at + length) ? MIN_LENGTH : MIN_PART);
  if (part !== undefined && isPart && length > (whole?.text.length ?? 0)) {
    return { length, replacement: part.replacement };
  }
  return whole && { length: whole.text.length, replacement: whole.replacement };
}

/** Reports whether a text may have been truncated at a position. */
function isCutAt(text: string, at: number): boolean {
  if (at >= text.length) return text.length >= MIN_TRUNCATED_LENGTH;
  return text.startsWith("…", at) || text.startsWith("...", at);
}

/** Reports whether a needle sorts after the rest of a text. */
function isAfter(needle: string, text: string, at: number): boolean {
  const length = measureCommonLength(needle, text, at);
  if (length === needle.length) return false;
  return at + length === text.length || needle.charCodeAt(length) > text.charCodeAt(at + length);
}

function commonLength(needle: Needle | undefined, text: string, at: number): number {
  return needle === undefined ? 0 : measureCommonLength(needle.text, text, at);
}

function measureCommonLength(needle: string, text: string, at: number): number {
  const most = Math.min(needle.length, text.length - at);
  let length = 0;
  while (length < most && needle.charCodeAt(length) === text.charCodeAt(at + length)) length += 1;
  return length;
}
