import type { CommandResult } from "../output/command-result.ts";
import { completionScripts } from "./completion/scripts.ts";

/** The shells with a script; `kubectl` is the file that kubectl looks for. */
export type Shell = keyof typeof completionScripts;

/** Prints the script by which a shell completes the words of this command. */
export function completion(shell: Shell): CommandResult {
  return { output: [completionScripts[shell]], diagnostics: [], exitCode: 0 };
}
