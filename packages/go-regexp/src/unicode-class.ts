import { withCaseVariants } from "./case-folding.ts";
import {
  type CodePointRange,
  type CodePointSet,
  codePointSet,
  complement,
} from "./code-point-set.ts";
import { CATEGORY_RUNS, SCRIPT_RANGES } from "./unicode-tables.ts";

/**
 * Returns the code points of `\p{name}` in Unicode 15.0, the version of Go 1.26, or `undefined` for an unknown name.
 *
 * Known are the general categories by their short and long names, the scripts that are one word, and `Any`, `ASCII` and
 * `Assigned`; case, spaces, `_` and `-` do not matter. A script of several words (`Old_Italic`) is unknown in every
 * spelling, because Go searches for names without `_` and lists those scripts with `_`.
 *
 * @param foldCase - whether `(?i)` is on
 * @example unicodeClass("ascii", false) // => [[0, 127]]
 * @example unicodeClass("Old_Italic", false) // => undefined
 */
export function unicodeClass(name: string, foldCase: boolean): CodePointSet | undefined {
  const key = canonicalName(name);
  const setName = CATEGORY_ALIASES.get(key) ?? key;
  const cache = foldCase ? foldedSets : sets;
  const known = cache.get(setName);
  if (known !== undefined) {
    return known;
  }
  const set = specialSet(setName) ?? categorySet(setName) ?? scriptSet(setName);
  if (set === undefined) {
    return undefined;
  }
  // Go adds the case variants of every set, except for the set of cased letters (LC). So U+0345, which is a mark, is
  // not in LC.
  const result = foldCase && setName !== "LC" ? withCaseVariants(set) : set;
  cache.set(setName, result);
  return result;
}

// A pattern may name a set many times. The cache has at most one entry per set.
const sets = new Map<string, CodePointSet>();
const foldedSets = new Map<string, CodePointSet>();

/** A capital letter, then lower-case letters, without separators. Only ASCII letters have case here. */
function canonicalName(name: string): string {
  return name
    .replaceAll(/[ _-]/g, "")
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

function specialSet(name: string): CodePointSet | undefined {
  switch (name) {
    case "Any":
      return complement([]);
    case "Ascii":
      return [[0, 0x7f]];
    case "Assigned":
      return complement(categorySet("Cn") ?? []);
    case "LC":
      return codePointSet(["Lu", "Ll", "Lt"].flatMap((category) => categorySet(category) ?? []));
    default:
      return undefined;
  }
}

/** A category of two letters, or all categories that begin with one letter. */
function categorySet(name: string): CodePointSet | undefined {
  const ranges: CodePointRange[] = [];
  let first = 0;
  for (const [, category = "", length = ""] of CATEGORY_RUNS.matchAll(CATEGORY_RUN)) {
    const next = first + Number.parseInt(length, 36);
    if (category === name || category[0] === name) {
      ranges.push([first, next - 1]);
    }
    first = next;
  }
  return ranges.length === 0 ? undefined : codePointSet(ranges);
}

const CATEGORY_RUN = /([A-Z][a-z])([0-9a-z]+)/g;

function scriptSet(name: string): CodePointSet | undefined {
  const listed = SCRIPT_RANGES.get(name);
  if (listed === undefined) {
    return undefined;
  }
  const ranges: CodePointRange[] = [];
  let next = 0;
  for (const range of listed.trim().split(/\s+/)) {
    const [gap = 0, length = 0] = range.split(",").map((digits) => Number.parseInt(digits, 36));
    ranges.push([next + gap, next + gap + length - 1]);
    next += gap + length;
  }
  return ranges;
}

/** Other names of the categories, in canonical form. */
const CATEGORY_ALIASES: ReadonlyMap<string, string> = new Map([
  ["Lc", "LC"],
  ["Casedletter", "LC"],
  ["Closepunctuation", "Pe"],
  ["Cntrl", "Cc"],
  ["Combiningmark", "M"],
  ["Connectorpunctuation", "Pc"],
  ["Control", "Cc"],
  ["Currencysymbol", "Sc"],
  ["Dashpunctuation", "Pd"],
  ["Decimalnumber", "Nd"],
  ["Digit", "Nd"],
  ["Enclosingmark", "Me"],
  ["Finalpunctuation", "Pf"],
  ["Format", "Cf"],
  ["Initialpunctuation", "Pi"],
  ["Letter", "L"],
  ["Letternumber", "Nl"],
  ["Lineseparator", "Zl"],
  ["Lowercaseletter", "Ll"],
  ["Mark", "M"],
  ["Mathsymbol", "Sm"],
  ["Modifierletter", "Lm"],
  ["Modifiersymbol", "Sk"],
  ["Nonspacingmark", "Mn"],
  ["Number", "N"],
  ["Openpunctuation", "Ps"],
  ["Other", "C"],
  ["Otherletter", "Lo"],
  ["Othernumber", "No"],
  ["Otherpunctuation", "Po"],
  ["Othersymbol", "So"],
  ["Paragraphseparator", "Zp"],
  ["Privateuse", "Co"],
  ["Punct", "P"],
  ["Punctuation", "P"],
  ["Separator", "Z"],
  ["Spaceseparator", "Zs"],
  ["Spacingmark", "Mc"],
  ["Surrogate", "Cs"],
  ["Symbol", "S"],
  ["Titlecaseletter", "Lt"],
  ["Unassigned", "Cn"],
  ["Uppercaseletter", "Lu"],
]);
