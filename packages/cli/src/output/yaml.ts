import { stringify } from "yaml";

/**
 * A JSON value as YAML text, as kubectl lays it out: block style, lists not indented, no anchors, no folding. Text
 * that a reader of YAML 1.1, as kubectl is one, could take for something else stands in quotes.
 *
 * @returns lines, the last one with its newline, too
 * @example yamlText({ kind: "Job", args: ["-c", "yes"], labels: {} }) // => 'kind: Job\nargs:\n- -c\n- "yes"\nlabels: {}\n'
 */
export function yamlText(value: unknown): string {
  return stringify(value, {
    version: "1.1",
    // Jobs share their equal parts, and no reader of ours should need to know.
    aliasDuplicateObjects: false,
    indentSeq: false,
    lineWidth: 0,
  });
}

/** Values as YAML documents, one after the other. */
export function* yamlDocuments(values: Iterable<unknown>): Generator<string, void, undefined> {
  let separator = "";
  for (const value of values) {
    yield `${separator}${yamlText(value)}`;
    separator = "---\n";
  }
}
