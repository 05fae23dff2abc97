import type { Command } from "commander";
import type { ExploreEnvironment } from "../commands/explore.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";

/** The environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The inputs and outputs of commands. */
export type CommandEnvironment = FilesAndCluster & ExploreEnvironment;

/**
 * One row of the table of commands: the help, the arguments and options, and how to load the code. A row is data. The
 * code of a command and its option parsers are loaded only if the command line names the command, because each press of
 * Tab starts the program.
 */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** The help below the options. It is a function if it loads names from another package. */
  readonly help?: string | (() => Promise<string>);
  /** Whether the command reads a cluster if it gets no file. Then messages follow the output. */
  readonly isLive?: boolean;
  /** Checks of the whole command line. They run in order, before the command. */
  readonly checks?: readonly Check[];
  /** Loads the code of the command and runs it. Absent for a group of commands. */
  readonly run?: (call: Call<never>) => Promise<CommandResult>;
  /** The commands of a group. */
  readonly commands?: readonly CommandSpec[];
}

/** An argument of a command line, with its name in brackets as in commander: `<file>`, `[name...]`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface OptionSpec {
  /** The flags as the help shows them: `-f, --filename <file>`. */
  readonly flags: string;
  readonly description: string;
  /** The values in the help and the completion. They are the only valid ones unless `value` parses them. */
  readonly choices?: readonly string[];
  /** Loads the parser of the value. Absent if the value is the text itself. */
  readonly value?: () => Promise<OptionValue>;
  readonly default?: unknown;
  /** The default as the help shows it, if it differs from the value. */
  readonly defaultText?: string;
  readonly isMandatory?: boolean;
  /** The names of the options that exclude this one. */
  readonly conflicts?: readonly string[];
}

/** The parser of an option's value. */
export interface OptionValue {
  /**
   * @param before - the result for the previous occurrence of the option, if there is one
   * @throws InvalidArgumentError if the text is invalid
   */
  readonly parse: (text: string, before: never) => unknown;
  /** The names that the value can list, separated by commas. */
  readonly names?: readonly string[];
  /** Returns the default, if it is not a text, number or boolean. */
  readonly defaultIn?: (env: Env) => unknown;
}

/** Reports invalid combinations of options through `command.error`. */
export type Check = (command: Command, env: Env) => void;

/** A valid command line, and the resources that the command can use. */
export interface Call<Options> {
  readonly options: Options;
  /** The arguments, without options and their values. */
  readonly args: readonly string[];
  readonly world: CommandEnvironment;
  /** Whether standard output has colors. */
  readonly isColored: boolean;
  /** The width of the terminal in characters. Absent if standard output is not a terminal. */
  readonly columns?: number;
}
