import { featuresOf } from "@jobset-ts/api";
import { NO_QUIRKS } from "@jobset-ts/core";
import { Command, Option } from "commander";
import { version } from "../package.json";
import { admit } from "./admit.ts";
import type { CommandResult } from "./command.ts";
import { diff } from "./diff.ts";
import { gateHelp } from "./gate-hints.ts";
import { type FilesAndCluster, stdinOnce } from "./input/sources.ts";
import { names as printNames } from "./names.ts";
import {
  type AdmitOptions,
  type ClusterOptions,
  clusterFormats,
  type DiffOptions,
  type FileOptions,
  type JobSetOptions,
  type LiveOptions,
  type NamesOptions,
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
  readonly world: FilesAndCluster;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** The command line of `jobset`: its commands, their options and their help. */
export function createProgram({ world, finish }: ProgramContext): Command {
  const files = stdinOnce(world);
  const program = new Command("jobset")
    .description(
      "What a JobSet becomes, what a cluster lets in, and what its controller does next.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false });

  const renderCommand = fileCommand(program, "render", {
    description: "Print the objects that the control plane creates for a JobSet.",
    namespace: ofManifests,
    all: allManifests,
    help: `
JobSets are admitted as a cluster would admit them: read, defaulted, checked against the CRD, then by JobSet's webhook.
The headless Service comes first, then the volume claims, then the Jobs in spec order. Without a UID of the JobSet the
owner reference and the label jobset.sigs.k8s.io/jobset-uid are left out.

Examples:
  jobset render -f train.yaml
  jobset render -f manifests/ -R -o table
  kubectl get jobset train -o json | jobset render -f - -o name`,
  });
  withJobSetOptions(renderCommand, "yaml").action(async (options: JobSetOptions) =>
    finish(await render(options, files)),
  );

  const namesCommand = liveCommand(program, "names", {
    description: "Print the names of a JobSet's Jobs and Pods, and where Pods find each other.",
    namespace: `only the JobSets of this namespace; with -f: ${ofManifests}`,
    help: `
With -f the JobSets are manifests, admitted as by jobset render. With -o name only the Pods' DNS names are printed, one a
line, as a host file needs them.

Examples:
  jobset names train -n ml
  jobset names -f train.yaml
  jobset names -f train.yaml -o name > hostfile`,
  });
  withKubectlFlags(withJobSetOptions(namesCommand, "table")).action(
    async (names: string[], options: NamesOptions) =>
      finish(await printNames({ ...options, names }, files)),
  );

  const ofCluster =
    "only the JobSets of this namespace; with -f it is also that of objects that say none";
  const planCommand = liveCommand(program, "plan", {
    description: "Print what the controller does next about every JobSet of a cluster, and why.",
    namespace: ofCluster,
    help: `
With -f the files hold the cluster's objects: JobSets, Jobs, Services, volume claims and Pods. They are taken as the
cluster stores them, but for JobSets without a UID, which no server has stored yet: they are created first, as a cluster
would. Exits with 1 when such a JobSet is refused, or a pass over some JobSet fails. Values of environment variables are
left out.

Examples:
  jobset plan -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset plan -f -
  jobset plan -f dump.yaml --now 2026-11-21T12:00:00Z -o json`,
  });
  withKubectlFlags(withPassOptions(planCommand)).action(
    async (names: string[], options: ClusterOptions) =>
      finish(await plan({ ...options, names }, files)),
  );

  const statusCommand = liveCommand(program, "status", {
    description: "Print the status that the controller writes for every JobSet of a cluster.",
    namespace: ofCluster,
    help: `
The files are read as by jobset plan: JobSets without a UID are created first.

Examples:
  jobset status train -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset status -f -`,
  });
  withKubectlFlags(withPassOptions(statusCommand)).action(
    async (names: string[], options: ClusterOptions) =>
      finish(await status({ ...options, names }, files)),
  );

  const admitCommand = fileCommand(program, "admit", {
    description: "Print whether a cluster with JobSet would let objects in, and why not.",
    namespace: ofManifests,
    all: `${allManifests}; --live reads every namespace at once`,
    help: `
JobSets go the way of a cluster: read, defaulted, checked against the CRD, then by JobSet's webhook. Those that --old
names, too, are updates. Pods go through both webhooks for Pods, with the Pods, Nodes and Events that --cluster shows; a
fact that it does not show is said to be unknown. Each object is asked about by itself. Exits with 1 when one is denied.
Values of environment variables are left out.

With --live both are read from kubectl: a JobSet that is there is updated, and what is there is asked.

Examples:
  jobset admit -f train.yaml
  jobset admit -f edited.yaml --old stored.yaml
  jobset admit -f follower.yaml --cluster dump.yaml -o json
  jobset admit -f edited.yaml --live --context staging`,
  });
  withPassOptions(admitCommand)
    .addOption(validation())
    .option("--old <file>", "the JobSets as they are stored, to update them; repeatable", collect)
    .option("--cluster <file>", "the objects of the cluster; repeatable", collect)
    .addOption(
      new Option("--live", "ask the cluster that kubectl reaches").conflicts(["old", "cluster"]),
    );
  withKubectlFlags(admitCommand)
    .hook("preAction", (command) => {
      if (!command.opts<AdmitOptions>().live) refuseKubectlFlags(command, "without --live");
    })
    .action(async (options: AdmitOptions) => finish(await admit(options, files)));

  withPassOptions(program.command("diff"))
    .description(
      "Print what an edit of a JobSet changes, whether it is admitted, and what comes of it.",
    )
    .argument("<old>", "a file with the JobSet as it is stored")
    .argument("<new>", "a file with the JobSet as it is to be")
    .addOption(recursive())
    .addOption(namespace(ofManifests))
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

/** What a command says of itself in its help. */
interface Help {
  readonly description: string;
  /** What its `-n` means. */
  readonly namespace: string;
  readonly help: string;
}

const ofManifests =
  'the namespace of objects that say none (default: "default"); refuses those that say another one';
const allManifests = "whatever their namespace: -n does not count";

/** A command that reads files. */
function fileCommand(
  program: Command,
  name: string,
  { description, namespace: ofNamespace, all, help }: Help & { readonly all: string },
): Command {
  return withFiles(program.command(name), ofNamespace, all)
    .description(description)
    .addHelpText("after", help)
    .hook("preAction", (command) => {
      if (command.opts<Partial<FileOptions>>().filename !== undefined) return;
      command.error("no file is named: use -f FILE, or -f - for standard input");
    });
}

/** A command that tells of the JobSets in files, or without any of those that kubectl shows. */
function liveCommand(
  program: Command,
  name: string,
  { description, namespace: ofNamespace, help }: Help,
): Command {
  const all = "the JobSets of every namespace: -n does not count";
  return withFiles(program.command(name), ofNamespace, all)
    .description(description)
    .argument("[name...]", "the JobSets to tell of (default: all)")
    .hook("preAction", (command) => {
      const { filename } = command.opts<LiveOptions>();
      if (filename !== undefined) refuseKubectlFlags(command, "with -f");
    })
    .addHelpText(
      "after",
      `
Without -f the cluster is asked that kubectl reaches, through kubectl get, in the namespace of its context unless -n or -A
say otherwise.
${help}`,
    );
}

function withKubectlFlags(command: Command): Command {
  for (const option of kubectlFlags()) command.addOption(option);
  return command;
}

function withFiles(command: Command, ofNamespace: string, all: string): Command {
  return command
    .option(
      "-f, --filename <file>",
      "a YAML or JSON file, a folder of them, or - for stdin; repeatable",
      collect,
    )
    .addOption(recursive())
    .addOption(namespace(ofNamespace))
    .option("-A, --all-namespaces", all)
    .hook("preAction", (command) => {
      // As kubectl has it: where both are given, -A counts.
      if (command.opts<FileOptions>().allNamespaces) {
        command.setOptionValue("namespace", undefined);
      }
    });
}

function recursive(): Option {
  return new Option("-R, --recursive", "read the folders in a folder, too");
}

function namespace(meaning: string): Option {
  return new Option("-n, --namespace <name>", meaning).argParser(parseNamespace);
}

/** The flags that are handed on to kubectl. */
function kubectlFlags(): readonly Option[] {
  return [
    new Option("--kubeconfig <file>", "for kubectl: the file with clusters and logins"),
    new Option("--context <name>", "for kubectl: which of its contexts"),
    new Option("--user <name>", "for kubectl: which of its users"),
    new Option("--as <name>", "for kubectl: the user to impersonate"),
    new Option("--as-group <name>", "for kubectl: a group to impersonate; repeatable").argParser(
      collect,
    ),
    new Option("--request-timeout <time>", "for kubectl: how long a request may take, as in 30s"),
  ];
}

/** Who names a cluster and a file means one of them; it is not for us to say which. */
function refuseKubectlFlags(command: Command, when: string): void {
  const given = kubectlFlags().find(
    (option) => command.getOptionValue(option.attributeName()) !== undefined,
  );
  if (given !== undefined)
    command.error(`${given.long} is for kubectl, which ${when} is not asked`);
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

/** The options of a command about JobSets as they are created. */
function withJobSetOptions(command: Command, output: OutputFormat): Command {
  return withFeatureGates(command)
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(outputFormats).default(output),
    )
    .option(
      "--uid <uid>",
      "the UID that the server assigns to the JobSet (default: its own, if it has one)",
      parseUid,
    )
    .addOption(validation());
}
