import { kueueFeaturesOf } from "@jobset-ts/kueue";
import { Argument, Command, Option } from "commander";
import { version } from "../../package.json";
import type { JobSetOptions } from "../admission/admitted-jobsets.ts";
import { admit } from "../commands/admit.ts";
import type { ClusterOptions } from "../commands/cluster/planned-jobsets.ts";
import { completionScripts, completionShells } from "../commands/completion/scripts.ts";
import { type CostOptions, cost } from "../commands/cost.ts";
import { type DiffOptions, diff } from "../commands/diff.ts";
import type { ExploreWorld } from "../commands/explore.ts";
import { type KueuePodSetsOptions, kueuePodSets } from "../commands/kueue-pod-sets.ts";
import { type NamesOptions, names as printNames } from "../commands/names.ts";
import { plan } from "../commands/plan.ts";
import { render } from "../commands/render.ts";
import type { AdmitOptions } from "../commands/reviews/reviewed-objects.ts";
import { schema } from "../commands/schema.ts";
import { status } from "../commands/status.ts";
import { stdinOnce } from "../input/sources.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { type CommandResult, exitCodes } from "../output/command-result.ts";
import { yamlText } from "../output/yaml.ts";
import {
  allManifests,
  collect,
  fileCommand,
  format,
  liveCommand,
  namespace,
  ofManifests,
  recursive,
  refuseKubectlFlags,
  validation,
  withFeatureGates,
  withJobSetOptions,
  withKubectlFlags,
  withPassOptions,
} from "./command-options.ts";
import { addDumpCommands } from "./dump-commands.ts";
import { parseKueueFeatures, parseRate, parseScale } from "./parsers.ts";
import { addSimulationCommands } from "./simulation-commands.ts";

/** Where the program reads, and what it calls with the result of a command. */
export interface ProgramContext {
  readonly world: FilesAndCluster &
    ExploreWorld & { readonly env: Readonly<Record<string, string | undefined>> };
  /** Whether standard output is a terminal that shows colours. */
  readonly isColoured: boolean;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** The command line of `jobset`: its commands, their options and their help. */
export function createProgram({ world, isColoured, finish }: ProgramContext): Command {
  const files = stdinOnce(world);
  const program = new Command("jobset")
    .description(
      "What a JobSet becomes, what a cluster lets in, what its controller does next, and why a JobSet is stuck.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText("after", exitCodeHelp());

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
line, as a host file needs them. With --budget it is told of the longest name of each use how many characters are left, what
becomes of it beyond the limit, and which names other JobSets make, too.

Examples:
  jobset names train -n ml
  jobset names -f train.yaml
  jobset names -f train.yaml -o name > hostfile
  jobset names -f train.yaml --budget`,
  });
  withKubectlFlags(withJobSetOptions(namesCommand, "table"))
    .option("--budget", "print how long the names are and may be")
    .hook("preAction", (command) => {
      const { budget, output } = command.opts<NamesOptions>();
      if (budget && output === "name")
        command.error("--budget prints no names, so not with -o name");
    })
    .action(async (names: string[], options: NamesOptions) =>
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
  withKubectlFlags(withPassOptions(statusCommand, format("table", ["name"]))).action(
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
  withPassOptions(admitCommand, format("table", ["name"]))
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

  const costCommand = fileCommand(program, "cost", {
    description: "Print what it costs the API server that something is done to a JobSet.",
    namespace: ofManifests,
    all: allManifests,
    help: `
JobSets are admitted as by jobset render, then created, restarted, suspended, resumed, scaled and deleted in memory, where all
goes well and at once: these are the fewest writes, and the least time at the rate of the controller's client. Without --scale
each Job gets twice as many Pods.

Examples:
  jobset cost -f train.yaml
  jobset cost -f train.yaml --qps 20 --burst 30 --feature-gates ElasticJobSet=true --scale workers=16`,
  });
  withFeatureGates(costCommand)
    .addOption(format())
    .addOption(validation())
    .option("--qps <rate>", "requests a second in the long run; 0 is without limit", parseRate, 500)
    .option("--burst <count>", "requests at once", parseRate, 500)
    .option(
      "--scale <name=pods>",
      "how many Pods each Job of a ReplicatedJob is scaled to; repeatable",
      parseScale,
    )
    .action(async (options: CostOptions) => finish(await cost(options, files)));

  const kueueCommand = program
    .command("kueue")
    .description("Print what Kueue asks of a JobSet.")
    .helpCommand(false);
  const podSetsCommand = fileCommand(kueueCommand, "podsets", {
    description: "Print what a JobSet needs quota for, as a Workload of Kueue's holds it.",
    namespace: ofManifests,
    all: allManifests,
    help: `
JobSets are admitted as by jobset render. A Pod set is a ReplicatedJob: its Pod template, and the Pods of all its Jobs.

Examples:
  jobset kueue podsets -f train.yaml
  jobset kueue podsets -f train.yaml -o table --kueue-feature-gates TopologyAwareScheduling=false`,
  });
  withFeatureGates(podSetsCommand)
    .addOption(format("yaml"))
    .addOption(validation())
    .addOption(
      new Option("--kueue-feature-gates <gates>", "of Kueue: Gate=true,Gate=false")
        .argParser(parseKueueFeatures)
        .default(kueueFeaturesOf(), "its own defaults"),
    )
    .action(async (options: KueuePodSetsOptions) => finish(await kueuePodSets(options, files)));

  program
    .command("schema")
    .description("Print the JSON Schema of a JobSet, for editors.")
    .addHelpText(
      "after",
      `
It is what the CustomResourceDefinition says, as draft 7: types, limits, defaults, and which fields there are. What it cannot say,
such as rules across fields, jobset admit does. An editor takes it by a line at the top of a manifest:

  # yaml-language-server: $schema=./jobset.schema.json

Examples:
  jobset schema > jobset.schema.json`,
    )
    .action(async () => finish(schema()));

  program
    .command("version")
    .description("Print the version of this command.")
    .addOption(
      new Option("-o, --output <format>", "how to print, in place of the bare version").choices([
        "json",
        "yaml",
      ]),
    )
    .addHelpText(
      "after",
      `
JSON and YAML have the shape of kubectl version: the version is .clientVersion.gitVersion.

Examples:
  jobset version
  kubectl jobset version -o json`,
    )
    .action(async ({ output }: { readonly output?: "json" | "yaml" }) =>
      finish({ output: [versionText(output)], diagnostics: [], exitCode: 0 }),
    );

  program
    .command("completion")
    .description("Print what a shell needs to complete the words of this command.")
    .addArgument(
      new Argument("<shell>", "or kubectl, for kubectl jobset").choices(completionShells),
    )
    .addHelpText(
      "after",
      `
Examples:
  source <(jobset completion bash)                                # in ~/.bashrc
  source <(jobset completion zsh)                                 # in ~/.zshrc, after compinit
  jobset completion fish > ~/.config/fish/completions/jobset.fish
  jobset completion kubectl > ~/.local/bin/kubectl_complete-jobset && chmod +x ~/.local/bin/kubectl_complete-jobset`,
    )
    .action(async (shell: (typeof completionShells)[number]) =>
      finish({ output: [completionScripts[shell]], diagnostics: [], exitCode: 0 }),
    );

  addSimulationCommands(program, { world: { ...world, ...files }, finish });
  addDumpCommands(program, { files, isColoured, finish });
  return program;
}

function versionText(format: "json" | "yaml" | undefined): string {
  if (format === undefined) return `${version}\n`;
  const shown = { clientVersion: { gitVersion: `v${version}` } };
  return format === "json" ? `${JSON.stringify(shown, null, 2)}\n` : yamlText(shown);
}

function exitCodeHelp(): string {
  const lines = Object.entries(exitCodes).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}
