import type { ExploreOptions } from "../commands/explore.ts";
import type { ReplayOptions } from "../commands/replay.ts";
import type { SimulateOptions } from "../commands/simulate.ts";
import type { traceFormats } from "../output/trace.ts";
import { addFileOptions, createFileCommand } from "./command-kinds.ts";
import type { Call, Check, CommandSpec, OptionSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import {
  allNamespacesHelp,
  behaviorOptions,
  featureGatesOption,
  jobSetVersionOption,
  loadVersions,
  manifestNamespaceHelp,
  parseWith,
  quirksOption,
  validateOption,
} from "./option-specs.ts";

const loadSimulate = loadOnce(() => import("../commands/simulate.ts"));
const loadExplore = loadOnce(() => import("../commands/explore.ts"));
const loadReplay = loadOnce(() => import("../commands/replay.ts"));

/** No machine has more cores, and each thread needs memory. */
const MAX_THREADS = 1024;

/** More nodes would take hours and exceed the memory of most machines. */
const MAX_NODES = 100_000;

/** The options that control how a run is printed. */
const traceOptions: readonly OptionSpec[] = [
  {
    flags: "-o, --output <format>",
    description: "the output format",
    choices: ["timeline", "html", "trace", "json"] satisfies typeof traceFormats,
    default: "timeline",
  },
  {
    flags: "--summary",
    description: "print the final state and the changes of JobSets instead of the timeline",
  },
];

const rejectForeignSummary: Check = (command) => {
  const { summary, output } = command.opts<Pick<SimulateOptions, "summary" | "output">>();
  if (summary && output !== "timeline")
    command.error(`--summary replaces the timeline and cannot be combined with -o ${output}`);
};

const simulate = createFileCommand({
  name: "simulate",
  description: "Run a JobSet on a simulated cluster, and print the timeline.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    ...behaviorOptions,
    ...traceOptions,
    validateOption,
    {
      flags: "--nodes <count>",
      description: "the number of nodes (default: as many as needed)",
      value: parseWith(({ parseCount }) => parseCount(1, MAX_NODES)),
    },
    {
      flags: "--fail <job@time>",
      description: "a Job and the time when it fails; repeatable",
      value: parseWith(({ parseTimedFailure }) => parseTimedFailure),
    },
    {
      flags: "--upgrade <from..to@time>",
      description: "two versions of JobSet, and the time of the upgrade: v0.10..v0.12@60s",
      value: async () => ({ parse: (await loadVersions()).parseUpgrade }),
      conflicts: ["jobsetVersion"],
    },
    {
      flags: "--seed <number>",
      description: "the seed of random decisions",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 1,
    },
  ],
  checks: [rejectForeignSummary],
  help: `
JobSets are admitted as by jobset render. If the API server would reject their child objects, the command reports it before
the run. The simulated nodes have room for all Pods, and a topology domain for each Job with exclusive placement. Priority
classes exist as needed.

Every Pod succeeds after a minute. With --fail, Pod 0 of the Job exits with 1 at the given time (all its Pods, if they have no
completion index). With restartPolicy OnFailure, the container restarts. Pods then run until 20 seconds after the last
failure, except those that must complete before it.

Times are virtual, in seconds since the start. The same seed gives the same run. A line of the timeline has the time, the
component and its action. Equal actions on more than three Pods, Jobs or nodes share a line. For an unfinished JobSet, the
last lines say why, and how to fix it. The output omits values of environment variables.

With --jobset-version, the controller, the webhooks and the CustomResourceDefinition are those of the version. With --upgrade,
JobSets are admitted by the old version. At the given time, the new version replaces it, and the controller restarts.

Exits with 1 if a JobSet is denied, if the run violates a law, or if no Pod of a Job ran at the time of --fail.

The format html is a self-contained page, trace is for Perfetto (ui.perfetto.dev), and json is the history.

Examples:
  jobset simulate -f train.yaml
  jobset simulate -f train.yaml --fail workers-1@40s
  jobset simulate -f train.yaml --summary
  jobset simulate -f train.yaml --upgrade v0.10.1..v0.12.0@30s
  jobset simulate -f train.yaml --nodes 4 -o html > train.html`,
  run: async ({ options, world }: Call<SimulateOptions>) =>
    (await loadSimulate()).simulate(options, world),
});

const rejectInvalidShard: Check = (command, env) => {
  const { shard } = command.opts<ExploreOptions>();
  const { JOBSET_SHARDS: shards, JOB_COMPLETION_INDEX: index } = env;
  if (shards !== undefined && shard === undefined)
    command.error(
      `invalid shard "${index ?? ""}/${shards}" from JOB_COMPLETION_INDEX and JOBSET_SHARDS; use --shard`,
    );
};

const explore = addFileOptions({
  name: "explore",
  description: "Search for scenarios in which the JobSet controller violates a law.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    validateOption,
    {
      flags: "--random",
      description: "random small JobSets, the default without -f",
      conflicts: ["filename"],
    },
    {
      flags: "--runs <count>",
      description: "the number of scenarios of all shards together, in blocks of 50",
      value: parseWith(({ parseCount }) => parseCount(1)),
      default: 1000,
    },
    {
      flags: "--seed <number>",
      description: "the seed that determines the scenarios",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 1,
    },
    {
      flags: "--from <number>",
      description: "the first scenario, to continue an earlier search",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 0,
    },
    {
      flags: "--faults <names>",
      description: "only these faults, as in HoldBack,Relist",
      value: () => import("./fault-names.ts"),
    },
    {
      flags: "--jobs <count>",
      description: "the number of threads (default: one for each core)",
      value: parseWith(({ parseCount }) => parseCount(1, MAX_THREADS)),
    },
    {
      flags: "--shard <i/n>",
      description: "only this part of the scenarios",
      value: async () => {
        const { parseShard, readPodShard } = await import("./parsers.ts");
        return { parse: parseShard, defaultIn: readPodShard };
      },
    },
    { flags: "--keep-going", description: "continue after a finding, and report one of each kind" },
    {
      flags: "--finding <file>",
      description: "the file for a finding",
      default: "finding.json",
    },
    {
      flags: "--quirks <which>",
      description: "upstream's defects to reproduce",
      choices: ["upstream", "none"],
      default: "none",
    },
  ],
  checks: [rejectInvalidShard],
  help: async () => `
A scenario consists of faults, actions of users and random decisions. With -f, the first scenarios have a single fault each,
and later ones combine faults. Without -f, each scenario has its own random JobSet. Scenarios that reach new states are
varied first. A finding is shrunk to a minimal scenario, printed as a timeline, and written to a file for jobset replay.
Exits with 1 if there is a finding.

The last line of a terminal shows the progress; a log gets one line per minute. Ctrl-C stops the search, prints the results
so far and how to continue. SIGTERM does the same and exits with 143. In the Pods of an Indexed Job, the shard is the Pod's
completion index, and the environment variable JOBSET_SHARDS sets the number of shards.

Examples:
  jobset explore -f train.yaml
  jobset explore --runs 20000
  jobset explore --quirks upstream --keep-going
  jobset explore --runs 1000000 --shard 3/8
${(await import("./fault-names.ts")).formatFaultHelp()}`,
  run: async ({ options, world }: Call<ExploreOptions>) =>
    (await loadExplore()).explore(options, world),
});

const replay: CommandSpec = {
  name: "replay",
  description: "Run a finding of jobset explore again.",
  arguments: [{ name: "<file>", description: "a finding of jobset explore, or a scenario" }],
  options: [
    ...traceOptions,
    {
      ...jobSetVersionOption,
      description: "the version of JobSet, with its quirks (default: that of the finding)",
    },
    { ...quirksOption, description: "replaces the quirks of the finding or of the version" },
  ],
  checks: [rejectForeignSummary],
  help: `
A finding is a file that jobset explore writes: a minimal scenario and the law that it violates. A scenario contains the initial
objects of a cluster, the actions of users and the faults; @jobset-ts/sim/schema has its schema. Both are JSON or YAML, and
every replay is the same run. The output is that of jobset simulate.

Exits with 1 if the run violates a law, as a finding does until the bug is fixed.

Examples:
  jobset replay finding.json
  jobset replay finding.json -o html > finding.html`,
  run: async ({ options, args: [file = ""], world }: Call<ReplayOptions>) =>
    (await loadReplay()).replay(file, options, world),
};

/** The commands that run the simulated cluster, in the order of the help. */
export const simulationCommands: readonly CommandSpec[] = [simulate, explore, replay];
