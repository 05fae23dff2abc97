import { JOBSET_GROUP } from "@jobset-ts/api/keys";
import type { CommandResult } from "./command-result.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { escapeLine } from "./escape.ts";
import { formatJsonArray } from "./json.ts";
import { formatJsonPath, type JsonPath } from "./jsonpath.ts";
import { formatYamlList } from "./yaml.ts";

/** The output format, or a template of kubectl. */
export type Output = "table" | "wide" | "json" | "yaml" | "name" | { readonly jsonPath: JsonPath };

/** The result of a command. */
export interface Report extends Omit<CommandResult, "output"> {
  /** One item for each requested object, for JSON and YAML. */
  readonly items: Iterable<unknown>;
  /** Further lists for JSON and YAML, by name, if the command prints more than items. */
  readonly lists?: Readonly<Record<string, Iterable<unknown>>>;
  /** The same result as a table. */
  readonly table: Iterable<string>;
  /** The table with more columns, if the command supports it. */
  readonly wide?: Iterable<string>;
  /** One line for each object, if the command supports it: resource and name, as kubectl prints them. */
  readonly names?: Iterable<string>;
}

/**
 * Prints a report in the requested format. JSON and YAML have one shape for every command, whether or not it succeeded:
 * an object with `items`, and with the messages of standard error in `errors`, `warnings` and `notes`.
 */
export function formatReport(report: Report, format: Output): CommandResult {
  const { items, lists, table, wide = table, names = [], diagnostics, exitCode } = report;
  const members = createMembers({ items, ...lists }, diagnostics);
  switch (format) {
    case "table":
      return { output: table, diagnostics, exitCode };
    case "wide":
      return { output: wide, diagnostics, exitCode };
    case "name":
      return { output: names, diagnostics, exitCode };
    case "json":
      return { output: formatJsonReport(members), diagnostics, exitCode };
    case "yaml":
      return { output: formatYamlReport(members), diagnostics, exitCode };
    default: {
      const lists = members.map(([name, values]) => [name, [...values]] as const);
      return formatTemplate(format.jsonPath, Object.fromEntries(lists), { diagnostics, exitCode });
    }
  }
}

/** Returns the output of a template for a value, or only the error if the template refers to missing values. */
export function formatTemplate(
  template: JsonPath,
  value: unknown,
  { diagnostics, exitCode }: Pick<CommandResult, "diagnostics" | "exitCode">,
): CommandResult {
  const text = formatJsonPath(template, value);
  if (text.ok) return { output: [text.value], diagnostics, exitCode };
  const error = { severity: "error", message: `-o jsonpath: ${text.message}` } as const;
  return { output: [], diagnostics: [...diagnostics, error], exitCode: exitCode || 2 };
}

/** Yields lines such as `jobset.jobset.x-k8s.io/train`, for kubectl. */
export function* formatResourceNames(
  objects: Iterable<{ readonly kind?: string; readonly name: string }>,
): Generator<string, void, undefined> {
  for (const { kind = "JobSet", name } of objects)
    yield `${escapeLine(`${kind === "JobSet" ? `jobset.${JOBSET_GROUP}` : kind.toLowerCase()}/${name}`)}\n`;
}

/** Returns the report of a command that failed. */
export function createErrorReport(
  diagnostics: readonly Diagnostic[],
  format: Output,
  exitCode: 1 | 2 = 2,
): CommandResult {
  return formatReport({ items: [], table: [], diagnostics, exitCode }, format);
}

type Members = readonly (readonly [name: string, values: Iterable<unknown>])[];

function createMembers(
  lists: Readonly<Record<string, Iterable<unknown>>>,
  diagnostics: readonly Diagnostic[],
): Members {
  return [
    ...Object.entries(lists),
    ["errors", listMessages(diagnostics, "error")],
    ["warnings", listMessages(diagnostics, "warning")],
    ["notes", listMessages(diagnostics, "note")],
  ];
}

function* formatJsonReport(members: Members): Generator<string, void, undefined> {
  let separator = "{\n";
  for (const [name, values] of members) {
    yield `${separator}  "${name}": `;
    yield* formatJsonArray(values, "  ");
    separator = ",\n";
  }
  yield "\n}\n";
}

function* formatYamlReport(members: Members): Generator<string, void, undefined> {
  for (const [name, values] of members) yield* formatYamlList(name, values);
}

/** Lazy, because finding the positions of ten thousand errors takes time. */
function* listMessages(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic["severity"],
): Generator<object, void, undefined> {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== severity) continue;
    const { file, position, field, message } = diagnostic;
    yield { message, ...(field !== "" && { field }), file, ...position };
  }
}
