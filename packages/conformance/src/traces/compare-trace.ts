import { isDeepStrictEqual } from "node:util";
import { TraceSimulation, type TraceTiming } from "./play-trace.ts";
import type { RecordedRejection, Trace, TraceLine } from "./trace.ts";

/** The result of comparing a trace with the simulated cluster, line by line. */
export interface TraceComparison {
  readonly agreed: number;
  /** The numbers of lines with a random difference, by its name. */
  readonly explained: ReadonlyMap<string, number>;
  readonly differing: readonly LineDifference[];
}

export interface LineDifference {
  readonly step: number;
  readonly where: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Back-off and deadlines count from whole seconds, so the fraction of a second in which a trace started matters. */
const START_OFFSETS_MS = [0, 600];
/** The times of a trace are rounded to seconds, so each may be off by less than half a second. */
const ROUNDING_MS = 450;

/**
 * Compares a trace with the simulation, at the timing that agrees best. Rounded times allow several timings. The
 * search moves the observations of one or two steps at a time.
 */
export function compareTrace(trace: Trace): TraceComparison {
  let best = compareRun(trace, { beginsAtMs: 0, lateMs: new Map() });
  for (const beginsAtMs of START_OFFSETS_MS) {
    let timing: TraceTiming = { beginsAtMs, lateMs: new Map() };
    let compared = compareRun(trace, timing);
    for (let better = true; better && compared.differing.length > 0; ) {
      better = false;
      for (const other of listOtherTimings(timing, compared.differing[0]?.step ?? 0)) {
        const moved = compareRun(trace, other);
        if (moved.differing.length >= compared.differing.length) continue;
        [compared, timing, better] = [moved, other, true];
        break;
      }
    }
    if (compared.differing.length < best.differing.length) best = compared;
    if (best.differing.length === 0) break;
  }
  return best;
}

/** Yields timings in which the observation at a step, or also at the previous step, is somewhat earlier or later. */
function* listOtherTimings(timing: TraceTiming, step: number): Generator<TraceTiming> {
  const shifts = [-ROUNDING_MS, ROUNDING_MS];
  const createMove = (moves: readonly (readonly [number, number])[]) => ({
    ...timing,
    lateMs: new Map([...timing.lateMs, ...moves]),
  });
  for (const shift of shifts) yield createMove([[step, shift]]);
  for (const shift of shifts) {
    yield createMove([[step - 1, -shift]]);
    yield createMove([
      [step - 1, -shift],
      [step, shift],
    ]);
  }
}

function compareRun(trace: Trace, timing: TraceTiming): TraceComparison {
  let agreed = 0;
  const explained = new Map<string, number>();
  const differing: LineDifference[] = [];
  const play = new TraceSimulation(trace, timing);
  for (const line of trace.lines) {
    const { step, op } = line;
    const where = `${trace.id} step ${step} ${op}`;
    try {
      const result = play.play(line);
      const [expected, actual] =
        "seen" in result
          ? [sortDeep(line.object), sortDeep(result.seen)]
          : [line.refused, findFirstRejection(result.replies, line.refused)];
      const name = getDifferenceName(line, expected, actual);
      if (isDeepStrictEqual(expected, actual)) {
        if ("seen" in result || line.refused !== undefined) agreed += 1;
      } else if (name !== undefined) explained.set(name, (explained.get(name) ?? 0) + 1);
      else differing.push({ step, where, expected, actual });
    } catch (error) {
      const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
      differing.push({ step, where, expected: line.object, actual });
      break;
    }
  }
  return { agreed, explained, differing };
}

/**
 * A random difference: the kubelet removes a stopped Pod, the Job controller removes its finalizer, and the garbage
 * collector deletes it, in any order.
 */
const FINALIZER_ORDER = "finalizer-order";

/** Returns the name of a random difference. */
function getDifferenceName(
  { op }: TraceLine,
  expected: unknown,
  actual: unknown,
): string | undefined {
  if (op !== "podPath") return undefined;
  const untracked = [expected, actual].map(withoutFinalizers);
  return isDeepStrictEqual(untracked[0], untracked[1]) ? FINALIZER_ORDER : undefined;
}

function withoutFinalizers(paths: unknown): unknown {
  const pods = Object.entries(paths as Readonly<Record<string, readonly string[]>>);
  return Object.fromEntries(
    pods.map(([pod, own]) => [
      pod,
      own.map((path) => {
        const stages = path.split(" > ").map((stage) => stage.replace(" tracked", ""));
        return stages.filter((stage, at) => stage !== stages[at - 1]).join(" > ");
      }),
    ]),
  );
}

/** Sorts lists of objects by their text, because they have no order. Paths keep their order. */
function sortDeep(seen: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(seen));
  if (Array.isArray(plain)) return "after" in (plain[0] ?? {}) ? plain : sortList(plain);
  if (Array.isArray(plain.jobs) && Array.isArray(plain.pods)) {
    return { jobs: sortList(plain.jobs), pods: sortList(plain.pods) };
  }
  return plain;
}

function sortList(list: readonly unknown[]): readonly unknown[] {
  const keyed = list.map((item) => ({ item, key: JSON.stringify(toSortedJson(item)) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

/** Returns the JSON text with members in name order at every depth. */
function toSortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSortedJson);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, toSortedJson(member)]));
}

/**
 * Returns the first rejection among the responses. If it differs from the recorded one only in truncated values, the
 * recorded one is returned.
 */
function findFirstRejection(
  replies: readonly { readonly ok: boolean }[],
  recorded: RecordedRejection | undefined,
): unknown {
  const rejected = replies.find(({ ok }) => !ok) as RecordedRejection | undefined;
  if (rejected === undefined) return undefined;
  const { code, reason, message } = rejected;
  const isRecorded = recorded !== undefined && isTruncated(message, recorded.message);
  return { code, reason, message: isRecorded ? recorded.message : message };
}

/** Returns whether a message equals the recorded one, in which dumps of values are replaced by `…`. */
function isTruncated(message: string, recorded: string): boolean {
  const parts = recorded.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(message);
}
