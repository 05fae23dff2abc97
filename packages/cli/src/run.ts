import { type Command, CommanderError } from "commander";
import { formatCompletions } from "./command-line/complete.ts";
import { loadOnce } from "./command-line/load-once.ts";
import {
  type Color,
  createProgram,
  type FinishOptions,
  hasColors,
} from "./command-line/program.ts";
import type { ExploreEnvironment } from "./commands/explore.ts";
import type { FilesAndClock } from "./input/sources.ts";
import type { createKubectl } from "./live/kubectl.ts";
import type { CommandResult, ExitCode } from "./output/command-result.ts";
import type { Diagnostic } from "./output/diagnostics.ts";
import { type TextSink, WriteError, writeAll } from "./output/write-all.ts";

const loadWorld = loadOnce(() => import("./command-environment.ts"));
const loadDiagnostics = loadOnce(() => import("./output/diagnostics.ts"));

/** The dependencies of the command. */
export interface Io extends FilesAndClock, ExploreEnvironment {
  readonly stdout: TextSink & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: TextSink & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Waits for a number of milliseconds. Returns `false` if the command ends. Absent: the command runs once. */
  readonly sleep?: (millis: number) => Promise<boolean>;
  /** The command that the user types. Default: `jobset`. */
  readonly command?: string;
  /** Creates the access to a cluster. Default: runs the kubectl on the path. */
  readonly createKubectl?: typeof createKubectl;
}

/**
 * Runs the command. Results go to standard output, and messages to standard error.
 *
 * @param args - the arguments after the command's name
 * @returns the exit code; never throws
 */
export async function run(args: readonly string[], given: Io): Promise<ExitCode> {
  let clearProgress = () => {};
  const io = {
    ...given,
    stdout: runBeforeWrites(() => clearProgress(), given.stdout),
    stderr: runBeforeWrites(() => clearProgress(), given.stderr),
  };
  let exitCode: ExitCode = 0;
  const finish = async (result: CommandResult, { color, isOutputFirst }: FinishOptions) => {
    if (isOutputFirst) await writeAll(result.output, io.stdout);
    const isReported = await report(result.diagnostics, io, color);
    if (!isOutputFirst) await writeAll(result.output, io.stdout);
    exitCode = isReported ? result.exitCode : 2;
  };
  const { env } = io;
  const openWorld = async () => {
    const opened = (await loadWorld()).openWorld(given, io.stderr);
    clearProgress = opened.clearProgress;
    return opened.world;
  };
  const isCompletion = args[0] === "__complete";
  const { stdout, sleep = async () => false } = io;
  const context = { env, openWorld, stdout, sleep, finish };
  const program = await createProgram(isCompletion ? [] : args, context);
  const shown = captureOutput(program, args);
  try {
    if (isCompletion) shown.help = await formatCompletions(program, args.slice(1));
    else if (args.length === 0) program.help({ error: true });
    else await program.parseAsync(args, { from: "user" }).catch(rethrowUnlessHelp);
    await writeAll([shown.help], io.stdout);
    return exitCode;
  } catch (error) {
    const { usage, failedCommand } = shown;
    if (usage !== "") await writeAll([usage], io.stderr).catch(() => {});
    else if (error instanceof CommanderError) {
      const page = failedCommand === undefined ? "jobset" : getCommandPath(failedCommand);
      await report([await createUsageError(error, page, program, args)], io);
    } else if (error instanceof WriteError) await report([toWriteDiagnostic(error)], io);
    else return await reportInternalError(error, io);
    return 2;
  }
}

/** What Commander prints. */
interface CapturedOutput {
  help: string;
  /** The help of the program or a group that is called without a command. */
  usage: string;
  /** The command of the last error. */
  failedCommand: Command | undefined;
}

/** Captures what Commander prints for the program and all commands. */
function captureOutput(program: Command, args: readonly string[]): CapturedOutput {
  const captured: CapturedOutput = { help: "", usage: "", failedCommand: undefined };
  const inGroups = program.commands.flatMap(({ commands }) => commands);
  for (const command of [program, ...program.commands, ...inGroups]) {
    command.configureOutput({
      writeOut: (text) => {
        captured.help += text;
      },
      writeErr: (text) => {
        if (command !== program || args.length === 0) captured.usage += text;
      },
      // The thrown error contains the same text, but not its command.
      outputError: () => {
        captured.failedCommand = command;
      },
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
    });
  }
  return captured;
}

/** Returns a sink that calls a function before each write. */
function runBeforeWrites<Sink extends Io["stdout"]>(before: () => void, sink: Sink): Io["stdout"] {
  return {
    write: (text, done) => {
      before();
      return sink.write(text, done);
    },
    isTTY: sink.isTTY === true,
    ...("columns" in sink && { columns: sink.columns }),
  };
}

/** Commander also throws after it has printed its help or version. */
function rethrowUnlessHelp(error: unknown): void {
  if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
}

/** @returns `false` if the message cannot be written either */
async function report(
  diagnostics: readonly Diagnostic[],
  { stderr, env }: Io,
  color: Color = "auto",
): Promise<boolean> {
  if (diagnostics.length === 0) return true;
  const { formatDiagnostics } = await loadDiagnostics();
  try {
    await writeAll([formatDiagnostics(diagnostics, hasColors(color, stderr, env))], stderr);
    return true;
  } catch (error) {
    if (error instanceof WriteError) return false;
    throw error;
  }
}

function toWriteDiagnostic({ message }: WriteError): Diagnostic {
  return { severity: "error", file: "<stdout>", message };
}

/** Returns the command as the user types it. */
function getCommandPath(command: Command | null): string {
  return command === null ? "" : `${getCommandPath(command.parent)} ${command.name()}`.trimStart();
}

/** Returns Commander's message as one line. */
async function createUsageError(
  { code, message }: CommanderError,
  helpCommand: string,
  program: Command,
  [, name = ""]: readonly string[],
): Promise<Diagnostic> {
  const { suggestName } = await import("@jobset-ts/api/text");
  // For the help of an unknown command, Commander would print the whole help as an error.
  const known = program.commands.map((command) => command.name());
  const text =
    code === "commander.help" ? `unknown command '${name}'${suggestName(name, known)}` : message;
  const sentence = text.replace(/^error: /, "").replaceAll("\n", " ");
  return { severity: "error", message: `${sentence} (see ${helpCommand} --help)` };
}

/** Reports an internal error. `JOBSET_DEBUG` adds the stack for developers. */
async function reportInternalError(error: unknown, io: Io): Promise<ExitCode> {
  const message = error instanceof Error ? error.message : String(error);
  await report([{ severity: "error", message: `internal error: ${message}` }], io);
  if (io.env.JOBSET_DEBUG && error instanceof Error) {
    const { escapeText } = await import("./output/escape.ts");
    await writeAll([escapeText(`${error.stack}\n`)], io.stderr).catch(() => {});
  }
  return 3;
}
