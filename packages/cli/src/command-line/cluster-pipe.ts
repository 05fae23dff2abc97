import type { Command } from "commander";
import type { DumpOptions } from "../commands/cluster/dump.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

const everything = "jobsets,jobs,pods,nodes,services,events,pvc";

/** The kinds that each dump command reads, with their kubectl names. */
export const kindsByCommand = {
  explain: everything,
  top: everything,
  verify: everything,
  census: "pods,events",
  "what-if": "jobsets,jobs",
} as const;

/**
 * Returns a note with the command line that pipes the cluster into a command that reads a dump; nothing for other
 * commands.
 *
 * @param commandLine - the command line without a file
 */
export function suggestClusterPipe(
  command: Command | undefined,
  commandLine: readonly string[],
): readonly Diagnostic[] {
  const kinds = (kindsByCommand as Readonly<Record<string, string>>)[command?.name() ?? ""];
  if (command === undefined || kinds === undefined) return [];
  const { namespace } = command.opts<Partial<DumpOptions>>();
  const where = namespace === undefined ? "-A" : `-n ${namespace}`;
  const [program = "", ...args] = commandLine;
  const end = args.includes("--") ? args.indexOf("--") : args.length; // options must precede it
  const line = args.toSpliced(end, 0, "-f", "-").map(quoteForShell).join(" ");
  const message = `to read the cluster: kubectl get ${kinds} ${where} -o json | ${program} ${line}`;
  return [{ severity: "note", message }];
}

/** Quotes a word for a shell. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
