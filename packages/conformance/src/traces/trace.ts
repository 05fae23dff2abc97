import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { isObject } from "@jobset-ts/api/kubernetes";

/** One line of a trace: an input of a user or a kubelet, or an observation of the changes since the last input. */
export interface TraceLine {
  readonly step: number;
  readonly actor: "user" | "kubelet" | "observed";
  readonly op: string;
  /** Seconds since the start. */
  readonly at: number;
  readonly object: Readonly<Record<string, unknown>>;
  /** The API server's response to a rejected input. */
  readonly refused?: RecordedRejection;
}

export interface RecordedRejection {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** The recorded trace of one scenario. */
export interface Trace {
  /** `<family>-<set><number>`, such as `delete-slow-s1`. */
  readonly id: string;
  readonly family: string;
  readonly kind: "job" | "scheduler";
  /** Whether node names are reduced to their rack, because the choice within a rack is random. */
  readonly nodesWithinRackByChance: boolean;
  readonly lines: readonly TraceLine[];
}

/** Reads the text of a `.jsonl` file, which may be gzipped. */
export function readTraceFile(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/**
 * Parses the traces of a file. Each starts with the line of its scenario.
 *
 * @throws Error with the file, the line and the reason if a line is invalid
 */
export function parseTraces(file: string, text: string): readonly Trace[] {
  const traces: { scenario: TraceLine; lines: TraceLine[] }[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readTraceLine(line);
    if (typeof read === "string") throw new Error(`${basename(file)}:${at + 1}: ${read}`);
    if (read.op === "scenario") traces.push({ scenario: read, lines: [] });
    else if (traces.length > 0) traces.at(-1)?.lines.push(read);
    else throw new Error(`${basename(file)}:${at + 1}: comes before the line of its scenario`);
  }
  if (traces.length === 0) throw new Error(`${basename(file)}: holds no trace`);
  return traces.map(({ scenario: { object }, lines }) => ({
    id: String(object.id),
    family: String(object.id).replace(/-[a-z]\d+$/, ""),
    kind: object.kind === "scheduler" ? "scheduler" : "job",
    nodesWithinRackByChance: object.nodesWithinRackByChance === true,
    lines,
  }));
}

/** The first line of a trace is short. */
const FIRST_BYTES = 4096;

/** Returns whether a file starts like a trace. Later errors are reported when the file is read. */
export function beginsLikeTrace(file: string): boolean {
  try {
    const [line = ""] = readStart(file).trimStart().split("\n", 1);
    return typeof readTraceLine(line) !== "string";
  } catch {
    return false; // If the file cannot be read, the next reader reports it.
  }
}

function readStart(file: string): string {
  const bytes = Buffer.alloc(FIRST_BYTES);
  const open = openSync(file, "r");
  const count = readSync(open, bytes);
  closeSync(open);
  const read = bytes.subarray(0, count);
  const unpacked = file.endsWith(".gz")
    ? gunzipSync(read, { finishFlush: constants.Z_SYNC_FLUSH })
    : read;
  return unpacked.toString("utf8");
}

/** Parses a line. Returns an error message if it is invalid. */
function readTraceLine(text: string): TraceLine | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (!isObject(line)) return "is not an object";
  const { step, actor, op, at, object } = line as Partial<TraceLine>;
  if (!Number.isSafeInteger(step)) return "step is not an integer";
  if (actor !== "user" && actor !== "kubelet" && actor !== "observed") {
    return "actor is not user, kubelet or observed";
  }
  if (typeof op !== "string") return "op is not a string";
  if (typeof at !== "number") return "at is not a number";
  if (typeof object !== "object" || object === null) return "object is none";
  return line as unknown as TraceLine;
}
