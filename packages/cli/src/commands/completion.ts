import type { CommandResult } from "../output/command-result.ts";
import { completionScripts } from "./completion/scripts.ts";

/** The shells with a completion script. `kubectl` is the executable that kubectl calls. */
export type Shell = keyof typeof completionScripts;

/** Prints the completion script of a shell. */
export function completion(shell: Shell): CommandResult {
  return { output: [completionScripts[shell]], diagnostics: [], exitCode: 0 };
}
