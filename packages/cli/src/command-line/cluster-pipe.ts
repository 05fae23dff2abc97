import type { Command } from "commander";
import type { DumpOptions } from "../commands/cluster/dump.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

const everything = "jobsets,jobs,pods,nodes,services,events,pvc";

/** The kinds that each command about a dump reads, as kubectl names them. */
export const kindsByCommand = {
  explain: everything,
  top: everything,
  verify: everything,
  census: "pods,events",
  "what-if": "jobsets,jobs",
} as const;

/**
 * Returns a note with the command line that pipes the cluster into a command that reads a dump; nothing for other commands.
 *
 * @param typed - the words that the user typed, without a file
 */
export function suggestClusterPipe(
  command: Command | undefined,
  typed: readonly string[],
): readonly Diagnostic[] {
  const kinds = (kindsByCommand as Readonly<Record<string, string>>)[command?.name() ?? ""];
  if (command === undefined || kinds === undefined) return [];
  const { namespace } = command.opts<Partial<DumpOptions>>();
  const where = namespace === undefined ? "-A" : `-n ${namespace}`;
  const [program = "", ...words] = typed;
  const end = words.includes("--") ? words.indexOf("--") : words.length; // no option comes behind it
  const line = words.toSpliced(end, 0, "-f", "-").map(quoteForShell).join(" ");
  const message = `to read the cluster: kubectl get ${kinds} ${where} -o json | ${program} ${line}`;
  return [{ severity: "note", message }];
}

/** A word as a shell reads it back. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
