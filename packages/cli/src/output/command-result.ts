import type { Diagnostic } from "./diagnostics.ts";

/** The exit codes of all commands, and what each says. The README has them, too. */
export const exitCodes = {
  0: "done, with nothing to complain of",
  1: "something was found, is refused, differs or is not there",
  2: "wrong usage, or what cannot be read or written",
  3: "a defect of this command",
  143: "an `explore` that SIGTERM ended before it was through",
} as const;

export type ExitCode = keyof typeof exitCodes;

/** What a command has to say; nothing is written before it is complete. */
export interface CommandResult {
  /** Standard output, piece by piece, made while it is written. */
  readonly output: Iterable<string>;
  /** Standard error. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: ExitCode;
}
