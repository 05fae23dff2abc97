import { version } from "../../package.json";
import type { Shell } from "../commands/completion.ts";
import type { VersionOptions } from "../commands/version.ts";
import type { BehaviorOptions } from "../jobset-version/behavior.ts";
import type { Call, CommandSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
import { jobSetVersionOption } from "./option-specs.ts";

const loadSchema = loadOnce(() => import("../commands/schema.ts"));
const loadVersion = loadOnce(() => import("../commands/version.ts"));
const loadCompletion = loadOnce(() => import("../commands/completion.ts"));

/** The commands for editors, shells and this command itself, in the order of the help. */
export const toolCommands: readonly CommandSpec[] = [
  {
    name: "schema",
    description: "Print the JSON Schema of a JobSet, for editors.",
    options: [
      {
        ...jobSetVersionOption,
        description: "the version of JobSet whose schema is printed, as in v0.11 (default: main)",
      },
    ],
    help: `
The schema is the CustomResourceDefinition as JSON Schema draft 7: fields, types, limits and defaults. For rules that it cannot
express, such as rules across fields, use jobset admit. An editor uses the schema if the manifest starts with this line:

  # yaml-language-server: $schema=./jobset.schema.json

Examples:
  jobset schema > jobset.schema.json
  jobset schema --jobset-version v0.11 > jobset.schema.json`,
    run: async ({ options }: Call<Pick<BehaviorOptions, "jobsetVersion">>) =>
      (await loadSchema()).schema(options),
  },
  {
    name: "version",
    description: "Print the version of this command.",
    options: [
      {
        flags: "-o, --output <format>",
        description: "the output format (default: only the version)",
        choices: ["json", "yaml"],
      },
    ],
    help: `
JSON and YAML have the shape of kubectl version: the version is .clientVersion.gitVersion.

Examples:
  jobset version
  kubectl jobset version -o json`,
    run: async ({ options }: Call<VersionOptions>) =>
      (await loadVersion()).printVersion(version, options),
  },
  {
    name: "completion",
    description: "Print the completion script of a shell.",
    arguments: [
      {
        name: "<shell>",
        description: "or kubectl, for kubectl jobset",
        choices: ["bash", "zsh", "fish", "kubectl"] satisfies readonly Shell[],
      },
    ],
    help: `
Examples:
  source <(jobset completion bash)                                # in ~/.bashrc
  source <(jobset completion zsh)                                 # in ~/.zshrc, after compinit
  jobset completion fish > ~/.config/fish/completions/jobset.fish
  jobset completion kubectl > ~/.local/bin/kubectl_complete-jobset && chmod +x ~/.local/bin/kubectl_complete-jobset`,
    run: async ({ args: [shell] }) => (await loadCompletion()).completion(shell as Shell),
  },
];
