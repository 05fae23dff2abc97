import { version } from "../../package.json";
import type { Shell } from "../commands/completion.ts";
import type { VersionOptions } from "../commands/version.ts";
import type { Call, CommandSpec } from "./command-spec.ts";

/** The commands about editors, shells and this command itself, in the order of the help. */
export const toolCommands: readonly CommandSpec[] = [
  {
    name: "schema",
    description: "Print the JSON Schema of a JobSet, for editors.",
    help: `
It is what the CustomResourceDefinition says, as draft 7: types, limits, defaults, and which fields there are. What it cannot say,
such as rules across fields, jobset admit does. An editor takes it by a line at the top of a manifest:

  # yaml-language-server: $schema=./jobset.schema.json

Examples:
  jobset schema > jobset.schema.json`,
    run: async () => (await import("../commands/schema.ts")).schema(),
  },
  {
    name: "version",
    description: "Print the version of this command.",
    options: [
      {
        flags: "-o, --output <format>",
        description: "how to print, in place of the bare version",
        choices: ["json", "yaml"],
      },
    ],
    help: `
JSON and YAML have the shape of kubectl version: the version is .clientVersion.gitVersion.

Examples:
  jobset version
  kubectl jobset version -o json`,
    run: async ({ options }: Call<VersionOptions>) =>
      (await import("../commands/version.ts")).printVersion(version, options),
  },
  {
    name: "completion",
    description: "Print what a shell needs to complete the words of this command.",
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
    run: async ({ words: [shell] }) =>
      (await import("../commands/completion.ts")).completion(shell as Shell),
  },
];
