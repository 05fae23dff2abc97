import { checkNesting } from "../nesting.ts";
import type { PatternError } from "../pattern-error.ts";
import { readPattern } from "../pattern-syntax.ts";
import { compileProgram } from "../program.ts";
import { Search } from "../search.ts";

/** A pattern that can be searched for. */
interface CompiledPattern {
  readonly ok: true;
  /** Whether the pattern is found anywhere in a message. */
  readonly matches: (message: string) => boolean;
}

/** Compiles a pattern of any size, for searches without a limit. */
export function compilePattern(text: string): CompiledPattern | PatternError {
  const read = readPattern(text.toWellFormed());
  if (!read.ok) return read;
  const error = checkNesting(read);
  if (error !== undefined) return error;
  const { parts } = read;
  let search: Search | undefined;
  function matches(message: string): boolean {
    search ??= new Search(compileProgram([parts]));
    return search.find(message.toWellFormed(), { left: Number.POSITIVE_INFINITY }) === "Found";
  }
  return { ok: true, matches };
}
