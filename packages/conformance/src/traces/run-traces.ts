import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { oneLine } from "../report.ts";
import { TracePlay } from "./play-trace.ts";
import {
  isTraceText,
  type RecordedRefusal,
  type Trace,
  type TraceLine,
  textOfTraceFile,
  tracesIn,
} from "./trace.ts";

/** Whether an argument names a folder of traces, or a file of them. */
export function isTraceInput(path: string): boolean {
  if (!existsSync(path)) return false;
  const [first] = traceFilesOf(path);
  return first !== undefined && isTraceText(textOfTraceFile(first));
}

/** A folder's files, or the file itself. */
function traceFilesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith(".jsonl") || name.endsWith(".jsonl.gz"))
    .sort()
    .map((name) => join(path, name));
}

/** How many lines of traces agree with what the simulated cluster did, and how many do not. */
export interface TraceTotals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Plays the inputs of recorded traces in a simulated cluster, and compares what is seen of it line by line.
 *
 * @param differences - how many differing lines of a family are shown
 */
export function runTraces(
  paths: readonly string[],
  { differences }: { readonly differences: number },
  write: (line: string) => void,
): TraceTotals {
  const families = new Map<string, FamilyOfTraces>();
  let [traces, agreeing, unreadable] = [0, 0, 0];
  for (const file of paths.flatMap(traceFilesOf)) {
    let read: readonly Trace[] = [];
    try {
      read = tracesIn(file, textOfTraceFile(file));
    } catch (error) {
      unreadable += 1;
      write(oneLine(error instanceof Error ? error.message : `${basename(file)}: ${error}`));
    }
    for (const trace of read) {
      const family = families.get(trace.family) ?? { agreed: 0, differing: [] };
      families.set(trace.family, family);
      const compared = compareTrace(trace);
      traces += 1;
      if (compared.differing.length === 0) agreeing += 1;
      family.agreed += compared.agreed;
      family.differing.push(...compared.differing);
    }
  }
  const column = Math.max(0, ...[...families.keys()].map((name) => name.length));
  let [passed, failed] = [0, unreadable];
  for (const [name, { agreed, differing }] of families) {
    passed += agreed;
    failed += differing.length;
    write(`${name.padEnd(column)}  ${agreed} of ${agreed + differing.length} lines agree`);
    for (const difference of differing.slice(0, differences)) writeDifference(difference, write);
    if (differing.length > differences) write(`  … and ${differing.length - differences} more`);
  }
  write(`${agreeing} of ${traces} traces agree in every line`);
  write(`${passed} passed, ${failed} failed`);
  return { passed, failed };
}

interface FamilyOfTraces {
  agreed: number;
  readonly differing: LineDifference[];
}

interface LineDifference {
  readonly where: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Times of the API are whole seconds, so that it matters at which fraction of one a trace began. */
const BEGINNINGS_MILLIS = [0, 600];

/** How a trace compares with its best play: a stored history is one that is right, not the only one. */
function compareTrace(trace: Trace): ComparedTrace {
  let best: ComparedTrace | undefined;
  for (const beginsAtMillis of BEGINNINGS_MILLIS) {
    const compared = comparePlay(trace, beginsAtMillis);
    if (compared.differing.length < (best?.differing.length ?? Number.POSITIVE_INFINITY)) {
      best = compared;
    }
    if (compared.differing.length === 0) break;
  }
  return best ?? { agreed: 0, differing: [] };
}

interface ComparedTrace {
  readonly agreed: number;
  readonly differing: readonly LineDifference[];
}

function comparePlay(trace: Trace, beginsAtMillis: number): ComparedTrace {
  let agreed = 0;
  const differing: LineDifference[] = [];
  const where = (line: TraceLine) => `${trace.id} step ${line.step} ${line.op}`;
  try {
    const play = new TracePlay(trace, beginsAtMillis);
    for (const line of trace.lines) {
      const played = play.play(line);
      const [expected, actual] =
        "seen" in played
          ? [inOrder(line.object), inOrder(played.seen)]
          : [line.refused, firstRefusal(played.replies, line.refused)];
      if (!isDeepStrictEqual(expected, actual)) {
        differing.push({ where: where(line), expected, actual });
      } else if ("seen" in played || line.refused !== undefined) agreed += 1;
    }
  } catch (error) {
    const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
    differing.push({ where: trace.id, expected: "a history", actual });
  }
  return { agreed, differing };
}

/** Lists of objects have no order but that of their texts, but for paths, whose order is the point. */
function inOrder(seen: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(seen));
  if (Array.isArray(plain)) return "after" in (plain[0] ?? {}) ? plain : sorted(plain);
  if (Array.isArray(plain.jobs) && Array.isArray(plain.pods)) {
    return { jobs: sorted(plain.jobs), pods: sorted(plain.pods) };
  }
  return plain;
}

function sorted(list: readonly unknown[]): readonly unknown[] {
  const keyed = list.map((item) => ({ item, key: JSON.stringify(canonical(item)) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

/** With members in name order, however deep. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, canonical(member)]));
}

/** The first answer that is a refusal; as it was recorded where only what was cut differs. */
function firstRefusal(
  replies: readonly { readonly ok: boolean }[],
  recorded: RecordedRefusal | undefined,
): unknown {
  const refused = replies.find(({ ok }) => !ok) as RecordedRefusal | undefined;
  if (refused === undefined) return undefined;
  const { code, reason, message } = refused;
  const isRecorded = recorded !== undefined && isCut(message, recorded.message);
  return { code, reason, message: isRecorded ? recorded.message : message };
}

/** Whether a message is the recorded one with dumps of values where that has `…`. */
function isCut(message: string, recorded: string): boolean {
  const parts = recorded.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(message);
}

function writeDifference(
  { where, expected, actual }: LineDifference,
  write: (line: string) => void,
) {
  write(oneLine(`  ${where}`));
  write(oneLine(`    expected ${JSON.stringify(expected)}`));
  write(oneLine(`    got      ${JSON.stringify(actual)}`));
}
