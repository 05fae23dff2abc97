// The JSONPath dialect of kubectl. It is a separate language with text, actions in braces, ranges, escaped keys and
// simple filters, so no JSONPath library parses it.
import { isObject } from "@jobset-ts/api/kubernetes";
import { escapeText } from "./escape.ts";

/** A parsed template: text, values to print, and ranges. */
export type JsonPath = readonly Part[];

type Part =
  | { readonly text: string }
  | { readonly path: Path }
  | { readonly range: Path; readonly body: JsonPath };

/** The start of a path, and its steps. */
interface Path {
  readonly isFromRoot: boolean;
  readonly steps: readonly Step[];
}

type Step =
  | { readonly step: "Keys"; readonly names: readonly string[] }
  | { readonly step: "Indexes"; readonly indexes: readonly number[] }
  | { readonly step: "Slice"; readonly from?: number; readonly to?: number; readonly by: number }
  | { readonly step: "All" }
  | { readonly step: "Below" }
  | { readonly step: "Filter"; readonly left: Operand; readonly test?: Test };

type Operand = Path | { readonly literal: string | number | boolean };

interface Test {
  readonly operator: string;
  readonly right: Operand;
}

type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/**
 * An error of a template, or a value that the template cannot be applied to. It is caught in this file and returned.
 */
class JsonPathError extends Error {}

/**
 * Parses a template such as `{range .items[*]}{.metadata.name}{"\n"}{end}`.
 *
 * @returns an error with the reason and the character position
 */
export function parseJsonPath(text: string): Result<JsonPath> {
  return catchJsonPathError(() => {
    const reader = new Reader(text);
    const parts = parseTemplate(reader);
    if (!text.includes("{"))
      reader.throwSyntaxError(`an expression must be in braces, as in {${text}}`);
    return parts;
  });
}

/**
 * Formats a value with a template. Missing values print nothing. Several values are separated by spaces. Objects and
 * lists are printed as JSON.
 *
 * @returns an error if a list is too short, or a value is not a list
 */
export function formatJsonPath(template: JsonPath, value: unknown): Result<string> {
  return catchJsonPathError(() => [...printParts(template, value, value)].join(""));
}

function catchJsonPathError<T>(act: () => T): Result<T> {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    if (error instanceof JsonPathError) return { ok: false, message: error.message };
    throw error;
  }
}

/** A text, and the current position in it. */
class Reader {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Consumes the text that matches an expression at the current position. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, "sy");
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  expect(pattern: RegExp, what: string): RegExpExecArray {
    return this.take(pattern) ?? this.throwSyntaxError(`${what} is missing`);
  }

  throwSyntaxError(why: string): never {
    throw new JsonPathError(`${why}, at character ${this.#at + 1}`);
  }
}

/** The maximum nesting depth of ranges. */
const MAX_DEPTH = 50;

function parseTemplate(reader: Reader): JsonPath {
  const open: { range: Path; body: Part[] }[] = [];
  const parts: Part[] = [];
  while (!reader.isAtEnd) {
    const into = open.at(-1)?.body ?? parts;
    const text = reader.take(/[^{]+/);
    if (text !== undefined) into.push({ text: text[0] });
    if (reader.take(/\{\s*/) === undefined) continue;
    if (reader.take(/end\s*\}/) !== undefined) {
      const done = open.pop() ?? reader.throwSyntaxError("{end} has no matching {range}");
      (open.at(-1)?.body ?? parts).push(done);
    } else if (reader.take(/range\s+/) !== undefined) {
      if (open.length === MAX_DEPTH)
        reader.throwSyntaxError(`ranges are nested more than ${MAX_DEPTH} levels deep`);
      open.push({ range: parsePath(reader), body: [] });
      expectActionEnd(reader);
    } else {
      const operand = parseOperand(reader);
      into.push("literal" in operand ? { text: String(operand.literal) } : { path: operand });
      expectActionEnd(reader);
    }
  }
  if (open.length > 0) reader.throwSyntaxError("{end} is missing after {range …}");
  return parts;
}

function expectActionEnd(reader: Reader): void {
  if (reader.take(/\s*\}/) === undefined)
    reader.throwSyntaxError(reader.isAtEnd ? "} is missing" : "} is missing after the path");
}

/** Parses a path or a literal string, number or boolean. */
function parseOperand(reader: Reader): Operand {
  const quoted = reader.take(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/);
  if (quoted !== undefined) return { literal: unescapeText(quoted[1] ?? quoted[2] ?? "") };
  const number = reader.take(/-?\d+(?:\.\d+)?(?![\w.])/);
  if (number !== undefined) return { literal: Number(number[0]) };
  const truth = reader.take(/(?:true|false)(?!\w)/);
  return truth !== undefined ? { literal: truth[0] === "true" } : parsePath(reader);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
}

function parsePath(reader: Reader): Path {
  const root = reader.take(/[$@]/);
  const steps: Step[] = [];
  for (let next = parseSteps(reader); next.length > 0; next = parseSteps(reader))
    steps.push(...next);
  if (root === undefined && steps.length === 0)
    reader.throwSyntaxError('expected a path such as .metadata.name or a string such as "\\n"');
  return { isFromRoot: root?.[0] === "$", steps };
}

const KEY = /(?:\\.|[^\\\s.[\]{}()'",:@$*<>=!&|~])+/;

/** Parses the next step. Recursive descent consists of two steps. */
function parseSteps(reader: Reader): readonly Step[] {
  if (reader.take(/\.\.(?=\[)/) !== undefined) return [{ step: "Below" }, parseBracket(reader)];
  if (reader.take(/\.\./) !== undefined) return [{ step: "Below" }, parseMember(reader)];
  if (reader.take(/\.(?=\[)/) !== undefined) return [parseBracket(reader)];
  // A dot alone is the value itself.
  if (reader.take(/\.(?=\s*\})/) !== undefined) return [{ step: "Indexes", indexes: [] }];
  if (reader.take(/\./) !== undefined) return [parseMember(reader)];
  return reader.take(/(?=\[)/) === undefined ? [] : [parseBracket(reader)];
}

function parseMember(reader: Reader): Step {
  if (reader.take(/\*/) !== undefined) return { step: "All" };
  const [name] = reader.expect(KEY, "a key");
  return { step: "Keys", names: [unescapeText(name)] };
}

function parseBracket(reader: Reader): Step {
  reader.expect(/\[\s*/, "[");
  const step = parseBracketContent(reader);
  reader.expect(/\s*\]/, "]");
  return step;
}

function parseBracketContent(reader: Reader): Step {
  if (reader.take(/\*/) !== undefined) return { step: "All" };
  if (reader.take(/\?\(\s*/) !== undefined) return parseFilter(reader);
  const slice = reader.take(/(-?\d{1,9})?:(-?\d{1,9})?(?::(\d{1,9}))?/);
  if (slice !== undefined) {
    const [, from, to, by = "1"] = slice;
    if (Number(by) === 0) reader.throwSyntaxError("the step of a slice must not be 0");
    return {
      step: "Slice",
      ...(from !== undefined && { from: Number(from) }),
      ...(to !== undefined && { to: Number(to) }),
      by: Number(by),
    };
  }
  const indexes = reader.take(/-?\d{1,9}(?:\s*,\s*-?\d{1,9})*/);
  if (indexes !== undefined) return { step: "Indexes", indexes: indexes[0].split(",").map(Number) };
  const quoted = /'((?:[^'\\]|\\.)*)'/;
  const names = [reader.take(quoted)?.[1]];
  while (names[0] !== undefined && reader.take(/\s*,\s*/) !== undefined)
    names.push(reader.expect(quoted, "a key in single quotes")[1]);
  if (names[0] === undefined)
    reader.throwSyntaxError(
      "brackets must contain a number, a slice, *, a filter ?(…) or a key in single quotes",
    );
  return { step: "Keys", names: names.map((name) => unescapeText(name ?? "")) };
}

function parseFilter(reader: Reader): Step {
  const left = parseOperand(reader);
  const operator = reader.take(/\s*(==|!=|<=|>=|<|>)\s*/)?.[1];
  const test = operator === undefined ? undefined : { operator, right: parseOperand(reader) };
  if (reader.take(/\s*\)/) === undefined)
    reader.throwSyntaxError(
      "a filter must be one comparison with ==, !=, <, <=, > or >=, and end with )",
    );
  return { step: "Filter", left, ...(test !== undefined && { test }) };
}

function* printParts(template: JsonPath, root: unknown, current: unknown): Generator<string> {
  for (const part of template) {
    if ("text" in part) yield part.text;
    else if ("path" in part)
      yield evaluatePath(part.path, root, current).map(formatValue).join(" ");
    else
      for (const value of evaluatePath(part.range, root, current))
        yield* printParts(part.body, root, value);
  }
}

/**
 * Formats a value as Go does: strings unchanged, and other values as JSON with sorted keys. Control characters are
 * escaped.
 */
function formatValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, sortKeys);
  return text.split("\t").map(escapeText).join("\t");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function evaluatePath(
  { isFromRoot, steps }: Path,
  root: unknown,
  current: unknown,
): readonly unknown[] {
  let values: readonly unknown[] = [isFromRoot ? root : current];
  for (const step of steps)
    values = values.flatMap((value) => [...evaluateStep(step, value, root)]);
  return values;
}

function* evaluateStep(step: Step, value: unknown, root: unknown): Generator<unknown> {
  switch (step.step) {
    case "Keys":
      for (const name of step.names)
        if (isObject(value) && Object.hasOwn(value, name) && value[name] !== undefined)
          yield value[name];
      return;
    case "All":
      if (typeof value === "object" && value !== null) yield* Object.values(value);
      return;
    case "Below":
      yield* listDescendants(value);
      return;
    case "Indexes":
      if (step.indexes.length === 0) yield value;
      for (const index of step.indexes) {
        const list = requireList(value, "has no elements to count");
        const at = index < 0 ? list.length + index : index;
        if (!(at in list)) throw new JsonPathError(`[${index}]: there are ${list.length} elements`);
        yield list[at];
      }
      return;
    case "Slice": {
      const list = requireList(value, "cannot be sliced").slice(step.from, step.to);
      for (let at = 0; at < list.length; at += step.by) yield list[at];
      return;
    }
    case "Filter":
      for (const element of requireList(value, "cannot be filtered"))
        if (matchesFilter(step, element, root)) yield element;
  }
}

/** Yields all lists and objects in a value, including the value itself. */
function* listDescendants(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return;
  yield value;
  for (const member of Object.values(value)) yield* listDescendants(member);
}

function requireList(value: unknown, why: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const text = formatValue(value ?? null);
  throw new JsonPathError(
    `${text.length > 60 ? `${text.slice(0, 60)}…` : text} is not a list and ${why}`,
  );
}

function matchesFilter(
  { left, test }: Extract<Step, { step: "Filter" }>,
  element: unknown,
  root: unknown,
): boolean {
  const evaluateOperand = (operand: Operand) =>
    "literal" in operand ? [operand.literal] : evaluatePath(operand, root, element);
  const [value, ...others] = evaluateOperand(left);
  if (test === undefined) return value !== undefined;
  const [other, ...more] = evaluateOperand(test.right);
  if (others.length + more.length > 0)
    throw new JsonPathError("a comparison requires a single value");
  if (value === undefined || other === undefined) return false;
  return compareValues(test.operator, value, other);
}

function compareValues(operator: string, value: unknown, other: unknown): boolean {
  if (operator === "==") return value === other;
  if (operator === "!=") return value !== other;
  const areTexts = typeof value === "string" && typeof other === "string";
  const areNumbers = typeof value === "number" && typeof other === "number";
  if (!areTexts && !areNumbers) return false;
  if (operator === "<") return value < other;
  if (operator === ">") return value > other;
  return operator === "<=" ? value <= other : value >= other;
}
