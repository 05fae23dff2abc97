import type { Argument, Command, Option } from "commander";
import { LoadingOption } from "./program.ts";

/** A possible completion of a word. */
interface Completion {
  readonly value: string;
  readonly description?: string;
}

/** The directives for the shell. The numbers are cobra's, because kubectl uses its protocol with plugins. */
const FILES = 0;
const NO_SPACE = 2;
const NO_FILES = 4;

/**
 * Returns the completions of the last word, in the format that kubectl expects from plugins. Each line is a completion
 * with its description after a tab. The last line is a colon and the number of the directive for the shell.
 *
 * @param words - the words after the command's name, up to the cursor; the last one may be incomplete or empty
 * @see Kubernetes, "kubectl plugins", `kubectl_complete-*`; cobra, `ShellCompDirective`
 */
export async function formatCompletions(
  program: Command,
  words: readonly string[],
): Promise<string> {
  const { completions, directive } = await getCompletions(program, words);
  const lines = completions.map(({ value, description = "" }) => {
    const [sentence = ""] = description.split("\n");
    return sentence === "" ? value : `${value}\t${sentence}`;
  });
  return `${[...lines, `:${directive}`].join("\n")}\n`;
}

interface Completions {
  readonly completions: readonly Completion[];
  readonly directive: number;
}

const NO_COMPLETIONS: Completions = { completions: [], directive: NO_FILES };
const A_FILE: Completions = { completions: [], directive: FILES };

async function getCompletions(program: Command, words: readonly string[]): Promise<Completions> {
  const written = words.at(-1) ?? "";
  // The program itself accepts one command here, too.
  const [first, ...behindHelp] = words;
  if (first === "help" && behindHelp.length > 0) return getCompletions(program, behindHelp);
  let command = program;
  let argumentCount = 0;
  let pending: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (pending !== undefined) pending = undefined;
    else if (word.startsWith("-") && word !== "-") pending = findOpenOption(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) argumentCount += 1;
      else command = next;
    }
  }
  if (pending !== undefined) return listValues(pending, written);
  const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(written) ?? [];
  if (flag !== undefined && value !== undefined) {
    const option = command.options.find((one) => one.long === flag);
    return option === undefined
      ? NO_COMPLETIONS
      : addPrefix(`${flag}=`, await listValues(option, value));
  }
  if (written.startsWith("-")) return filterByPrefix(createOptions(command), written);
  if (command.commands.length > 0) {
    // A word that is not a subcommand has no completions.
    return argumentCount > 0
      ? NO_COMPLETIONS
      : filterByPrefix(listCommands(command, program), written);
  }
  return completeArgument(command, argumentCount, written);
}

/** Returns the option whose value is the next word. */
function findOpenOption(command: Command, word: string): Option | undefined {
  const option = command.options.find((one) => one.short === word || one.long === word);
  return option?.required === true ? option : undefined;
}

function createOptions(command: Command): readonly Completion[] {
  const all = command.createHelp().visibleOptions(command);
  return all.flatMap(({ long, short, description }) =>
    [long, short].flatMap((flag) => (flag == null ? [] : [{ value: flag, description }])),
  );
}

function listCommands(command: Command, program: Command): readonly Completion[] {
  const all = command.createHelp().visibleCommands(command);
  return all
    .filter((one) => command === program || one.name() !== "help")
    .map((one) => ({ value: one.name(), description: one.description() }));
}

function completeArgument(command: Command, index: number, written: string): Completions {
  const all: readonly Argument[] = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[index] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return NO_COMPLETIONS;
  if (argument.argChoices !== undefined)
    return filterByPrefix(
      argument.argChoices.map((value) => ({ value })),
      written,
    );
  return isFile(argument.name()) ? A_FILE : NO_COMPLETIONS;
}

/** Returns whether an argument or option is a file: by its name, or as one of the two arguments of `diff`. */
function isFile(name: string): boolean {
  return ["file", "old", "new"].includes(name);
}

async function listValues(option: Option, written: string): Promise<Completions> {
  if (/<file>/.test(option.flags)) return A_FILE;
  const names = option instanceof LoadingOption ? (await option.load?.())?.names : undefined;
  if (names !== undefined) {
    const before = written.slice(0, written.lastIndexOf(",") + 1);
    const named = before.split(",").map((one) => one.replace(/=.*/, ""));
    const left = names.filter((one) => !named.includes(one.replace(/=.*/, "")));
    const found = filterByPrefix(
      left.map((value) => ({ value })),
      written.slice(before.length),
    );
    return addPrefix(before, { ...found, directive: NO_FILES | NO_SPACE });
  }
  // The part in angle brackets is a placeholder for the user.
  const choices = (option.argChoices ?? []).map((choice) => choice.replace(/<.*/, ""));
  const found = filterByPrefix(
    choices.map((value) => ({ value })),
    written,
  );
  const isOpen = found.completions.length === 1 && found.completions[0]?.value.endsWith("=");
  return isOpen ? { ...found, directive: NO_FILES | NO_SPACE } : found;
}

function filterByPrefix(all: readonly Completion[], written: string): Completions {
  return {
    completions: all.filter(({ value }) => value.startsWith(written)),
    directive: NO_FILES,
  };
}

function addPrefix(prefix: string, { completions, directive }: Completions): Completions {
  return {
    completions: completions.map((one) => ({ ...one, value: `${prefix}${one.value}` })),
    directive,
  };
}
