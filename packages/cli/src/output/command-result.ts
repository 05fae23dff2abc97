import type { Diagnostic } from "./diagnostics.ts";

/** The exit codes of all commands and their meaning. The README repeats them. */
export const exitCodes = {
  0: "success, and nothing was found",
  1: "a finding: an invalid or denied object, a difference, or a missing object",
  2: "a usage error, or a file that cannot be read or written",
  3: "an internal error of this command",
  143: "`explore` stopped early by SIGTERM",
} as const;

export type ExitCode = keyof typeof exitCodes;

/** The result of a command. Nothing is written before it is complete. */
export interface CommandResult {
  /** Standard output in chunks, created while it is written. */
  readonly output: Iterable<string>;
  /** The messages for standard error. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: ExitCode;
}
