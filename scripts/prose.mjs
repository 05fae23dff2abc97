// Finds phrases that the language guide replaces, in documentation, comments, messages and test names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { capture } from "./tool.mjs";

/** Files that contain prose. Recorded data and generated files are omitted. */
const WITH_PROSE = /\.(md|ts|mts|mjs|tsx|yaml)$/;
const LEFT_OUT = /^docs\/(surface|reference)\/|CHANGELOG|testdata/;

/** A line break inside a sentence, and the marks with which a comment or a quotation continues on the next line. */
const CONTINUATION = /\n[ \t]*(?:\*(?!\/)|\/\/+|#+|>)?[ \t]*/g;

/** Checks all tracked files. Returns one line of output for each phrase found, and the exit code 1 if there is any. */
export async function checkProse() {
  const rules = compileRules(
    JSON.parse(readFileSync(join(root, "scripts", "prose-rules.json"), "utf8")),
  );
  const listed = await capture("git", ["ls-files", "-z"]);
  if (listed.code !== 0) return listed;
  const files = listed.output
    .split("\0")
    .filter((file) => WITH_PROSE.test(file) && !LEFT_OUT.test(file));
  const output = files.flatMap((file) =>
    findPhrases(readFileSync(join(root, file), "utf8"), rules).map(
      ({ line, phrase, instead }) => `${file}:${line}: "${phrase}": use ${instead}\n`,
    ),
  );
  return { code: output.length > 0 ? 1 : 0, output: output.join("") };
}

/**
 * Returns the phrases of a text that match a rule, with the line on which each begins. Phrases may continue on the next line.
 *
 * @param rules - from {@link compileRules}
 */
export function findPhrases(text, rules) {
  const sentence = text.replace(CONTINUATION, (marks) => " ".repeat(marks.length));
  return rules
    .flatMap(({ pattern, instead }) =>
      [...sentence.matchAll(pattern)].map(({ index, 0: match }) => ({
        line: text.slice(0, index).split("\n").length,
        phrase: match.replace(/\s+/g, " "),
        instead,
      })),
    )
    .sort((a, b) => a.line - b.line);
}

/** Compiles rules. A rule is a regular expression, in which a space matches any white space, and its replacement. */
export function compileRules(rules) {
  return rules.map(({ pattern, instead }) => ({
    pattern: new RegExp(`\\b(?:${pattern.replaceAll(" ", "\\s+")})\\b`, "gi"),
    instead,
  }));
}
