import { RE2JS, RE2JSSyntaxException } from "re2js";
import { readPattern } from "./message-pattern/pattern-syntax.ts";
import { type Refusal, refused } from "./message-pattern/refusal.ts";

/** A pattern of `onJobFailureMessagePatterns` that can be searched for. */
export interface MessagePattern {
  readonly ok: true;
  /**
   * Whether the pattern is found anywhere in the message. Takes time in proportion to the length of the message
   * and at worst to the size of the pattern, and keeps nothing of the message.
   */
  readonly matches: (message: string) => boolean;
}

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
    // What is left for the engine to refuse.
    const tooDeep =
      error instanceof RE2JSSyntaxException &&
      error.getDescription() === "expression nests too deeply";
    return refused(tooDeep ? "expression nests too deeply" : "expression too large", pattern);
  }
}
