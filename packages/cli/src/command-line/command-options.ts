import { featureGates, featuresOf } from "@jobset-ts/api";
import { NO_QUIRKS } from "@jobset-ts/core";
import { type Command, Option } from "commander";
import type { FileOptions } from "../input/cluster.ts";
import type { LiveOptions } from "../live/live-cluster.ts";
import {
  parseFeatures,
  parseNamespace,
  parseNow,
  parseOutput,
  parseQuirks,
  parseUid,
  parseValidate,
} from "./parsers.ts";

/** Gathers the values of an option that may be given more than once. */
export function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file];
}

/** What a command says of itself in its help. */
export interface Help {
  readonly description: string;
  /** What its `-n` means. */
  readonly namespace: string;
  readonly help: string;
}

/** What `-n` means where files are sent to a cluster. */
export const ofManifests =
  'the namespace of objects that say none (default: "default"); refuses those that say another one';
/** What `-A` means there. */
export const allManifests = "whatever their namespace: -n does not count";

/** The code of the error of a command that needs a file and is given none. */
export const NO_FILE = "jobset.noFile";

/** A command that reads files. */
export function fileCommand(
  program: Command,
  name: string,
  { description, namespace: ofNamespace, all, help }: Help & { readonly all: string },
): Command {
  return withFiles(program.command(name), ofNamespace, all)
    .description(description)
    .addHelpText("after", help)
    .hook("preAction", (command) => {
      if (command.opts<Partial<FileOptions>>().filename !== undefined) return;
      const code = NO_FILE;
      command.error("no file is named: use -f FILE, or -f - for standard input", { code });
    });
}

/** A command that tells of the JobSets in files, or without any of those that kubectl shows. */
export function liveCommand(
  program: Command,
  name: string,
  { description, namespace: ofNamespace, help }: Help,
): Command {
  const all = "the JobSets of every namespace: -n does not count";
  return withFiles(program.command(name), ofNamespace, all)
    .description(description)
    .argument("[name...]", "the JobSets to tell of (default: all)")
    .hook("preAction", (command) => {
      const { filename } = command.opts<LiveOptions>();
      if (filename !== undefined) refuseKubectlFlags(command, "with -f");
    })
    .addHelpText(
      "after",
      `
Without -f the cluster is asked that kubectl reaches, through kubectl get, in the namespace of its context unless -n or -A
say otherwise.
${help}`,
    );
}

/** The flags that are handed on to kubectl, on a command. */
export function withKubectlFlags(command: Command): Command {
  for (const option of kubectlFlags()) command.addOption(option);
  return command;
}

/**
 * The option `-o` of a command whose results have one shape for programs.
 *
 * @param more - what it prints besides
 */
export function format(
  output: "table" | "yaml" = "table",
  more: readonly ("wide" | "name")[] = [],
): Option {
  const formats = ["table", "json", "yaml", ...more, "jsonpath=<template>"];
  return new Option("-o, --output <format>", "how to print")
    .choices(formats)
    .argParser(parseOutput(formats))
    .default(output);
}

/** The options that name files. */
export function withFiles(command: Command, ofNamespace: string, all: string): Command {
  return command
    .option(
      "-f, --filename <file>",
      "a YAML or JSON file, a folder of them, or - for stdin; repeatable",
      collect,
    )
    .addOption(recursive())
    .addOption(namespace(ofNamespace))
    .option("-A, --all-namespaces", all)
    .hook("preAction", (command) => {
      // As kubectl has it: where both are given, -A counts.
      if (command.opts<FileOptions>().allNamespaces) {
        command.setOptionValue("namespace", undefined);
      }
    });
}

/** The option that reads folders in folders. */
export function recursive(): Option {
  return new Option("-R, --recursive", "read the folders in a folder, too");
}

/** The option `-n`, with what it means for a command. */
export function namespace(meaning: string): Option {
  return new Option("-n, --namespace <name>", meaning).argParser(parseNamespace);
}

/** The flags that are handed on to kubectl. */
function kubectlFlags(): readonly Option[] {
  return [
    new Option("--kubeconfig <file>", "for kubectl: the file with clusters and logins"),
    new Option("--context <name>", "for kubectl: which of its contexts"),
    new Option("--user <name>", "for kubectl: which of its users"),
    new Option("--as <name>", "for kubectl: the user to impersonate"),
    new Option("--as-group <name>", "for kubectl: a group to impersonate; repeatable").argParser(
      collect,
    ),
    new Option("--request-timeout <time>", "for kubectl: how long a request may take, as in 30s"),
  ];
}

/** Who names a cluster and a file means one of them; it is not for us to say which. */
export function refuseKubectlFlags(command: Command, when: string): void {
  const given = kubectlFlags().find(
    (option) => command.getOptionValue(option.attributeName()) !== undefined,
  );
  if (given !== undefined)
    command.error(`${given.long} is for kubectl, which ${when} is not asked`);
}

/** The options of whatever depends on a time, feature gates and quirks. */
export function withPassOptions(command: Command, output = format()): Command {
  return withFeatureGates(command)
    .addOption(output)
    .option("--now <time>", "the time of the pass, RFC 3339 (default: now)", parseNow)
    .addOption(
      new Option("--quirks <which>", "upstream's defects to reproduce")
        .choices(["upstream", "none"])
        .argParser(parseQuirks)
        .default(NO_QUIRKS, "none"),
    );
}

/** The gates of the controller. */
export function withFeatureGates(command: Command): Command {
  return command
    .addOption(
      new Option("--features, --feature-gates <gates>", "of the controller: Gate=true,Gate=false")
        .argParser(parseFeatures)
        .default(featuresOf({}), "its own defaults, below"),
    )
    .addHelpText("afterAll", gateHelp());
}

/** What becomes of fields that a cluster does not know, or that are set twice, in what is sent to it. */
export function validation(): Option {
  return new Option("--validate <how>", "what becomes of unknown and duplicate fields")
    .choices(["strict", "warn", "ignore"])
    .argParser(parseValidate)
    .default("strict", "strict, as with kubectl");
}

/** The options of a command about JobSets as they are created. */
export function withJobSetOptions(command: Command, output: "table" | "yaml"): Command {
  return withFeatureGates(command)
    .addOption(format(output, ["wide", "name"]))
    .option(
      "--uid <uid>",
      "the UID that the server assigns to the JobSet (default: its own, if it has one)",
      parseUid,
    )
    .addOption(validation());
}

/** The gates as a part of the help, each with what it is when nobody sets it. */
function gateHelp(): string {
  const lines = Object.entries(featureGates).map(([name, { stage, default: on }]) => {
    const locked = stage === "GA" ? ", locked" : "";
    return `  ${name}=${on} (${stage}${locked})`;
  });
  return `\nFeature gates and their defaults:\n${lines.join("\n")}`;
}
