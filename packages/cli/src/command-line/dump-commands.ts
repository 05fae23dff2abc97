import type { CensusCommandOptions, jobOwnedRules } from "../commands/census.ts";
import type { DumpReportOptions } from "../commands/cluster/dump.ts";
import type { ExplainOptions } from "../commands/explain.ts";
import type { WhatIfOptions } from "../commands/what-if.ts";
import { kindsByCommand } from "./cluster-pipe.ts";
import { createFileCommand } from "./command-kinds.ts";
import type { Call, CommandSpec, OptionSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import { createOutputOption, featureGatesOption, parseWith } from "./option-specs.ts";

/** A command that looks into what kubectl wrote of a cluster. */
function createDumpCommand({
  namespace = "only the JobSets of this namespace; it is also that of objects that say none",
  output = createOutputOption(),
  ...spec
}: CommandSpec & {
  /** What its `-n` means, where it is not about JobSets. */
  readonly namespace?: string;
  /** Its `-o`, where it prints more than all of them. */
  readonly output?: OptionSpec;
}): CommandSpec {
  return createFileCommand({
    ...spec,
    namespace,
    all: "the JobSets of every namespace: -n does not count",
    options: [output, kindsOption, ...(spec.options ?? [])],
  });
}

const kindsOption: OptionSpec = {
  flags: "--asked <kinds>",
  description:
    "the kinds that the dump was requested with, as in JobSet,Job,Pod (default: all, if it is one list of several kinds; " +
    "else those in it)",
  value: loadOnce(() => import("./dump-kinds.ts")),
};

/** The instant of the dump, for what depends on how long something has lasted. */
const nowOption: OptionSpec = {
  flags: "--now <time>",
  description: "when the dump was taken, RFC 3339 (default: its newest time)",
  value: parseWith(({ parseNow }) => parseNow),
};

const jobSetNames = {
  name: "[name...]",
  description: "the JobSets to tell of, as NAME or NAMESPACE/NAME (default: all)",
};

const explain = createDumpCommand({
  name: "explain",
  description: "Print why a JobSet does not get on: the root cause first, and what would help.",
  arguments: [jobSetNames],
  options: [nowOption],
  help: `
Below a root cause stands what shows it, then what follows from it. Nothing is concluded of kinds that the dump does not
hold; what could therefore not be checked is listed. Values of environment variables are left out.

Examples:
  kubectl get ${kindsByCommand.explain} -A -o json | jobset explain -f -
  jobset explain -f dump.json.gz train
  jobset explain -f jobsets.yaml -f pods.yaml --asked JobSet,Job,Pod ml/train -o json`,
  run: async ({ options, words, world, isColoured }: Call<ExplainOptions>) =>
    (await import("../commands/explain.ts")).explain(
      { ...options, names: words, isColoured },
      world,
    ),
});

const top = createDumpCommand({
  name: "top",
  description: "Print how each JobSet stands, in one word and one sentence.",
  arguments: [jobSetNames],
  output: createOutputOption("table", ["wide", "name"]),
  options: [nowOption],
  help: `
The dump is read as by jobset explain. How many JobSets stand so is counted at the end.

Examples:
  kubectl get ${kindsByCommand.top} -A -o json | jobset top -f -
  jobset top -f dump.json -o json`,
  run: async ({ options, words, world }: Call<DumpReportOptions>) =>
    (await import("../commands/top.ts")).top({ ...options, names: words }, world),
});

const verify = createDumpCommand({
  name: "verify",
  description: "Print which invariants of JobSet's the cluster breaks.",
  help: `
An idle cluster has none. Some end by themselves, such as two leaders during a restart. What is not in
the dump breaks nothing. With -n only what an object of that namespace takes part in is told. Exits with 1 when an
invariant is broken.

Examples:
  kubectl get ${kindsByCommand.verify} -A -o json | jobset verify -f -`,
  run: async ({ options, world }: Call<DumpReportOptions>) =>
    (await import("../commands/verify.ts")).verify(options, world),
});

const census = createDumpCommand({
  name: "census",
  description:
    "Print how the Pods of a cluster stand, and what the scheduler says of those without a node.",
  namespace: "only the Pods of this namespace; it is also that of objects that say none",
  options: [
    {
      flags: "--job-owned <rule>",
      description: "the Pods that are exempt from counting as unscheduled",
      choices: ["parity", "exactKind", "helmHook", "none"] satisfies typeof jobOwnedRules,
      default: "parity",
    },
  ],
  help: `
JobSets need not be in the dump. Pods of namespaces such as kube-system do not count, unless -n names one. All Pods of a JobSet
are owned by Jobs, which by default exempts them from counting as unscheduled; a note says how many.

Examples:
  kubectl get ${kindsByCommand.census} -A -o json | jobset census -f - --job-owned none`,
  run: async ({ options, world }: Call<CensusCommandOptions>) =>
    (await import("../commands/census.ts")).census(options, world),
});

const whatIf = createDumpCommand({
  name: "what-if",
  description: "Print what the failure policy of a JobSet would make of failed Jobs, and why.",
  arguments: [{ name: "<name>", description: "the JobSet, as NAME or NAMESPACE/NAME" }],
  options: [
    nowOption,
    featureGatesOption,
    {
      flags: "--fail <failure>",
      description: "a Job that fails; repeatable",
      value: parseWith(({ parseFailure }) => parseFailure),
      isMandatory: true,
    },
  ],
  help: `
A failure is JOB[@TIME][=REASON[:MESSAGE]]: without a time it is that of the dump, without a reason BackoffLimitExceeded. What
has failed in the dump is not among the failures. A Job that is not in the dump is taken to be as the JobSet asks for.

Examples:
  kubectl get ${kindsByCommand["what-if"]} -A -o json | jobset what-if -f - ml/train --fail train-workers-0
  jobset what-if -f train.yaml train --fail train-workers-0=PodFailurePolicy --fail train-driver-0@2026-02-07T06:56:20Z`,
  run: async ({ options, words: [name = ""], world }: Call<WhatIfOptions>) =>
    (await import("../commands/what-if.ts")).whatIf({ ...options, name }, world),
});

/** The commands that look into a dump of a cluster, in the order of the help. */
export const dumpCommands: readonly CommandSpec[] = [explain, top, verify, census, whatIf];
