import { featuresOf } from "@jobset-ts/api";
import { Command, Option } from "commander";
import { version } from "../package.json";
import type { CommandResult } from "./command.ts";
import type { Files } from "./input/sources.ts";
import { names } from "./names.ts";
import {
  type JobSetOptions,
  type OutputFormat,
  outputFormats,
  parseFeatureGates,
  parseNamespace,
  parseUid,
} from "./options.ts";
import { render } from "./render.ts";

/** Where the program reads, and what it calls with the result of a command. */
export interface ProgramContext {
  readonly files: Files;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** The command line of `jobset`: its commands, their options and their help. */
export function createProgram({ files, finish }: ProgramContext): Command {
  const program = new Command("jobset")
    .description("What a JobSet becomes, without a cluster.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false });

  jobSetCommand(program, "render", "yaml", {
    description: "Print the objects that the control plane creates for a JobSet.",
    help: `
JobSets are admitted as a cluster would admit them: decoded, defaulted and checked against the CRD's schema.
The headless Service comes first, then the volume claims, then the Jobs in spec order.

Examples:
  jobset render -f train.yaml
  jobset render -f train.yaml -o table
  kubectl get jobset train -o json | jobset render -f - -o name`,
  }).action(async (options: JobSetOptions) => finish(await render(options, files)));

  jobSetCommand(program, "names", "table", {
    description: "Print the names of a JobSet's Jobs and Pods, and where Pods find each other.",
    help: `
With -o name only the Pods' DNS names are printed, one a line, as a host file needs them.

Examples:
  jobset names -f train.yaml
  jobset names -f train.yaml -o name > hostfile`,
  }).action(async (options: JobSetOptions) => finish(await names(options, files)));

  return program;
}

/** A command that reads JobSets from files. */
function jobSetCommand(
  program: Command,
  name: string,
  output: OutputFormat,
  { description, help }: { readonly description: string; readonly help: string },
): Command {
  const collect = (file: string, before: readonly string[] = []) => [...before, file];
  return program
    .command(name)
    .description(description)
    .option("-f, --filename <file>", "a YAML or JSON file, or - for stdin; repeatable", collect)
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(outputFormats).default(output),
    )
    .option(
      "-n, --namespace <name>",
      'the namespace of JobSets that have none (default: "default")',
      parseNamespace,
    )
    .option(
      "--uid <uid>",
      "the UID that the server assigns to the JobSet (default: an obviously fake one)",
      parseUid,
    )
    .addOption(
      new Option("--feature-gates <gates>", "of the controller, as Gate=true,Gate=false")
        .argParser(parseFeatureGates)
        .default(featuresOf({}), "its own defaults"),
    )
    .hook("preAction", (command) => {
      if (command.opts<Partial<JobSetOptions>>().filename !== undefined) return;
      command.error("no file is named: use -f FILE, or -f - for standard input");
    })
    .addHelpText("after", help);
}
