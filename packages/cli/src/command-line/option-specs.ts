import type { OptionSpec, OptionValue } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import type * as Parsers from "./parsers.ts";

const loadParsers = loadOnce(() => import("./parsers.ts"));
/** Loads the feature gates of the controller. */
export const loadFeatureGates = loadOnce(() => import("./feature-gates.ts"));

/** Creates the loader for a value that a function of `parsers.ts` parses. */
export function parseWith(
  choose: (parsers: typeof Parsers) => OptionValue["parse"],
): () => Promise<OptionValue> {
  return async () => ({ parse: choose(await loadParsers()) });
}

/** The meaning of `-n` for files that are sent to a cluster. */
export const manifestNamespaceHelp =
  'the namespace of objects without one (default: "default"); objects in another namespace are rejected';
/** The meaning of `-A` for files that are sent to a cluster. */
export const allNamespacesHelp = "objects of all namespaces; overrides -n";

/** Creates the options that select files. */
export function createFileOptions(ofNamespace: string, all: string): readonly OptionSpec[] {
  return [
    {
      flags: "-f, --filename <file>",
      description: "a YAML or JSON file, a folder of them, or - for stdin; repeatable",
      value: parseWith(({ collect }) => collect),
    },
    recursiveOption,
    createNamespaceOption(ofNamespace),
    { flags: "-A, --all-namespaces", description: all },
  ];
}

/** The option that includes subfolders. */
export const recursiveOption: OptionSpec = {
  flags: "-R, --recursive",
  description: "include subfolders of a folder",
};

/** Creates the option `-n`, with its meaning for a command. */
export function createNamespaceOption(meaning: string): OptionSpec {
  return {
    flags: "-n, --namespace <name>",
    description: meaning,
    value: parseWith(({ parseNamespace }) => parseNamespace),
  };
}

/** The flags that are passed to kubectl. */
export const kubectlFlags: readonly OptionSpec[] = [
  {
    flags: "--kubeconfig <file>",
    description: "for kubectl: the kubeconfig file",
  },
  { flags: "--context <name>", description: "for kubectl: the kubeconfig context" },
  { flags: "--user <name>", description: "for kubectl: the kubeconfig user" },
  { flags: "--as <name>", description: "for kubectl: the user to impersonate" },
  {
    flags: "--as-group <name>",
    description: "for kubectl: a group to impersonate; repeatable",
    value: parseWith(({ collect }) => collect),
  },
  {
    flags: "--request-timeout <time>",
    description: "for kubectl: the timeout of a request, as in 30s",
  },
];

/** When the output has colors. */
export const colorOption: OptionSpec = {
  flags: "--color <when>",
  description: "when the output has colors; auto: on a terminal, unless NO_COLOR is set",
  choices: ["auto", "always", "never"],
  default: "auto",
};

/** The options that repeat a command about a live cluster. */
export const watchOptions: readonly OptionSpec[] = [
  {
    flags: "-w, --watch",
    description: "read the cluster repeatedly, and print the result when it changes",
    conflicts: ["filename"],
  },
  {
    flags: "--interval <seconds>",
    description: "the time between two reads with --watch",
    value: parseWith(({ parseCount }) => parseCount(1, 86_400)),
    default: 10,
  },
];

/**
 * Creates the option `-o` of a command whose JSON and YAML output has the common shape.
 *
 * @param more - additional formats
 */
export function createOutputOption(
  output: "table" | "yaml" = "table",
  more: readonly ("wide" | "name")[] = [],
): OptionSpec {
  const choices = ["table", "json", "yaml", ...more, "jsonpath=<template>"];
  return {
    flags: "-o, --output <format>",
    description: "the output format",
    choices,
    value: parseWith(({ parseOutput }) => parseOutput(choices)),
    default: output,
  };
}

/** The feature gates of the controller. */
export const featureGatesOption: OptionSpec = {
  flags: "--features, --feature-gates <gates>",
  description: "feature gates of the controller: Gate=true,Gate=false",
  value: loadFeatureGates,
  defaultText: "the defaults below",
};

/** Creates the options that a reconcile depends on: time, version, feature gates and quirks. */
export function createPassOptions(output = createOutputOption()): readonly OptionSpec[] {
  return [
    ...behaviorOptions,
    output,
    {
      flags: "--now <time>",
      description: "the time of the reconcile, RFC 3339 (default: now)",
      value: parseWith(({ parseNow }) => parseNow),
    },
  ];
}

/** The upstream defects to reproduce. */
export const quirksOption: OptionSpec = {
  flags: "--quirks <which>",
  description:
    "upstream's defects to reproduce (default: those of --jobset-version, or none without a version)",
  choices: ["upstream", "none"],
  value: parseWith(({ parseQuirks }) => parseQuirks),
};

/** Loads the versions of JobSet. */
export const loadVersions = loadOnce(() => import("./versions.ts"));

/** The version of JobSet whose behavior the command reproduces. */
export const jobSetVersionOption: OptionSpec = {
  flags: "--jobset-version <version>",
  description:
    "the version of JobSet whose behavior is reproduced, as in v0.11 (default: main without its defects)",
  value: loadVersions,
};

/** The options that determine the behavior of JobSet. */
export const behaviorOptions: readonly OptionSpec[] = [
  featureGatesOption,
  jobSetVersionOption,
  quirksOption,
];

/** How the server treats unknown and duplicate fields of objects. */
export const validateOption: OptionSpec = {
  flags: "--validate <how>",
  description: "how to treat unknown and duplicate fields",
  choices: ["strict", "warn", "ignore"],
  value: parseWith(({ parseValidate }) => parseValidate),
  default: "strict",
  defaultText: "strict, as with kubectl",
};

/** Creates the options of a command that creates JobSets from files. */
export function createJobSetOptions(output: "table" | "yaml"): readonly OptionSpec[] {
  return [
    ...behaviorOptions,
    createOutputOption(output, ["wide", "name"]),
    {
      flags: "--uid <uid>",
      description:
        "the UID that the server assigns to the JobSet (default: its own UID, if it has one)",
      value: parseWith(({ parseUid }) => parseUid),
    },
    validateOption,
  ];
}
