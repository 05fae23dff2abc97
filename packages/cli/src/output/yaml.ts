import { resolvePlainScalar } from "../input/plain-scalar.ts";

/**
 * A JSON value as YAML text, as kubectl lays it out: block style, lists not indented, no anchors, no folding.
 *
 * Text stands without quotes only where every reader takes it for text, whether it reads YAML 1.1 as kubectl does or
 * YAML 1.2. Text of several lines becomes a literal block. The members keep their order; absent ones are left out.
 *
 * It is written by hand because a JobSet may become thousands of Jobs, and a general YAML writer takes a second for
 * each megabyte.
 *
 * @returns lines, the last one with its newline, too
 * @example yamlText({ kind: "Job", args: ["-c", "yes"], labels: {} }) // => 'kind: Job\nargs:\n- -c\n- "yes"\nlabels: {}\n'
 */
export function yamlText(value: unknown): string {
  if (isEmptyOrScalar(value)) return `${scalarText(value, "")}\n`;
  const lines: string[] = [];
  writeCollection(value, "", "", lines);
  return `${lines.join("\n")}\n`;
}

/**
 * Writes the lines of an object or list that has something in it.
 *
 * @param first - what stands before the first line, such as the `- ` of a list around it
 */
function writeCollection(value: object, first: string, indent: string, lines: string[]): void {
  let start = first;
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) {
      writeElement(element, start, indent, lines);
      start = indent;
    }
    return;
  }
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue;
    const name = `${start}${inlineText(key)}:`;
    start = indent;
    if (isEmptyOrScalar(member)) lines.push(`${name} ${scalarText(member, `${indent}  `)}`);
    else {
      lines.push(name);
      const inner = Array.isArray(member) ? indent : `${indent}  `;
      writeCollection(member, inner, inner, lines);
    }
  }
}

function writeElement(element: unknown, start: string, indent: string, lines: string[]): void {
  const inner = `${indent}  `;
  if (isEmptyOrScalar(element)) lines.push(`${start}- ${scalarText(element, inner)}`);
  else writeCollection(element, `${start}- `, inner, lines);
}

/** Whether a value fits behind its key: what is no collection, and a collection with nothing in it. */
function isEmptyOrScalar(value: unknown): value is string | number | boolean | null | undefined {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return Object.values(value).every((member) => member === undefined);
}

function scalarText(value: unknown, indent: string): string {
  switch (typeof value) {
    case "string":
      return value.includes("\n") ? (blockText(value, indent) ?? quoted(value)) : inlineText(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "[]" : "{}";
    case "undefined":
      return "null";
    default:
      return String(value);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be escaped
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;

/** A literal block; `undefined` when the text is one that a block cannot hold, or only with more signs. */
function blockText(text: string, indent: string): string | undefined {
  if (/^\s/.test(text) || unprintable.test(text) || !text.isWellFormed()) return undefined;
  const lines = text.split("\n");
  const endsWithNewline = lines.at(-1) === "";
  if (endsWithNewline) lines.pop();
  const keep = endsWithNewline && lines.at(-1) === "";
  const sign = keep ? "+" : endsWithNewline ? "" : "-";
  const body = lines.map((line) => (line === "" ? "" : `${indent}${line}`));
  return [`|${sign}`, ...body].join("\n");
}

function inlineText(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

/** Indicators, and what a plain scalar inside block style cannot hold. */
const needsQuotes = /^[\s\-?:,[\]{}#&*!|>'"%@`=]|: |:$| #|\s$|\t/;
/** `-c` and `--flag` are plain; `-` alone and `- x` are lists, and `---` begins a document. */
const plainDash = /^-{1,2}(?=[A-Za-z/])/;
/** Numbers to base 60 and dates, which kubectl reads as text and other readers of YAML 1.1 do not. */
const numberElsewhere =
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$|^\d{4}-\d\d?-\d\d?(?:[Tt\s]|$)/;
/** Anything of digits, points, underscores and an exponent is a number to somebody, even `e2`. */
const numberLike = /^[-+]?[0-9._]*(?:e[-+]?[0-9_]+)?$|^[-+]?0[xob]/i;

function isPlain(text: string): boolean {
  if (needsQuotes.test(text.replace(plainDash, ""))) return false;
  if (unprintable.test(text) || text.includes("\n") || !text.isWellFormed()) return false;
  if (numberLike.test(text) || numberElsewhere.test(text) || text === "<<") return false;
  return typeof resolvePlainScalar(text) === "string";
}

/** JSON's quotes are YAML's, but for the characters that JSON leaves as they are and YAML does not allow. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
