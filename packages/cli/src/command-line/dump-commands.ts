import type { CensusCommandOptions, jobOwnedRules } from "../commands/census.ts";
import type { DumpReportOptions } from "../commands/cluster/dump.ts";
import type { ExplainOptions } from "../commands/explain.ts";
import type { WhatIfOptions } from "../commands/what-if.ts";
import { kindsByCommand } from "./cluster-pipe.ts";
import { createFileCommand } from "./command-kinds.ts";
import type { Call, CommandSpec, OptionSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import { createOutputOption, featureGatesOption, parseWith } from "./option-specs.ts";

/** Creates a command that reads a dump of a cluster. */
function createDumpCommand({
  namespace = "only the JobSets of this namespace; also the namespace of objects without one",
  output = createOutputOption(),
  ...spec
}: CommandSpec & {
  /** The meaning of `-n`, if it does not select JobSets. */
  readonly namespace?: string;
  /** The `-o` option, if the command has more formats. */
  readonly output?: OptionSpec;
}): CommandSpec {
  return createFileCommand({
    ...spec,
    namespace,
    all: "objects of all namespaces; overrides -n",
    options: [output, kindsOption, ...(spec.options ?? [])],
  });
}

const kindsOption: OptionSpec = {
  flags: "--requested-kinds <kinds>",
  description:
    "the kinds that the dump was requested with, as in JobSet,Job,Pod (default: all, if it is one list of several kinds; " +
    "otherwise the kinds in it)",
  value: loadOnce(() => import("./dump-kinds.ts")),
};

/** The time of the dump, for conditions that depend on a duration. */
const nowOption: OptionSpec = {
  flags: "--now <time>",
  description: "when the dump was taken, RFC 3339 (default: the newest time in the dump)",
  value: parseWith(({ parseNow }) => parseNow),
};

const jobSetNames = {
  name: "[name...]",
  description: "the JobSets to explain, as NAME or NAMESPACE/NAME (default: all)",
};

const explain = createDumpCommand({
  name: "explain",
  description: "Print why JobSets make no progress: the root cause first, then how to fix it.",
  arguments: [jobSetNames],
  options: [nowOption],
  help: `
The output starts with the root cause and its evidence. The effects and the advice follow. Decisions that depend on kinds
outside the dump are reported as unknown. The output omits values of environment variables.

Examples:
  kubectl get ${kindsByCommand.explain} -A -o json | jobset explain -f -
  jobset explain -f dump.json.gz train
  jobset explain -f jobsets.yaml -f pods.yaml --requested-kinds JobSet,Job,Pod ml/train -o json`,
  run: async ({ options, args, world, isColoured }: Call<ExplainOptions>) =>
    (await import("../commands/explain.ts")).explain(
      { ...options, names: args, isColoured },
      world,
    ),
});

const top = createDumpCommand({
  name: "top",
  description: "Print the phase of each JobSet, with its reason.",
  arguments: [jobSetNames],
  output: createOutputOption("table", ["wide", "name"]),
  options: [nowOption],
  help: `
The dump is read as by jobset explain. The last table counts the JobSets in each phase.

Examples:
  kubectl get ${kindsByCommand.top} -A -o json | jobset top -f -
  jobset top -f dump.json -o json`,
  run: async ({ options, args, world }: Call<DumpReportOptions>) =>
    (await import("../commands/top.ts")).top({ ...options, names: args }, world),
});

const verify = createDumpCommand({
  name: "verify",
  description: "Print the invariants of JobSet that the cluster violates.",
  help: `
An idle cluster violates no invariant. Some violations are temporary, such as two leaders during a restart. Objects outside
the dump cause no violation. With -n, only violations that involve an object of this namespace are printed. Exits with 1 if
an invariant is violated.

Examples:
  kubectl get ${kindsByCommand.verify} -A -o json | jobset verify -f -`,
  run: async ({ options, world }: Call<DumpReportOptions>) =>
    (await import("../commands/verify.ts")).verify(options, world),
});

const census = createDumpCommand({
  name: "census",
  description:
    "Print a summary of the Pods of a cluster, with the scheduler's reasons for those without a node.",
  namespace: "only the Pods of this namespace; also the namespace of objects without one",
  options: [
    {
      flags: "--job-owned <rule>",
      description: "the Pods that are exempt from counting as unscheduled",
      choices: [
        "kind-contains-job",
        "exact-kind",
        "helm-hook",
        "none",
      ] satisfies readonly (keyof typeof jobOwnedRules)[],
      default: "kind-contains-job",
    },
  ],
  help: `
The dump does not have to contain JobSets. Pods of namespaces such as kube-system do not count, unless -n names one. Jobs own
all Pods of a JobSet, and the default rule exempts such Pods from counting as unscheduled. A note says how many.

Examples:
  kubectl get ${kindsByCommand.census} -A -o json | jobset census -f - --job-owned none`,
  run: async ({ options, world }: Call<CensusCommandOptions>) =>
    (await import("../commands/census.ts")).census(options, world),
});

const whatIf = createDumpCommand({
  name: "what-if",
  description: "Print the effect of Job failures under the failure policy of a JobSet.",
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
A failure is JOB[@TIME][=REASON[:MESSAGE]]. The default time is that of the dump, and the default reason is
BackoffLimitExceeded. Jobs that have failed in the dump are not evaluated. A Job outside the dump is created from the JobSet.

Examples:
  kubectl get ${kindsByCommand["what-if"]} -A -o json | jobset what-if -f - ml/train --fail train-workers-0
  jobset what-if -f train.yaml train --fail train-workers-0=PodFailurePolicy --fail train-driver-0@2026-02-07T06:56:20Z`,
  run: async ({ options, args: [name = ""], world }: Call<WhatIfOptions>) =>
    (await import("../commands/what-if.ts")).whatIf({ ...options, name }, world),
});

/** The commands that read a dump of a cluster, in the order of the help. */
export const dumpCommands: readonly CommandSpec[] = [explain, top, verify, census, whatIf];
