import { isNestedTooDeeply } from "./nesting.ts";
import { createPatternError, type PatternError } from "./pattern-error.ts";
import { type ParsedPattern, readPattern } from "./pattern-syntax.ts";
import { compileProgram } from "./program.ts";
import { Search } from "./search.ts";

/** A pattern of `onJobFailureMessagePatterns` that can be searched for. */
export interface MessagePattern {
  readonly ok: true;
  /**
   * Whether the pattern is found anywhere in a message.
   *
   * The time grows with the length of the message, and at worst with the product of that length and the size of
   * the pattern. A lone surrogate counts as U+FFFD, because JSON and Go convert it to that.
   */
  readonly matches: (message: string) => boolean;
}

/**
 * Compiles a pattern of a failure policy rule's `onJobFailureMessagePatterns`: RE2, as Go 1.26's regexp package accepts
 * and matches it. Compile once and match often: patterns are not cached. For untrusted patterns, use `PatternBudget`.
 *
 * Three things differ from Go. A pattern whose counted repeats copy more than `MAX_COPIED` instructions, or whose
 * classes have more than `MAX_CLASS_RANGES` ranges, is rejected as too large long before Go rejects it. A pattern with
 * several errors may be rejected for a different error than in Go. An escaped surrogate (`\x{D800}`) matches nothing,
 * whereas Go treats it as U+FFFD in some anchored patterns.
 *
 * @returns the pattern, or the error in Go's wording; never throws
 * @see https://pkg.go.dev/regexp/syntax
 * @example compilePattern("(?i)exit code (42|43)$").ok // => true
 * @example compilePattern("(") // => { ok: false, message: "error parsing regexp: missing closing ): `(`" }
 */
export function compilePattern(text: string): MessagePattern | PatternError {
  const read = readPattern(text.toWellFormed());
  if (!read.ok) {
    return read;
  }
  const refusal = checkNesting(read);
  if (refusal !== undefined) {
    return refusal;
  }
  const { parts } = read;
  let search: Search | undefined;
  function matches(message: string): boolean {
    search ??= new Search(compileProgram([parts]));
    return search.find(message.toWellFormed(), { left: Number.POSITIVE_INFINITY }) === "Found";
  }
  return { ok: true, matches };
}

/** Returns the error for a pattern that is nested too deeply. */
export function checkNesting({
  mayBeTooDeep,
  parts,
  text,
}: ParsedPattern): PatternError | undefined {
  return mayBeTooDeep && isNestedTooDeeply(parts)
    ? createPatternError("expression nests too deeply", text)
    : undefined;
}
