import type { ExploreOptions } from "../commands/explore.ts";
import type { ReplayOptions } from "../commands/replay.ts";
import type { SimulateOptions } from "../commands/simulate.ts";
import type { traceFormats } from "../output/trace.ts";
import { addFileOptions, createFileCommand } from "./command-kinds.ts";
import type { Call, Check, CommandSpec, OptionSpec } from "./command-spec.ts";
import {
  allNamespacesHelp,
  featureGatesOption,
  manifestNamespaceHelp,
  parseWith,
  quirksOption,
  validateOption,
} from "./option-specs.ts";

/** No machine has more cores, and each thread takes memory. */
const MAX_THREADS = 1024;

/** More would take hours, and more memory than most have. */
const MAX_NODES = 100_000;

/** How a run is shown. */
const traceOptions: readonly OptionSpec[] = [
  {
    flags: "-o, --output <format>",
    description: "how to print",
    choices: ["timeline", "html", "trace", "json"] satisfies typeof traceFormats,
    default: "timeline",
  },
  {
    flags: "--summary",
    description: "in place of the timeline how all ended, and what changed a JobSet",
  },
];

const rejectForeignSummary: Check = (command) => {
  const { summary, output } = command.opts<Pick<SimulateOptions, "summary" | "output">>();
  if (summary && output !== "timeline")
    command.error(`--summary is in place of the timeline, so not with -o ${output}`);
};

const simulate = createFileCommand({
  name: "simulate",
  description: "Run a JobSet through its life on a simulated cluster, and draw it.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    ...traceOptions,
    quirksOption,
    validateOption,
    {
      flags: "--nodes <count>",
      description: "how many nodes (default: as many as it takes)",
      value: parseWith(({ parseCount }) => parseCount(1, MAX_NODES)),
    },
    {
      flags: "--fail <job@time>",
      description: "a Job and when it fails; repeatable",
      value: parseWith(({ parseTimedFailure }) => parseTimedFailure),
    },
    {
      flags: "--seed <number>",
      description: "decides what is left to chance",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 1,
    },
  ],
  checks: [rejectForeignSummary],
  help: `
JobSets are admitted as by jobset render; what the API server would refuse of what they ask for is told before the run. The nodes
are made up so that all Pods fit, a topology domain for each Job that wants one for itself, and so are priority classes.

Every Pod succeeds after a minute, unless --fail names its Job: then the Job's Pod 0 exits with 1 at that time (without completion
indexes, all its Pods do); under restartPolicy OnFailure it is started again. So that there is something left to fail then, Pods
run until 20 seconds after the last failure, but for those that have to be complete before.

Times are virtual, in seconds from the beginning; the same seed gives the same run. A line of the timeline says when, which
component, and what it did; what happens alike to more than three Pods, Jobs or nodes is one line. Values of environment variables are left out. Of a JobSet that has not ended it is said why, and
what helps.

Exits with 1 where a JobSet is refused, where what has to hold does not, and where no Pod of a Job ran when --fail would have it.

As html it is one page that needs nothing else; as trace it is for Perfetto (ui.perfetto.dev); as json it is the history.

Examples:
  jobset simulate -f train.yaml
  jobset simulate -f train.yaml --fail workers-1@40s
  jobset simulate -f train.yaml --summary
  jobset simulate -f train.yaml --nodes 4 -o html > train.html`,
  run: async ({ options, world }: Call<SimulateOptions>) =>
    (await import("../commands/simulate.ts")).simulate(options, world),
});

const rejectInvalidShard: Check = (command, env) => {
  const { shard } = command.opts<ExploreOptions>();
  const { JOBSET_SHARDS: shards, JOB_COMPLETION_INDEX: index } = env;
  if (shards !== undefined && shard === undefined)
    command.error(
      `no shard is "${index ?? ""}/${shards}", as JOB_COMPLETION_INDEX and JOBSET_SHARDS say; say it by --shard`,
    );
};

const explore = addFileOptions({
  name: "explore",
  description: "Hunt for scenarios in which a JobSet's controller goes wrong.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    validateOption,
    {
      flags: "--random",
      description: "random small JobSets, as without -f",
      conflicts: ["filename"],
    },
    {
      flags: "--runs <count>",
      description: "how many scenarios are played, of all shards together, in blocks of 50",
      value: parseWith(({ parseCount }) => parseCount(1)),
      default: 1000,
    },
    {
      flags: "--seed <number>",
      description: "which scenarios these are",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 1,
    },
    {
      flags: "--from <number>",
      description: "the first scenario, to go on where it was left",
      value: parseWith(({ parseCount }) => parseCount(0)),
      default: 0,
    },
    {
      flags: "--faults <names>",
      description: "only these, as in HoldBack,Relist",
      value: () => import("./fault-names.ts"),
    },
    {
      flags: "--jobs <count>",
      description: "how many threads (default: one for each core)",
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
    { flags: "--keep-going", description: "go on after a finding, and tell one of each kind" },
    {
      flags: "--finding <file>",
      description: "where a finding is written",
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
A scenario is what goes wrong, what users do and what chance decides. With -f every single fault comes first, then mixtures of
them; without, each scenario has a random JobSet of its own. Scenarios that reach states that none did before are varied first.
What is found is made as small as it goes, printed as a timeline, and written to a file for jobset replay. Exits with 1 then.

Progress stands in the last line of a terminal; a log has a line of it each minute. Ctrl-C ends it with what it has, and says how
to go on; so does SIGTERM, which makes it exit with 143. On a cluster, in the Pods of an Indexed Job, the shard is the Pod's
completion index of as many as the environment variable JOBSET_SHARDS says.

Examples:
  jobset explore -f train.yaml
  jobset explore --runs 20000
  jobset explore --quirks upstream --keep-going
  jobset explore --runs 1000000 --shard 3/8
${(await import("./fault-names.ts")).formatFaultHelp()}`,
  run: async ({ options, world }: Call<ExploreOptions>) =>
    (await import("../commands/explore.ts")).explore(options, world),
});

const replay: CommandSpec = {
  name: "replay",
  description: "Show again what was found.",
  arguments: [{ name: "<file>", description: "a finding of jobset explore, or a scenario" }],
  options: [
    ...traceOptions,
    {
      flags: "--quirks <which>",
      description: "in place of those of the finding",
      choices: ["upstream", "none"],
      value: parseWith(({ parseQuirks }) => parseQuirks),
    },
  ],
  checks: [rejectForeignSummary],
  help: `
A finding is what jobset explore writes: a scenario, made small, and what does not hold in it. A scenario says what a cluster holds
at first, what users do and what goes wrong; @jobset-ts/sim/schema has its schema. Either is JSON or YAML, and replayed it is always
the same run. What is printed is as of jobset simulate.

Exits with 1 when something is broken, as it is in a finding until it is mended.

Examples:
  jobset replay finding.json
  jobset replay finding.json -o html > finding.html`,
  run: async ({ options, words: [file = ""], world }: Call<ReplayOptions>) =>
    (await import("../commands/replay.ts")).replay(file, options, world),
};

/** The commands that let time go by in a simulated cluster, in the order of the help. */
export const simulationCommands: readonly CommandSpec[] = [simulate, explore, replay];
