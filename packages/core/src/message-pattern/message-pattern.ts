import { RE2JS, RE2JSSyntaxException } from "re2js";
import { readPattern } from "./pattern-syntax.ts";
import { type Refusal, refused } from "./refusal.ts";

/** A pattern of `onJobFailureMessagePatterns` that can be searched for. */
export interface MessagePattern {
  readonly ok: true;
  /**
   * Whether the pattern is found anywhere in a message.
   *
   * The time grows with the length of the message, and at worst with its product by the size of the pattern; never
   * faster. A lone surrogate counts as U+FFFD, which is what it becomes on its way through JSON and Go.
   */
  readonly matches: (message: string) => boolean;
}

/**
 * Compiles a pattern of a failure policy rule's `onJobFailureMessagePatterns`: RE2 as Go 1.26's regexp package
 * accepts and matches it. Compile once and match often; no pattern is kept between calls.
 *
 * Three things are different from Go. A pattern that counted repeats copy out beyond `MOST_COPIED`, or whose classes
 * have more than `MOST_CLASS_RANGES`, is refused as too large, long before Go does so. A pattern that is wrong in
 * several ways may be refused for another of them than nesting too deeply. And an escaped surrogate (`\x{D800}`)
 * matches nothing, where Go takes it for U+FFFD in some anchored patterns.
 *
 * @returns the pattern, or the refusal in Go's words; never throws
 * @see https://pkg.go.dev/regexp/syntax
 * @example compilePattern("(?i)exit code (42|43)$").ok // => true
 * @example compilePattern("(") // => { ok: false, message: "error parsing regexp: missing closing ): `(`" }
 */
export function compilePattern(text: string): MessagePattern | Refusal {
  const pattern = text.toWellFormed();
  const read = readPattern(pattern);
  if (!read.ok) {
    return read;
  }
  const engine = compileEngine(read.engineText, pattern);
  return engine instanceof RE2JS
    ? { ok: true, matches: (message) => engine.test(message.toWellFormed()) }
    : engine;
}

function compileEngine(engineText: string, pattern: string): RE2JS | Refusal {
  try {
    return RE2JS.compile(engineText);
  } catch (error) {
    const tooDeep =
      error instanceof RE2JSSyntaxException &&
      error.getDescription() === "expression nests too deeply";
    // Nothing else is left for the engine to object to but the size, by its own limit or the machine's.
    return refused(tooDeep ? "expression nests too deeply" : "expression too large", pattern);
  }
}
