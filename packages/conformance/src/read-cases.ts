import { isUtf8 } from "node:buffer";
import { type Line, readLines } from "./read-lines.ts";

/** One recorded decision: the input and upstream's output. */
export interface RecordedCase {
  /** `<family>/<set>/<number>`, for instance `jobs.construct/shared/17`. */
  readonly id: string;
  /** The part of the id before its first `/`: the upstream function. */
  readonly family: string;
  /** The features that the case exercises. */
  readonly tags: readonly string[];
  readonly input: unknown;
  readonly output: unknown;
}

/** A file or line that contains no case. */
export interface InputError {
  readonly file: string;
  /** Starts at one. Undefined if the whole file is invalid. */
  readonly line?: number;
  readonly reason: string;
}

/** A case, or the error in its place. */
export type ReadCase =
  | { readonly ok: true; readonly value: RecordedCase }
  | { readonly ok: false; readonly error: InputError };

/**
 * Reads the recorded decisions of a `.jsonl` or `.jsonl.gz` file in order. Blank lines are skipped. A file without any
 * case is an error, because replaying nothing is not agreement.
 *
 * @param isSelected - called with the number of each case, starting at one; other cases are neither parsed nor returned
 */
export async function* readCases(
  file: string,
  isSelected: (number: number) => boolean = () => true,
): AsyncGenerator<ReadCase> {
  let line = 0;
  let count = 0;
  try {
    for await (const next of readLines(file)) {
      line = next.number;
      if (isBlank(next.bytes)) continue;
      count += 1;
      if (isSelected(count)) yield parseCase(next, file);
    }
  } catch (error) {
    const position = line === 0 ? {} : { line: line + 1 };
    yield { ok: false, error: { file, ...position, reason: readFailure(error) } };
    return;
  }
  if (count === 0) yield { ok: false, error: { file, reason: "holds no case" } };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseCase(line: Line, file: string): ReadCase {
  const reject = (reason: string): ReadCase => ({
    ok: false,
    error: { file, line: line.number, reason },
  });
  if (!isUtf8(line.bytes)) return reject("is not UTF-8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(line.bytes.toString("utf8"));
  } catch (error) {
    return reject(`is not JSON: ${formatMessage(error)}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return reject("is not a case: expected an object with id, input and output");
  }
  const { id, tags = [], input, output } = parsed as Record<string, unknown>;
  if (typeof id !== "string" || id === "") return reject("the case has no id");
  if (!isTextList(tags)) return reject(`case ${id}: tags is not a list of strings`);
  if (input === undefined) return reject(`case ${id} has no input`);
  if (output === undefined) return reject(`case ${id} has no output`);
  return { ok: true, value: { id, family: getFamily(id), tags, input, output } };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function getFamily(id: string): string {
  const slash = id.indexOf("/");
  return slash === -1 ? id : id.slice(0, slash);
}

/** Messages for Node's error codes of the file system. */
const fileFailures: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "no such file"],
  ["EISDIR", "is a directory without *.jsonl or *.jsonl.gz files"],
  ["EACCES", "permission denied"],
]);

function readFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return fileFailures.get(code) ?? `cannot be read: ${formatMessage(error)}`;
}

function formatMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
