import { featuresOf } from "@jobset-ts/api";
import { NO_QUIRKS } from "@jobset-ts/core";
import { Command, Option } from "commander";
import { version } from "../package.json";
import { admit } from "./admit.ts";
import type { CommandResult } from "./command.ts";
import { diff } from "./diff.ts";
import { gateHelp } from "./gate-hints.ts";
import { type FilesAndClock, stdinOnce } from "./input/sources.ts";
import { names } from "./names.ts";
import {
  type AdmitOptions,
  type ClusterOptions,
  clusterFormats,
  type DiffOptions,
  type JobSetOptions,
  type OutputFormat,
  outputFormats,
  parseFeatures,
  parseNamespace,
  parseNow,
  parseQuirks,
  parseUid,
  parseValidate,
} from "./options.ts";
import { plan } from "./plan.ts";
import { render } from "./render.ts";
import { status } from "./status.ts";

/** Where the program reads, and what it calls with the result of a command. */
export interface ProgramContext {
  readonly files: FilesAndClock;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** The command line of `jobset`: its commands, their options and their help. */
export function createProgram({ files: world, finish }: ProgramContext): Command {
  const files = stdinOnce(world);
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
JobSets are admitted as a cluster would admit them: read, defaulted, checked against the CRD, then by JobSet's webhook.
The headless Service comes first, then the volume claims, then the Jobs in spec order. Without a UID of the JobSet the
owner reference and the label jobset.sigs.k8s.io/jobset-uid are left out.

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

  clusterCommand(program, "plan", {
    description: "Print what the controller does next about every JobSet of a cluster, and why.",
    help: `
The files hold the cluster's objects: JobSets, Jobs, Services, volume claims, Pods and Nodes. They are taken as the
cluster stores them, but for JobSets without a UID, which no server has stored yet: they are created first, as a cluster
would. Exits with 1 when such a JobSet is refused, or a pass over some JobSet fails.

Examples:
  kubectl get jobsets,jobs,services,pvc,pods,nodes -A -o yaml | jobset plan -f -
  jobset plan -f dump.yaml --now 2026-11-21T12:00:00Z -o json`,
  }).action(async (options: ClusterOptions) => finish(await plan(options, files)));

  clusterCommand(program, "status", {
    description: "Print the status that the controller writes for every JobSet of a cluster.",
    help: `
The files are read as by jobset plan: JobSets without a UID are created first.

Examples:
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset status -f -`,
  }).action(async (options: ClusterOptions) => finish(await status(options, files)));

  clusterCommand(program, "admit", {
    description: "Print whether a cluster with JobSet would let objects in, and why not.",
    help: `
JobSets go the way of a cluster: read, defaulted, checked against the CRD, then by JobSet's webhook. Those that --old
names, too, are updates. Pods go through both webhooks for Pods, with the Pods, Nodes and Events that --cluster shows; a
fact that it does not show is said to be unknown. Each object is asked about by itself. Exits with 1 when one is denied.

Examples:
  jobset admit -f train.yaml
  jobset admit -f edited.yaml --old stored.yaml
  jobset admit -f follower.yaml --cluster dump.yaml -o json`,
  })
    .addOption(validation())
    .option("--old <file>", "the JobSets as they are stored, to update them; repeatable", collect)
    .option("--cluster <file>", "the objects of the cluster; repeatable", collect)
    .action(async (options: AdmitOptions) => finish(await admit(options, files)));

  withPassOptions(program.command("diff"))
    .description(
      "Print what an edit of a JobSet changes, whether it is admitted, and what comes of it.",
    )
    .argument("<old>", "a file with the JobSet as it is stored")
    .argument("<new>", "a file with the JobSet as it is to be")
    .addOption(validation())
    .option("--cluster <file>", "the objects of the cluster; repeatable", collect)
    .addHelpText(
      "after",
      `
<new> is the whole JobSet, as kubectl edit or replace sends it: what it leaves out is removed. When <old> has no UID, both
are taken for manifests, and the defaults of JobSet's webhook filled in. Without --cluster there are no Jobs yet. Exits
with 0 when nothing changes, with 1 when something does or the edit is denied.

Examples:
  jobset diff train.yaml edited.yaml
  jobset diff stored.yaml edited.yaml --cluster dump.yaml -o json`,
    )
    .action(async (old: string, next: string, options: DiffOptions) =>
      finish(await diff([old, next], options, files)),
    );

  return program;
}

/** Gathers the values of an option that may be given more than once. */
function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file];
}

/** A command that reads a cluster from files. */
function clusterCommand(
  program: Command,
  name: string,
  { description, help }: { readonly description: string; readonly help: string },
): Command {
  return withPassOptions(fileCommand(program, name))
    .description(description)
    .addHelpText("after", help);
}

/** The options of whatever depends on a time, feature gates and quirks. */
function withPassOptions(command: Command): Command {
  return withFeatureGates(command)
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(clusterFormats).default("table"),
    )
    .option("--now <time>", "the time of the pass, RFC 3339 (default: now)", parseNow)
    .addOption(
      new Option("--quirks <which>", "upstream's defects to reproduce: upstream or none")
        .argParser(parseQuirks)
        .default(NO_QUIRKS, "none"),
    );
}

function withFeatureGates(command: Command): Command {
  return command
    .addOption(
      new Option("--features, --feature-gates <gates>", "of the controller: Gate=true,Gate=false")
        .argParser(parseFeatures)
        .default(featuresOf({}), "its own defaults, below"),
    )
    .addHelpText("afterAll", gateHelp());
}

/** What becomes of fields that a cluster does not know, or that are set twice, in what is sent to it. */
function validation(): Option {
  return new Option("--validate <how>", "unknown and duplicate fields: strict, warn or ignore")
    .argParser(parseValidate)
    .default("strict", "strict, as with kubectl");
}

/** A command that reads files. */
function fileCommand(program: Command, name: string): Command {
  return program
    .command(name)
    .option("-f, --filename <file>", "a YAML or JSON file, or - for stdin; repeatable", collect)
    .hook("preAction", (command) => {
      if (command.opts<Partial<JobSetOptions>>().filename !== undefined) return;
      command.error("no file is named: use -f FILE, or -f - for standard input");
    });
}

/** A command that reads JobSets from files. */
function jobSetCommand(
  program: Command,
  name: string,
  output: OutputFormat,
  { description, help }: { readonly description: string; readonly help: string },
): Command {
  return withFeatureGates(fileCommand(program, name))
    .description(description)
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
      "the UID that the server assigns to the JobSet (default: its own, if it has one)",
      parseUid,
    )
    .addOption(validation())
    .addHelpText("after", help);
}
