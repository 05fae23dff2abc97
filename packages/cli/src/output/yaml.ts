import { Document, visit } from "yaml";
import { escapeText, isPrintable } from "./escape.ts";
import { resolvePlainScalar } from "./plain-scalar.ts";

/**
 * Formats a JSON value as YAML as kubectl does: block style, lists not indented, no anchors, no folding. Absent members
 * are omitted.
 *
 * Text is unquoted only if every reader treats it as a string, whether it reads YAML 1.1, as kubectl does, or YAML 1.2.
 *
 * @returns lines, including the last one with its newline
 * @example formatYaml({ kind: "Job", args: ["-c", "yes"], labels: {} }) // => 'kind: Job\nargs:\n- -c\n- "yes"\nlabels: {}\n'
 */
export function formatYaml(value: unknown): string {
  // Jobs share equal parts in memory. Without this option, the output would contain aliases.
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && isAmbiguous(scalar.value)) {
        scalar.type = "QUOTE_DOUBLE";
      }
    },
  });
  const text = document.toString({ indentSeq: false, lineWidth: 0, directives: false });
  return escapeText(text.replace(/(?=\p{Cf})[\u{10000}-\u{10ffff}]/gu, escapeCharacter));
}

/** Returns a YAML escape. YAML has no surrogate pairs. */
function escapeCharacter(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}

/** Yields values as the YAML list of one member. */
export function* formatYamlList(
  name: string,
  values: Iterable<unknown>,
): Generator<string, void, undefined> {
  let start = `${name}:\n`;
  for (const value of values) {
    yield `${start}${formatYaml([value])}`;
    start = "";
  }
  if (start !== "") yield `${name}: []\n`;
}

/** Yields values as YAML documents. */
export function* formatYamlDocuments(
  values: Iterable<unknown>,
): Generator<string, void, undefined> {
  let separator = "";
  for (const value of values) {
    yield `${separator}${formatYaml(value)}`;
    separator = "---\n";
  }
}

/** Patterns of text that readers other than kubectl do not treat as a string. */
const ambiguousPatterns = [
  /^(?:<<|=)$/, // YAML 1.1: merge key, default value
  /^\d{4}-\d\d?-\d\d?/, // YAML 1.1: timestamp
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/, // YAML 1.1: sexagesimal number
  /^[-+]?[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?$/, // YAML 1.1: floats, in the loosest notation that some readers accept
  /^[-+]?0o[0-7]+$/, // YAML 1.2: octal number
];

/**
 * Returns whether a reader could treat unquoted text as another type, or a block as indented, or whether text contains
 * control characters of a terminal.
 */
function isAmbiguous(text: string): boolean {
  return (
    !isPrintable(text) ||
    resolvePlainScalar(text) !== text ||
    ambiguousPatterns.some((pattern) => pattern.test(text)) ||
    /^\s/.test(text)
  );
}
