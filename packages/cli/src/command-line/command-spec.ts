import type { Command } from "commander";
import type { ExploreWorld } from "../commands/explore.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";

/** The environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Where commands read and write. */
export type CommandWorld = FilesAndCluster & ExploreWorld;

/**
 * One row of the table of commands: what the help says, which words and options the command line may have, and how the code is
 * loaded. A row is data. The code of a command and what reads its options are loaded only if the command line names the command,
 * because each press of Tab starts the program.
 */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** The help below the options. A function, if names of another package are loaded for it. */
  readonly help?: string | (() => Promise<string>);
  /** Checks of the whole command line, in their order; they come before the command runs. */
  readonly checks?: readonly Check[];
  /** Loads the code of the command and runs it; absent for a group of commands. */
  readonly run?: (call: Call<never>) => Promise<CommandResult>;
  /** The commands of a group. */
  readonly commands?: readonly CommandSpec[];
}

/** A word of a command line, with its name in brackets as commander writes it: `<file>`, `[name...]`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface OptionSpec {
  /** As the help shows it: `-f, --filename <file>`. */
  readonly flags: string;
  readonly description: string;
  /** The values that the help and the completion show, and the only valid ones unless `value` parses them. */
  readonly choices?: readonly string[];
  /** Loads what reads the value; absent if the text itself is the value. */
  readonly value?: () => Promise<OptionValue>;
  readonly default?: unknown;
  /** What the help says of the default, in place of its value. */
  readonly defaultText?: string;
  readonly isMandatory?: boolean;
  /** The names of the options that exclude this one. */
  readonly conflicts?: readonly string[];
}

/** What reads the value of an option. */
export interface OptionValue {
  /**
   * @param before - what it returned for the option before, if that is given more than once
   * @throws InvalidArgumentError if the text is invalid
   */
  readonly parse: (text: string, before: never) => unknown;
  /** The names that the value lists, separated by commas. */
  readonly names?: readonly string[];
  /** Returns the default, if it is more than a text, a number or a boolean. */
  readonly defaultIn?: (env: Env) => unknown;
}

/** Reports invalid combinations of options by `command.error`. */
export type Check = (command: Command, env: Env) => void;

/** A valid command line, and what the command may use. */
export interface Call<Options> {
  readonly options: Options;
  /** The words that are neither options nor their values. */
  readonly words: readonly string[];
  readonly world: CommandWorld;
  /** Whether standard output is a terminal that shows colors. */
  readonly isColoured: boolean;
}
