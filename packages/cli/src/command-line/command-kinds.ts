import type { Command } from "commander";
import type { FileOptions } from "../input/cluster.ts";
import type { LiveOptions } from "../live/live-cluster.ts";
import type { Check, CommandSpec } from "./command-spec.ts";
import { createFileOptions, kubectlFlags } from "./option-specs.ts";

/** A command about files, with the meaning of its `-n` and `-A`. */
interface FileCommand extends CommandSpec {
  readonly namespace: string;
  readonly all: string;
}

/** Creates a command that requires files. */
export function createFileCommand(spec: FileCommand): CommandSpec {
  return addFileOptions({ ...spec, checks: [requireFile, ...(spec.checks ?? [])] });
}

/** Adds the options of files to a command. The files are optional. */
export function addFileOptions({ namespace, all, ...spec }: FileCommand): CommandSpec {
  return {
    ...spec,
    options: [...createFileOptions(namespace, all), ...(spec.options ?? [])],
    checks: [preferAllNamespaces, ...(spec.checks ?? [])],
  };
}

/** A command about files or a live cluster. */
interface LiveCommand extends Omit<FileCommand, "all" | "help"> {
  readonly help: string;
  /** The meaning of `-A`, if it is not about JobSets. */
  readonly all?: string;
}

/** Creates a command about the JobSets in files, or without files, in the cluster that kubectl reaches. */
export function createLiveCommand(spec: LiveCommand): CommandSpec {
  return addFileOptions({
    all: "the JobSets of all namespaces; overrides -n",
    arguments: [{ name: "[name...]", description: "the JobSets to print (default: all)" }],
    ...spec,
    isLive: true,
    options: [...(spec.options ?? []), ...kubectlFlags],
    checks: [rejectKubectlFlagsWithFiles, ...(spec.checks ?? [])],
    help: `
Without -f, the command reads the cluster through kubectl get, in the namespace of the current context unless -n or -A
is set.
${spec.help}`,
  });
}

/** If both are given, -A overrides -n, as in kubectl. */
const preferAllNamespaces: Check = (command) => {
  if (command.opts<FileOptions>().allNamespaces) command.setOptionValue("namespace", undefined);
};

const requireFile: Check = (command) => {
  if (command.opts<Partial<FileOptions>>().filename !== undefined) return;
  command.error("no file given: use -f FILE, or -f - for standard input");
};

const rejectKubectlFlagsWithFiles: Check = (command) => {
  if (command.opts<LiveOptions>().filename !== undefined) rejectKubectlFlags(command, "with -f");
};

/** A cluster and a file contradict each other, and the command must not guess which one the user means. */
export function rejectKubectlFlags(command: Command, when: string): void {
  const flags = kubectlFlags.map((one) => one.flags.replace(/ .*/, ""));
  const flag = command.options.find(
    (option) =>
      flags.includes(option.long ?? "") &&
      command.getOptionValue(option.attributeName()) !== undefined,
  );
  if (flag !== undefined)
    command.error(`${flag.long} configures kubectl, which is not called ${when}`);
}
