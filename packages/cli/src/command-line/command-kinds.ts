import type { Command } from "commander";
import type { FileOptions } from "../input/cluster.ts";
import type { LiveOptions } from "../live/live-cluster.ts";
import type { Check, CommandSpec } from "./command-spec.ts";
import { createFileOptions, kubectlFlags } from "./option-specs.ts";

/** The code of the error of a command that needs a file and is given none. */
export const NO_FILE = "jobset.noFile";

/** A command about files, with what its `-n` and `-A` mean. */
interface FileCommand extends CommandSpec {
  readonly namespace: string;
  readonly all: string;
}

/** A command that reads files. */
export function createFileCommand(spec: FileCommand): CommandSpec {
  return addFileOptions({ ...spec, checks: [requireFile, ...(spec.checks ?? [])] });
}

/** A command that reads files, and needs none. */
export function addFileOptions({ namespace, all, ...spec }: FileCommand): CommandSpec {
  return {
    ...spec,
    options: [...createFileOptions(namespace, all), ...(spec.options ?? [])],
    checks: [preferAllNamespaces, ...(spec.checks ?? [])],
  };
}

/** A command that tells of the JobSets in files, or without any of those that kubectl shows. */
export function createLiveCommand(
  spec: Omit<FileCommand, "all" | "help"> & { readonly help: string },
): CommandSpec {
  return addFileOptions({
    ...spec,
    all: "the JobSets of every namespace: -n does not count",
    arguments: [{ name: "[name...]", description: "the JobSets to tell of (default: all)" }],
    checks: [rejectKubectlFlagsWithFiles, ...(spec.checks ?? [])],
    help: `
Without -f the command reads the cluster through kubectl get, in the namespace of the current context unless -n or -A is
set.
${spec.help}`,
  });
}

/** As kubectl has it: where both are given, -A counts. */
const preferAllNamespaces: Check = (command) => {
  if (command.opts<FileOptions>().allNamespaces) command.setOptionValue("namespace", undefined);
};

const requireFile: Check = (command) => {
  if (command.opts<Partial<FileOptions>>().filename !== undefined) return;
  command.error("no file is named: use -f FILE, or -f - for standard input", { code: NO_FILE });
};

const rejectKubectlFlagsWithFiles: Check = (command) => {
  if (command.opts<LiveOptions>().filename !== undefined) rejectKubectlFlags(command, "with -f");
};

/** Who names a cluster and a file means one of them; it is not for us to say which. */
export function rejectKubectlFlags(command: Command, when: string): void {
  const flags = kubectlFlags.map((one) => one.flags.replace(/ .*/, ""));
  const given = command.options.find(
    (option) =>
      flags.includes(option.long ?? "") &&
      command.getOptionValue(option.attributeName()) !== undefined,
  );
  if (given !== undefined)
    command.error(`${given.long} is for kubectl, which ${when} is not asked`);
}
