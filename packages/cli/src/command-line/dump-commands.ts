import type { CensusCommandOptions, jobOwnedRules } from "../commands/census.ts";
import type { DumpOptions, DumpReportOptions } from "../commands/cluster/dump.ts";
import type { ExplainOptions } from "../commands/explain.ts";
import type { UpgradeOptions } from "../commands/upgrade.ts";
import type { WhatIfOptions } from "../commands/what-if.ts";
import { createLiveCommand } from "./command-kinds.ts";
import type { Call, CommandSpec, OptionSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import {
  colorOption,
  createOutputOption,
  featureGatesOption,
  jobSetVersionOption,
  loadVersions,
  parseWith,
  watchOptions,
} from "./option-specs.ts";

const loadExplain = loadOnce(() => import("../commands/explain.ts"));
const loadTop = loadOnce(() => import("../commands/top.ts"));
const loadVerify = loadOnce(() => import("../commands/verify.ts"));
const loadCensus = loadOnce(() => import("../commands/census.ts"));
const loadWhatIf = loadOnce(() => import("../commands/what-if.ts"));
const loadUpgrade = loadOnce(() => import("../commands/upgrade.ts"));
const loadDump = loadOnce(() => import("../commands/dump.ts"));

/** Creates a command that reads a dump of a cluster, or the cluster itself. */
function createDumpCommand({
  output = createOutputOption(),
  ...spec
}: Omit<Parameters<typeof createLiveCommand>[0], "namespace"> & {
  /** The meaning of `-n`, if it does not select JobSets. */
  readonly namespace?: string;
  /** The `-o` option, if the command has more formats. */
  readonly output?: OptionSpec;
}): CommandSpec {
  return createLiveCommand({
    namespace:
      "only the JobSets of this namespace; with -f, also the namespace of objects without one",
    ...spec,
    options: [output, kindsOption, ...(spec.options ?? []), ...watchOptions],
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
  description:
    "when the dump was taken, RFC 3339 (default: the time in a dump of jobset dump, or the newest time in it)",
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
  options: [nowOption, jobSetVersionOption, colorOption],
  help: `
The output starts with the root cause and its evidence. The effects and the advice follow. Decisions that depend on kinds
that were not read are reported as unknown, and the last line names kinds that could not be read. The command reads the
namespace, the cluster-scoped objects, and the namespaces of controllers and webhooks, but no Secrets. The output omits
values of environment variables.

Examples:
  jobset explain train -n ml
  jobset explain -A --watch
  jobset explain -f dump.json.gz train
  jobset explain -f jobsets.yaml -f pods.yaml --requested-kinds JobSet,Job,Pod ml/train -o json`,
  run: async ({ options, args, world, ...text }: Call<ExplainOptions>) =>
    (await loadExplain()).explain({ ...options, names: args, ...text }, world),
});

const top = createDumpCommand({
  name: "top",
  description: "Print the phase of each JobSet, with its reason.",
  arguments: [jobSetNames],
  output: createOutputOption("table", ["wide", "name"]),
  options: [nowOption, jobSetVersionOption],
  help: `
The command reads the cluster or the dump as jobset explain does. The last table counts the JobSets in each phase.

Examples:
  jobset top -A --watch
  jobset top -f dump.json -o json`,
  run: async ({ options, args, world }: Call<DumpReportOptions>) =>
    (await loadTop()).top({ ...options, names: args }, world),
});

const verify = createDumpCommand({
  name: "verify",
  arguments: [],
  description: "Print the invariants of JobSet that the cluster violates.",
  options: [jobSetVersionOption],
  help: `
An idle cluster violates no invariant. Some violations are temporary, such as two leaders during a restart. Objects outside
the dump cause no violation. With -n, only violations that involve an object of this namespace are printed. Exits with 1 if
an invariant is violated.

Examples:
  jobset verify -A
  jobset verify -f dump.json`,
  run: async ({ options, world }: Call<DumpReportOptions>) =>
    (await loadVerify()).verify(options, world),
});

const census = createDumpCommand({
  name: "census",
  description:
    "Print a summary of the Pods of a cluster, with the scheduler's reasons for those without a node.",
  arguments: [],
  namespace: "only the Pods of this namespace; with -f, also the namespace of objects without one",
  all: "the Pods of all namespaces; overrides -n",
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
  jobset census -A --job-owned none
  jobset census -f dump.json`,
  run: async ({ options, world }: Call<CensusCommandOptions>) =>
    (await loadCensus()).census(options, world),
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
  jobset what-if ml/train --fail train-workers-0
  jobset what-if -f train.yaml train --fail train-workers-0=PodFailurePolicy --fail train-driver-0@2026-02-07T06:56:20Z`,
  run: async ({ options, args: [name = ""], world }: Call<WhatIfOptions>) =>
    (await loadWhatIf()).whatIf({ ...options, name }, world),
});

const upgrade = createLiveCommand({
  name: "upgrade",
  namespace:
    "only the JobSets of this namespace; with -f, also the namespace of objects without one",
  description: "Print what an upgrade of JobSet changes for JobSets.",
  options: [
    {
      flags: "--from <version>",
      description:
        "the old version of JobSet (default: the version that the cluster or the dump shows)",
      value: loadVersions,
    },
    {
      flags: "--to <version>",
      description: "the new version of JobSet",
      value: loadVersions,
      isMandatory: true,
    },
    createOutputOption(),
    kindsOption,
    nowOption,
    featureGatesOption,
  ],
  help: `
Runs the webhooks, the controller and the CustomResourceDefinition of both versions, with their defects, on the same JobSets,
and prints the differences: on creation, in typical situations (running Jobs, failures that the failure policy distinguishes,
completion, suspension), and in the next reconcile of existing JobSets. The last lists show the feature gates and all behaviors
that differ between the versions. Equal differences share a line.

A JobSet without a UID is a manifest. In typical situations, the old version has created the Jobs, and each ReplicatedJob has
at most two. A feature gate is ignored in a version that does not have it.

Exits with 1 if the new version rejects a JobSet, or if the upgrade restarts a JobSet or deletes its Jobs or Pods.

Examples:
  jobset upgrade -A --to v0.12
  jobset upgrade --from v0.10.1 --to v0.12.0 -f manifests/
  jobset upgrade --from v0.11 --to main -f dump.json -o json`,
  run: async ({ options, args, world }: Call<UpgradeOptions>) =>
    (await loadUpgrade()).upgrade({ ...options, names: args }, world),
});

const dump = createLiveCommand({
  name: "dump",
  description: "Print what jobset explain reads, without values that may be secret, to share it.",
  arguments: [jobSetNames],
  namespace:
    "only the JobSets of this namespace; with -f, also the namespace of objects without one",
  options: [kindsOption],
  help: `
The output is a List in JSON with one object per line. jobset explain -f prints the same for it as for the cluster.
Values of environment variables, arguments, commands, annotations and the like are replaced as SECURITY.md says. Names,
labels, images and messages are kept. With names, the objects of other JobSets are omitted unless the diagnosis depends on them.

Examples:
  jobset dump train -n ml > dump.json
  jobset dump -A | gzip > dump.json.gz
  jobset dump -f raw.json > shared.json`,
  run: async ({ options, args, world }: Call<DumpOptions>) =>
    (await loadDump()).dump({ ...options, names: args }, world),
});

/** The commands that read a dump of a cluster or the cluster, in the order of the help. */
export const dumpCommands: readonly CommandSpec[] = [
  explain,
  top,
  verify,
  census,
  whatIf,
  upgrade,
  dump,
];
