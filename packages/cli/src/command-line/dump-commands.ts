import { suggestName } from "@jobset-ts/api/text";
import { diagnosedKinds } from "@jobset-ts/diagnose";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type CensusCommandOptions, census, jobOwnedRules } from "../commands/census.ts";
import type { DumpKind, DumpOptions, DumpReportOptions } from "../commands/cluster/dump.ts";
import { type ExplainOptions, explain } from "../commands/explain.ts";
import { parseFailure } from "../commands/simulation/given-failure.ts";
import { top } from "../commands/top.ts";
import { verify } from "../commands/verify.ts";
import { type WhatIfOptions, whatIf } from "../commands/what-if.ts";
import type { FilesAndClock } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { fileCommand, format, withFeatureGates } from "./command-options.ts";
import { parseNow } from "./parsers.ts";

/** Where the commands read, and what becomes of their results. */
interface DumpCommands {
  readonly files: FilesAndClock;
  readonly isColoured: boolean;
  readonly finish: (result: CommandResult) => Promise<void>;
}

/** Adds the commands that look into a dump of a cluster. */
export function addDumpCommands(
  program: Command,
  { files, isColoured, finish }: DumpCommands,
): void {
  withNow(
    dumpCommand(program, "explain", {
      description: "Print why a JobSet does not get on: the root cause first, and what would help.",
      help: `
Below a root cause stands what shows it, then what follows from it. Nothing is concluded of kinds that the dump does not
hold; what could therefore not be checked is listed. Values of environment variables are left out.

Examples:
  kubectl get ${everything} -A -o json | jobset explain -f -
  jobset explain -f dump.json.gz train
  jobset explain -f jobsets.yaml -f pods.yaml --asked JobSet,Job,Pod ml/train -o json`,
    }),
  )
    .argument("[name...]", chosen)
    .action(async (names: string[], options: ExplainOptions) =>
      finish(await explain({ ...options, names, isColoured }, files)),
    );

  withNow(
    dumpCommand(program, "top", {
      description: "Print how each JobSet stands, in one word and one sentence.",
      output: format("table", ["wide", "name"]),
      help: `
The dump is read as by jobset explain. How many JobSets stand so is counted at the end.

Examples:
  kubectl get ${everything} -A -o json | jobset top -f -
  jobset top -f dump.json -o json`,
    }),
  )
    .argument("[name...]", chosen)
    .action(async (names: string[], options: DumpReportOptions) =>
      finish(await top({ ...options, names }, files)),
    );

  dumpCommand(program, "verify", {
    description: "Print which invariants of JobSet's the cluster breaks.",
    help: `
In a cluster at rest there are none; some end by themselves, such as two leaders while a restart goes on. What is not in
the dump breaks nothing. With -n only what an object of that namespace takes part in is told. Exits with 1 when an
invariant is broken.

Examples:
  kubectl get ${everything} -A -o json | jobset verify -f -`,
  }).action(async (options: DumpReportOptions) => finish(await verify(options, files)));

  dumpCommand(program, "census", {
    description:
      "Print how the Pods of a cluster stand, and what the scheduler says of those without a node.",
    namespace: "only the Pods of this namespace; it is also that of objects that say none",
    help: `
JobSets need not be in the dump. Pods of namespaces such as kube-system do not count, unless -n names one. All Pods of a JobSet
are owned by Jobs, which by default exempts them from counting as unscheduled; a note says how many.

Examples:
  kubectl get ${ofCensus} -A -o json | jobset census -f - --job-owned none`,
  })
    .addOption(
      new Option("--job-owned <rule>", "the Pods that are exempt from counting as unscheduled")
        .choices(jobOwnedRules)
        .default("parity"),
    )
    .action(async (options: CensusCommandOptions) => finish(await census(options, files)));

  const whatIfCommand = dumpCommand(program, "what-if", {
    description: "Print what the failure policy of a JobSet would make of failed Jobs, and why.",
    help: `
A failure is JOB[@TIME][=REASON[:MESSAGE]]: without a time it is that of the dump, without a reason BackoffLimitExceeded. What
has failed in the dump is not among the failures. A Job that is not in the dump is taken to be as the JobSet asks for.

Examples:
  kubectl get ${kindsRead["what-if"]} -A -o json | jobset what-if -f - ml/train --fail train-workers-0
  jobset what-if -f train.yaml train --fail train-workers-0=PodFailurePolicy --fail train-driver-0@2026-02-07T06:56:20Z`,
  });
  withFeatureGates(withNow(whatIfCommand))
    .argument("<name>", "the JobSet, as NAME or NAMESPACE/NAME")
    .addOption(
      new Option("--fail <failure>", "a Job that fails; repeatable")
        .argParser(parseFailure)
        .makeOptionMandatory(),
    )
    .action(async (name: string, options: WhatIfOptions) =>
      finish(await whatIf({ ...options, name }, files)),
    );
}

const chosen = "the JobSets to tell of, as NAME or NAMESPACE/NAME (default: all)";

/** What to ask kubectl for. */
const everything = "jobsets,jobs,pods,nodes,services,events,pvc";
const ofCensus = "pods,events";

/** The kinds that each command reads, as kubectl names them. */
const kindsRead: Readonly<Record<string, string>> = {
  explain: everything,
  top: everything,
  verify: everything,
  census: ofCensus,
  "what-if": "jobsets,jobs",
};

/**
 * Returns a note with the command line that pipes the cluster into a command that reads a dump; nothing for other commands.
 *
 * @param typed - the words that the user typed, without a file
 */
export function clusterPipe(
  command: Command | undefined,
  typed: readonly string[],
): readonly Diagnostic[] {
  const kinds = kindsRead[command?.name() ?? ""];
  if (command === undefined || kinds === undefined) return [];
  const { namespace } = command.opts<Partial<DumpOptions>>();
  const where = namespace === undefined ? "-A" : `-n ${namespace}`;
  const [program = "", ...words] = typed;
  const end = words.includes("--") ? words.indexOf("--") : words.length; // no option comes behind it
  const line = words.toSpliced(end, 0, "-f", "-").map(quoted).join(" ");
  const message = `to read the cluster: kubectl get ${kinds} ${where} -o json | ${program} ${line}`;
  return [{ severity: "note", message }];
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

interface DumpHelp {
  readonly description: string;
  /** What its `-n` means, where it is not about JobSets. */
  readonly namespace?: string;
  /** Its `-o`, where it prints more than all of them. */
  readonly output?: Option;
  readonly help: string;
}

/** A command that looks into what kubectl wrote of a cluster. */
function dumpCommand(
  program: Command,
  name: string,
  { description, namespace, output = format(), help }: DumpHelp,
): Command {
  return fileCommand(program, name, {
    description,
    namespace:
      namespace ?? "only the JobSets of this namespace; it is also that of objects that say none",
    all: "the JobSets of every namespace: -n does not count",
    help,
  })
    .addOption(output)
    .option(
      "--asked <kinds>",
      "the kinds that the cluster was asked for, as in JobSet,Job,Pod (default: all, if it is one list of several kinds; " +
        "else those in it)",
      parseKinds,
    );
}

/** The instant of the dump, for what depends on how long something has lasted. */
function withNow(command: Command): Command {
  return command.option(
    "--now <time>",
    "when the dump was taken, RFC 3339 (default: its newest time)",
    parseNow,
  );
}

/** Reads kinds by their names, or by those that kubectl lists them under. */
function parseKinds(text: string): readonly DumpKind[] {
  return text.split(",").map((name) => {
    const lower = name.trim().toLowerCase();
    const found = diagnosedKinds.find((kind) =>
      [kind.toLowerCase(), `${kind.toLowerCase()}s`].includes(lower),
    );
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      `Kinds are ${diagnosedKinds.join(", ")}.${suggestName(lower, diagnosedKinds)}`,
    );
  });
}
