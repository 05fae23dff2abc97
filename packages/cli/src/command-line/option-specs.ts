import type { OptionSpec, OptionValue } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import type * as Parsers from "./parsers.ts";

const loadParsers = loadOnce(() => import("./parsers.ts"));
/** Loads the gates of the controller. */
export const loadFeatureGates = loadOnce(() => import("./feature-gates.ts"));

/** A value that a function of `parsers.ts` reads, which is loaded for it. */
export function parseWith(
  choose: (parsers: typeof Parsers) => OptionValue["parse"],
): () => Promise<OptionValue> {
  return async () => ({ parse: choose(await loadParsers()) });
}

/** What `-n` means where files are sent to a cluster. */
export const manifestNamespaceHelp =
  'the namespace of objects that say none (default: "default"); refuses those that say another one';
/** What `-A` means there. */
export const allNamespacesHelp = "whatever their namespace: -n does not count";

/** The options that name files. */
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

/** The option that reads folders in folders. */
export const recursiveOption: OptionSpec = {
  flags: "-R, --recursive",
  description: "read the folders in a folder, too",
};

/** The option `-n`, with what it means for a command. */
export function createNamespaceOption(meaning: string): OptionSpec {
  return {
    flags: "-n, --namespace <name>",
    description: meaning,
    value: parseWith(({ parseNamespace }) => parseNamespace),
  };
}

/** The flags that are handed on to kubectl. */
export const kubectlFlags: readonly OptionSpec[] = [
  {
    flags: "--kubeconfig <file>",
    description: "for kubectl: the file with clusters and logins",
  },
  { flags: "--context <name>", description: "for kubectl: which of its contexts" },
  { flags: "--user <name>", description: "for kubectl: which of its users" },
  { flags: "--as <name>", description: "for kubectl: the user to impersonate" },
  {
    flags: "--as-group <name>",
    description: "for kubectl: a group to impersonate; repeatable",
    value: parseWith(({ collect }) => collect),
  },
  {
    flags: "--request-timeout <time>",
    description: "for kubectl: how long a request may take, as in 30s",
  },
];

/**
 * The option `-o` of a command whose results have one shape for programs.
 *
 * @param more - what it prints besides
 */
export function createOutputOption(
  output: "table" | "yaml" = "table",
  more: readonly ("wide" | "name")[] = [],
): OptionSpec {
  const choices = ["table", "json", "yaml", ...more, "jsonpath=<template>"];
  return {
    flags: "-o, --output <format>",
    description: "how to print",
    choices,
    value: parseWith(({ parseOutput }) => parseOutput(choices)),
    default: output,
  };
}

/** The gates of the controller. */
export const featureGatesOption: OptionSpec = {
  flags: "--features, --feature-gates <gates>",
  description: "of the controller: Gate=true,Gate=false",
  value: loadFeatureGates,
  defaultText: "its own defaults, below",
};

/** The options of whatever depends on a time, feature gates and quirks. */
export function createPassOptions(output = createOutputOption()): readonly OptionSpec[] {
  return [
    featureGatesOption,
    output,
    {
      flags: "--now <time>",
      description: "the time of the pass, RFC 3339 (default: now)",
      value: parseWith(({ parseNow }) => parseNow),
    },
    quirksOption,
  ];
}

/** Upstream's defects. */
export const quirksOption: OptionSpec = {
  flags: "--quirks <which>",
  description: "upstream's defects to reproduce",
  choices: ["upstream", "none"],
  value: parseWith(({ parseQuirks }) => parseQuirks),
  default: "none",
  defaultText: "none",
};

/** What happens to unknown and duplicate fields in objects sent to a cluster. */
export const validateOption: OptionSpec = {
  flags: "--validate <how>",
  description: "what happens to unknown and duplicate fields",
  choices: ["strict", "warn", "ignore"],
  value: parseWith(({ parseValidate }) => parseValidate),
  default: "strict",
  defaultText: "strict, as with kubectl",
};

/** The options of a command about JobSets as they are created. */
export function createJobSetOptions(output: "table" | "yaml"): readonly OptionSpec[] {
  return [
    featureGatesOption,
    createOutputOption(output, ["wide", "name"]),
    {
      flags: "--uid <uid>",
      description:
        "the UID that the server assigns to the JobSet (default: its own, if it has one)",
      value: parseWith(({ parseUid }) => parseUid),
    },
    validateOption,
  ];
}
