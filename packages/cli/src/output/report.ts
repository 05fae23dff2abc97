import { JOBSET_GROUP } from "@jobset-ts/api/keys";
import type { CommandResult } from "./command-result.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { jsonArray } from "./json.ts";
import { type JsonPath, jsonPathText } from "./jsonpath.ts";
import { printable } from "./printable.ts";
import { yamlList } from "./yaml.ts";

/** How results are printed: in a format, or by a template of kubectl's. */
export type Output = "table" | "wide" | "json" | "yaml" | "name" | { readonly jsonPath: JsonPath };

/** What a command found. */
export interface Report extends Omit<CommandResult, "output"> {
  /** One item for each requested object, for programs. */
  readonly items: Iterable<unknown>;
  /** The same for people. */
  readonly table: Iterable<string>;
  /** The same with more columns, where that is offered. */
  readonly wide?: Iterable<string>;
  /** A line for each, where that is offered: the resource and the name, as kubectl prints them. */
  readonly names?: Iterable<string>;
}

/**
 * Prints a report in the requested format. JSON and YAML have one shape for every command, whether or not it succeeded:
 * an object with `items`, and with the messages of standard error in `errors`, `warnings` and `notes`.
 */
export function reported(report: Report, format: Output): CommandResult {
  const { items, table, wide = table, names = [], diagnostics, exitCode } = report;
  const members = listMembers(items, diagnostics);
  switch (format) {
    case "table":
      return { output: table, diagnostics, exitCode };
    case "wide":
      return { output: wide, diagnostics, exitCode };
    case "name":
      return { output: names, diagnostics, exitCode };
    case "json":
      return { output: jsonReport(members), diagnostics, exitCode };
    case "yaml":
      return { output: yamlReport(members), diagnostics, exitCode };
    default: {
      const lists = members.map(([name, values]) => [name, [...values]] as const);
      return templated(format.jsonPath, Object.fromEntries(lists), { diagnostics, exitCode });
    }
  }
}

/** Returns the output of a template for a value, or only the error if the template refers to missing values. */
export function templated(
  template: JsonPath,
  value: unknown,
  { diagnostics, exitCode }: Pick<CommandResult, "diagnostics" | "exitCode">,
): CommandResult {
  const text = jsonPathText(template, value);
  if (text.ok) return { output: [text.value], diagnostics, exitCode };
  const error = { severity: "error", message: `-o jsonpath: ${text.message}` } as const;
  return { output: [], diagnostics: [...diagnostics, error], exitCode: exitCode || 2 };
}

/** Lines such as `jobset.jobset.x-k8s.io/train`, for kubectl. */
export function* resourceNames(
  objects: Iterable<{ readonly kind?: string; readonly name: string }>,
): Generator<string, void, undefined> {
  for (const { kind = "JobSet", name } of objects)
    yield `${printable(`${kind === "JobSet" ? `jobset.${JOBSET_GROUP}` : kind.toLowerCase()}/${name}`)}\n`;
}

/** Returns the report of a command that failed. */
export function refused(
  diagnostics: readonly Diagnostic[],
  format: Output,
  exitCode: 1 | 2 = 2,
): CommandResult {
  return reported({ items: [], table: [], diagnostics, exitCode }, format);
}

type Members = readonly (readonly [name: string, values: Iterable<unknown>])[];

function listMembers(items: Iterable<unknown>, diagnostics: readonly Diagnostic[]): Members {
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
