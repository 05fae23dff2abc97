import type { Diagnostic } from "./diagnostics.ts";

/**
 * 0: done. 1: something was found, refused or differs. 2: wrong usage, or what cannot be read or written. 3: a defect of ours.
 * 143: told to end (SIGTERM) before it was through.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 143;

/** What a command has to say; nothing is written before it is complete. */
export interface CommandResult {
  /** Standard output, piece by piece, made while it is written. */
  readonly output: Iterable<string>;
  /** Standard error. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: ExitCode;
}
