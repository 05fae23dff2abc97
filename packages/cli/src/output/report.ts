import type { CommandResult } from "../command.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { jsonArray } from "./json.ts";
import { yamlList } from "./yaml.ts";

/** What a command found. */
export interface Report extends Omit<CommandResult, "output"> {
  /** One for each object that was asked about, for programs. */
  readonly items: Iterable<unknown>;
  /** The same for people. */
  readonly table: Iterable<string>;
}

/**
 * A report as it is asked for. JSON and YAML have one shape for every command, whether or not it could do what it was
 * asked for: an object with `items`, and with what standard error says in `errors`, `warnings` and `notes`.
 */
export function reported(
  { items, table, diagnostics, exitCode }: Report,
  format: "table" | "json" | "yaml",
): CommandResult {
  switch (format) {
    case "table":
      return { output: table, diagnostics, exitCode };
    case "json":
      return { output: jsonReport(membersOf(items, diagnostics)), diagnostics, exitCode };
    case "yaml":
      return { output: yamlReport(membersOf(items, diagnostics)), diagnostics, exitCode };
  }
}

/** The report of a command that finds nothing, since it cannot do what it was asked for. */
export function refused(
  diagnostics: readonly Diagnostic[],
  format: Parameters<typeof reported>[1],
  exitCode: 1 | 2 = 2,
): CommandResult {
  return reported({ items: [], table: [], diagnostics, exitCode }, format);
}

type Members = readonly (readonly [name: string, values: Iterable<unknown>])[];

function membersOf(items: Iterable<unknown>, diagnostics: readonly Diagnostic[]): Members {
  return [
    ["items", items],
    ["errors", told(diagnostics, "error")],
    ["warnings", told(diagnostics, "warning")],
    ["notes", told(diagnostics, "note")],
  ];
}

function* jsonReport(members: Members): Generator<string, void, undefined> {
  let separator = "{\n";
  for (const [name, values] of members) {
    yield `${separator}  "${name}": `;
    yield* jsonArray(values, "  ");
    separator = ",\n";
  }
  yield "\n}\n";
}

function* yamlReport(members: Members): Generator<string, void, undefined> {
  for (const [name, values] of members) yield* yamlList(name, values);
}

/** Lazy: to find the place of each of ten thousand errors takes its time. */
function* told(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic["severity"],
): Generator<object, void, undefined> {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== severity) continue;
    const { file, position, field, message } = diagnostic;
    yield { message, ...(field !== "" && { field }), file, ...position };
  }
}
