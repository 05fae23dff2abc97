import { NO_QUIRKS } from "@jobset-ts/core";
import { faultNames } from "@jobset-ts/sim";
import { type Command, Option } from "commander";
import { type ExploreOptions, type ExploreWorld, explore } from "../commands/explore.ts";
import { type ReplayOptions, replay } from "../commands/replay.ts";
import { type SimulateOptions, simulate } from "../commands/simulate.ts";
import type { CommandResult } from "../output/command-result.ts";
import { traceFormats } from "../output/trace.ts";
import {
  allManifests,
  fileCommand,
  ofManifests,
  validation,
  withFeatureGates,
  withFiles,
} from "./command-options.ts";
import { parseQuirks } from "./parsers.ts";
import {
  parseCount,
  parseFaults,
  parseShard,
  parseTimedFailure,
  shardOfPod,
} from "./simulation-parsers.ts";

/** Where the commands read, and what becomes of their results. */
interface SimulationCommands {
  readonly world: ExploreWorld & {
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** Adds the commands that let time go by in a simulated cluster. */
export function addSimulationCommands(
  program: Command,
  { world, finish }: SimulationCommands,
): void {
  const simulateCommand = fileCommand(program, "simulate", {
    description: "Run a JobSet through its life on a simulated cluster, and draw it.",
    namespace: ofManifests,
    all: allManifests,
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
  });
  withRun(withFeatureGates(simulateCommand))
    .addOption(validation())
    .option(
      "--nodes <count>",
      "how many nodes (default: as many as it takes)",
      parseCount(1, MAX_NODES),
    )
    .option("--fail <job@time>", "a Job and when it fails; repeatable", parseTimedFailure)
    .option("--seed <number>", "decides what is left to chance", parseCount(0), 1)
    .action(async (options: SimulateOptions) => finish(await simulate(options, world)));

  const exploreCommand = withFiles(program.command("explore"), ofManifests, allManifests)
    .description("Hunt for scenarios in which a JobSet's controller goes wrong.")
    .addHelpText("after", exploreHelp)
    .hook("preAction", (command) => {
      const { shard } = command.opts<ExploreOptions>();
      const { JOBSET_SHARDS: shards, JOB_COMPLETION_INDEX: index } = world.env;
      if (shards !== undefined && shard === undefined)
        command.error(
          `no shard is "${index ?? ""}/${shards}", as JOB_COMPLETION_INDEX and JOBSET_SHARDS say; say it by --shard`,
        );
    });
  withFeatureGates(exploreCommand)
    .addOption(validation())
    .addOption(new Option("--random", "random small JobSets, as without -f").conflicts("filename"))
    .option(
      "--runs <count>",
      "how many scenarios are played, of all shards together, in blocks of 50",
      parseCount(1),
      1000,
    )
    .option("--seed <number>", "which scenarios these are", parseCount(0), 1)
    .option("--from <number>", "the first scenario, to go on where it was left", parseCount(0), 0)
    .option(
      "--faults <names>",
      `only these, as in ${faultNames.slice(0, 2).join(",")}`,
      parseFaults,
    )
    .option(
      "--jobs <count>",
      "how many threads (default: one for each core)",
      parseCount(1, MAX_THREADS),
    )
    .option("--shard <i/n>", "only this part of the scenarios", parseShard, shardOfPod(world.env))
    .option("--keep-going", "go on after a finding, and tell one of each kind")
    .option("--finding <file>", "where a finding is written", "finding.json")
    .addOption(
      new Option("--quirks <which>", "upstream's defects to reproduce")
        .choices(["upstream", "none"])
        .default("none"),
    )
    .action(async (options: ExploreOptions) => finish(await explore(options, world)));

  withFormat(program.command("replay"))
    .description("Show again what was found.")
    .argument("<file>", "a finding of jobset explore, or a scenario")
    .addOption(
      new Option("--quirks <which>", "in place of those of the finding")
        .choices(["upstream", "none"])
        .argParser(parseQuirks),
    )
    .addHelpText(
      "after",
      `
A finding is what jobset explore writes: a scenario, made small, and what does not hold in it. A scenario says what a cluster holds
at first, what users do and what goes wrong; @jobset-ts/sim/schema has its schema. Either is JSON or YAML, and replayed it is always
the same run. What is printed is as of jobset simulate.

Exits with 1 when something is broken, as it is in a finding until it is mended.

Examples:
  jobset replay finding.json
  jobset replay finding.json -o html > finding.html`,
    )
    .action(async (file: string, options: ReplayOptions) =>
      finish(await replay(file, options, world)),
    );
}

const exploreHelp = `
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

Faults:
${inLines(faultNames)}`;

/** Names beside each other, in lines as long as those of the help. */
function inLines(names: readonly string[]): string {
  const lines: string[] = [""];
  for (const name of names) {
    const line = `${lines.pop()} ${name}`;
    if (line.length < 120) lines.push(line);
    else lines.push(line.slice(0, -name.length - 1), ` ${name}`);
  }
  return lines.map((line) => ` ${line}`).join("\n");
}

/** No machine has more cores, and each thread takes memory. */
const MAX_THREADS = 1024;

/** More would take hours, and more memory than most have. */
const MAX_NODES = 100_000;

/** How a run is played, and shown. */
function withRun(command: Command): Command {
  return withFormat(command).addOption(
    new Option("--quirks <which>", "upstream's defects to reproduce")
      .choices(["upstream", "none"])
      .argParser(parseQuirks)
      .default(NO_QUIRKS, "none"),
  );
}

function withFormat(command: Command): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(traceFormats).default("timeline"),
    )
    .option("--summary", "in place of the timeline how all ended, and what changed a JobSet")
    .hook("preAction", () => {
      const { summary, output } = command.opts<Pick<SimulateOptions, "summary" | "output">>();
      if (summary && output !== "timeline")
        command.error(`--summary is in place of the timeline, so not with -o ${output}`);
    });
}
