/** A text without its indexes, so texts about similar Pods, Jobs and nodes have equal parts. */
export interface IndexedText {
  /**
   * The text before the first index, between the indexes, and after the last one, without the generated suffixes of
   * Pods.
   */
  readonly parts: readonly string[];
  /** The indexes in order. */
  readonly indexes: readonly number[];
}

const NUMBER = "(?:0|[1-9]\\d{0,9})";
/** Matches a name that ends in one or two indexes, and perhaps the generated suffix of a Pod. */
const INDEXED_NAME = new RegExp(
  `^(?<base>.*?[a-z.\\d])(?<indexes>(?:-${NUMBER}){1,2})(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?-?$`,
);

/**
 * Extracts the indexes from the names in a text. Also extracts counts such as those of `1 of 4 Pods ready`, but not
 * attempts.
 */
export function splitIndices(text: string): IndexedText {
  const parts: string[] = [];
  const indexes: number[] = [];
  let part = "";
  let end = 0;
  const take = (before: string, index: string) => {
    parts.push(part + before);
    indexes.push(Number(index));
    part = "";
  };
  for (const { 0: word, index: at } of text.matchAll(WORD)) {
    part += text.slice(end, at);
    end = at + word.length;
    const groups = INDEXED_NAME.exec(word)?.groups;
    if (groups !== undefined) {
      part += groups.base;
      for (const index of (groups.indexes ?? "").slice(1).split("-")) take("-", index);
    } else if (WHOLE_NUMBER.test(word) && !ATTEMPT_PREFIX.test(part)) take("", word);
    else part += word;
  }
  return { parts: [...parts, part + text.slice(end)], indexes };
}

const WORD = /[A-Za-z0-9][-A-Za-z0-9.]*/g;
const ATTEMPT_PREFIX = /(?:attempt|restart) $/;
const WHOLE_NUMBER = new RegExp(`^${NUMBER}$`);

/** Folds texts with equal parts into one: `w-{0..3}-{0..63}`, and `0..4 of 4 Pods ready`. */
export function foldIndexedTexts(texts: readonly IndexedText[]): string {
  const [{ parts } = { parts: [] }] = texts;
  return parts
    .map((part, slot) => {
      if (slot === parts.length - 1) return part;
      const numbers = new Set(texts.map(({ indexes }) => indexes[slot] ?? 0));
      const text = rangesText([...numbers].sort((one, other) => one - other));
      return `${part}${part.endsWith("-") && numbers.size > 1 ? `{${text}}` : text}`;
    })
    .join("");
}

/** The maximum number of ranges that are written out. */
const MAX_RANGES = 4;

/** Formats sorted numbers as `0..3,7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.map(([from, to]) => {
    if (from === to) return `${from}`;
    return to === from + 1 ? `${from},${to}` : `${from}..${to}`;
  });
  if (texts.length <= MAX_RANGES) return texts.join(",");
  return `${texts.slice(0, MAX_RANGES - 1).join(",")},…,${texts.at(-1)}`;
}

/** Folds the names of objects of one kind with equal parts: `256 Pods w-{0..3}-{0..63}`. */
export function namesText(kind: string, all: readonly string[]): string {
  const names = new Set(all);
  const [name = ""] = names;
  if (names.size === 1) return `${kind} ${name}`;
  const indexed = [...names].map(splitIndices);
  const places = new Set(indexed.map(({ indexes }) => indexes.join()));
  // Pods without completion indexes differ only by their generated suffixes.
  const rest = places.size < names.size ? "-*" : "";
  const of = places.size < listCombinations(indexed) ? " of" : "";
  return `${names.size} ${kind}s${of} ${foldIndexedTexts(indexed)}${rest}`;
}

/** Returns the number of combinations of all indexes. */
function listCombinations(indexed: readonly IndexedText[]): number {
  const slots = indexed[0]?.indexes ?? [];
  return slots.reduce((product, _, slot) => {
    return product * new Set(indexed.map(({ indexes }) => indexes[slot])).size;
  }, 1);
}

/**
 * Folds texts that differ only by the indexes of names, and by counts.
 *
 * @returns undefined if they differ otherwise
 * @example foldTexts(["Job/train-w-0", "Job/train-w-1", "Job/train-w-2"]) // => "Job/train-w-{0..2}"
 * @example foldTexts(["train", "eval"]) // => undefined
 */
export function foldTexts(texts: readonly string[]): string | undefined {
  const indexed = texts.map(splitIndices);
  const parts = JSON.stringify(indexed[0]?.parts);
  const isAlike = indexed.every((one) => JSON.stringify(one.parts) === parts);
  return isAlike ? foldIndexedTexts(indexed) : undefined;
}
