import { Argument, Command, Option } from "commander";
import { version } from "../../package.json";
import { type CommandResult, exitCodes } from "../output/command-result.ts";
import type { Call, CommandEnvironment, CommandSpec, Env, OptionSpec } from "./command-spec.ts";
import { commands } from "./commands.ts";
import { featureGatesOption, loadFeatureGates, loadVersions } from "./option-specs.ts";

/** The functions that the program calls to run a command and to pass on its result. */
export interface ProgramContext {
  readonly env: Env;
  /** Creates the inputs and outputs of a command. Called when a command runs. */
  readonly openWorld: () => Promise<CommandEnvironment>;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
  /** Waits for a number of milliseconds. Returns `false` if the command ends. */
  readonly sleep: (millis: number) => Promise<boolean>;
  readonly finish: (result: CommandResult, how: FinishOptions) => Promise<void>;
}

/** How the result of a command is printed. */
export interface FinishOptions {
  readonly color: Color;
  /** Whether the messages follow the output. */
  readonly isOutputFirst: boolean;
}

/** The values of `--color`. */
export type Color = "auto" | "always" | "never";

/** Returns whether an output has colors. */
export function hasColors(
  color: Color,
  { isTTY = false }: { readonly isTTY?: boolean },
  env: Env,
): boolean {
  return color === "always" || (color === "auto" && isTTY && !env.NO_COLOR);
}

/**
 * Creates the command line of `jobset` from the table of commands: its commands, their options and their help.
 *
 * @param args - the command line; parts that only other commands need are left out. Without any, every command has its options.
 */
export async function createProgram(
  args: readonly string[],
  context: ProgramContext,
): Promise<Command> {
  const program = new Command("jobset")
    .description(
      "Show what a JobSet creates, whether a cluster admits it, what its controller does next, and why it is stuck.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText("after", formatExitCodes());
  await addCommands(program, commands, args, context);
  return program;
}

/** Adds commands. If the command line names some of them, the options of the others are left out. */
async function addCommands(
  parent: Command,
  specs: readonly CommandSpec[],
  args: readonly string[],
  context: ProgramContext,
): Promise<void> {
  const named = specs.filter(({ name }) => args.includes(name));
  // Without a named command, the help may list all commands. It shows which of them have options.
  for (const spec of specs) {
    const isUsed = named.length === 0 || named.includes(spec);
    await addCommand(parent, isUsed ? spec : { ...spec, options: [] }, args, context);
  }
}

/** Adds a command. Parts that the help of other commands does not show are loaded only if the command line names it. */
async function addCommand(
  parent: Command,
  spec: CommandSpec,
  args: readonly string[],
  context: ProgramContext,
): Promise<void> {
  const command = parent.command(spec.name).description(spec.description);
  for (const { name, description, choices } of spec.arguments ?? []) {
    const argument = new Argument(name, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  const isNamed = args.includes(spec.name);
  for (const option of spec.options ?? []) {
    command.addOption(await createOption(option, isNamed, context.env));
  }
  if (isNamed) await addHelp(command, spec);
  addAction(command, spec, context);
  if (spec.commands !== undefined) command.helpCommand(false);
  await addCommands(command, spec.commands ?? [], args, context);
}

/** An option that loads the parser of its value. */
export class LoadingOption extends Option {
  readonly load: OptionSpec["value"];

  constructor({ flags, description, value }: OptionSpec) {
    super(flags, description);
    this.load = value;
  }
}

async function createOption(spec: OptionSpec, isNamed: boolean, env: Env): Promise<Option> {
  const option = new LoadingOption(spec);
  if (spec.choices !== undefined) option.choices(spec.choices);
  const value = isNamed ? await spec.value?.() : undefined;
  if (value !== undefined)
    option.argParser(value.parse as (text: string, before: unknown) => unknown);
  const preset = value?.defaultIn?.(env) ?? spec.default;
  if (preset !== undefined) option.default(preset, spec.defaultText);
  if (spec.isMandatory) option.makeOptionMandatory();
  if (spec.conflicts !== undefined) option.conflicts([...spec.conflicts]);
  return option;
}

function isVersionOption({ value }: OptionSpec): boolean {
  return value === loadVersions;
}

async function addHelp(command: Command, { help, options = [] }: CommandSpec): Promise<void> {
  const text = typeof help === "function" ? await help() : help;
  if (text !== undefined) command.addHelpText("after", text);
  if (options.includes(featureGatesOption)) {
    const { formatGateHelp } = await loadFeatureGates();
    command.addHelpText("afterAll", formatGateHelp());
  }
  if (options.some(isVersionOption)) {
    const { formatVersionHelp } = await loadVersions();
    command.addHelpText("afterAll", formatVersionHelp());
  }
}

function addAction(
  command: Command,
  { checks = [], options: specs = [], isLive = false, run }: CommandSpec,
  { env, openWorld, stdout, sleep, finish }: ProgramContext,
): void {
  if (run === undefined) return;
  command.hook("preAction", async () => {
    for (const check of checks) check(command, env);
    if (specs.some(isVersionOption)) (await loadVersions()).rejectUnknownGates(command);
  });
  command.action(async () => {
    const world = await openWorld();
    const options = command.opts<CommonOptions>();
    const { color = "auto", interval = 0 } = options;
    const isTerminal = stdout.isTTY === true;
    const call: Call<object> = {
      options,
      args: command.args,
      world,
      isColored: hasColors(color, stdout, env),
      ...(isTerminal && stdout.columns !== undefined && { columns: stdout.columns }),
    };
    const how = { color, isOutputFirst: isLive && options.filename === undefined };
    const runOnce = () => run(call as Call<never>);
    if (!options.watch) return finish(await runOnce(), how);
    const { watchCommand } = await import("./watch.ts");
    await watchCommand({
      run: runOnce,
      finish: (result) => finish(result, how),
      sleep: () => sleep(interval * 1000),
      isTerminal,
    });
  });
}

/** The options that several commands have, and that this file reads. */
interface CommonOptions {
  readonly color?: Color;
  readonly filename?: readonly string[];
  readonly watch?: boolean;
  /** In seconds. */
  readonly interval?: number;
}

function formatExitCodes(): string {
  const lines = Object.entries(exitCodes).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}
