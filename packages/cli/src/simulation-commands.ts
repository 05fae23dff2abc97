import { NO_QUIRKS } from "@jobset-ts/core";
import { type Command, Option } from "commander";
import type { CommandResult } from "./command.ts";
import {
  allManifests,
  fileCommand,
  ofManifests,
  validation,
  withFeatureGates,
} from "./command-options.ts";
import type { Files } from "./input/sources.ts";
import { parseQuirks } from "./options.ts";
import { traceFormats } from "./output/trace.ts";
import { type SimulateOptions, simulate } from "./simulate.ts";
import { parseCount, parseTimedFailure } from "./simulation-options.ts";

/** Where the commands read, and what becomes of their results. */
interface SimulationCommands {
  readonly files: Files;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** Adds the commands that let time go by in a simulated cluster. */
export function addSimulationCommands(
  program: Command,
  { files, finish }: SimulationCommands,
): void {
  const simulateCommand = fileCommand(program, "simulate", {
    description: "Run a JobSet through its life on a simulated cluster, and draw it.",
    namespace: ofManifests,
    all: allManifests,
    help: `
JobSets are admitted as by jobset render. The nodes are made up so that all Pods fit, a topology domain for each Job that wants
one for itself. Every Pod succeeds after a minute, unless --fail names its Job: then the Job's Pod 0 exits with 1 at that time
(without completion indexes, all its Pods do); under restartPolicy OnFailure it is started again. Times are virtual; the same seed gives the same run. Values of environment
variables are left out.

As html it is one page that needs nothing else; as trace it is for Perfetto (ui.perfetto.dev); as json it is the history.

Examples:
  jobset simulate -f train.yaml
  jobset simulate -f train.yaml --fail workers-1@40s
  jobset simulate -f train.yaml --nodes 4 -o html > train.html`,
  });
  withRun(withFeatureGates(simulateCommand))
    .addOption(validation())
    .option("--nodes <count>", "how many nodes (default: as many as it takes)", parseCount(1))
    .option("--fail <job@time>", "a Job and when it fails; repeatable", parseTimedFailure)
    .option("--seed <number>", "decides what is left to chance", parseCount(0), 1)
    .action(async (options: SimulateOptions) => finish(await simulate(options, files)));
}

/** How a run is played, and shown. */
function withRun(command: Command): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", "how to print").choices(traceFormats).default("timeline"),
    )
    .addOption(
      new Option("--quirks <which>", "upstream's defects to reproduce: upstream or none")
        .argParser(parseQuirks)
        .default(NO_QUIRKS, "none"),
    );
}
