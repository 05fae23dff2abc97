import fc from "fast-check";
import { largeNumbers, largestNumbers, mapNumbers, withNumericFields } from "./large-numbers.ts";
import type { FunctionRow } from "./never-throws.ts";

/** The cost of calls with large numbers relative to small numbers. */
export interface NumberCost {
  /**
   * CPU time of all calls with large numbers, as a share of the limit. The limit depends on the calls with small
   * numbers and has a minimum. A value above 1 is a failure.
   */
  readonly share: number;
  /** The numbers of the most expensive call, for people. */
  readonly worst: string;
  /** The number of parts of the largest result. */
  readonly resultParts: number;
}

/** The maximum number of parts of a result, for any numbers. */
export const MAX_RESULT_PARTS = 100_000;

/** The number of calls with small numbers, whose mean CPU time is used. */
const SMALL_RUNS = 5;

/** The maximum factor between the cost of calls with large and small numbers. */
const MAX_TIMES = 10;

/**
 * Calls each exported function of a module with the largest number in each numeric field of its arguments. Compares the
 * CPU time with that of calls with small numbers.
 *
 * @param table - the rows of the totality tests, with examples of each argument
 */
export function numberCosts(
  module: object,
  table: Readonly<Record<string, FunctionRow>>,
): readonly (readonly [name: string, measure: () => Promise<NumberCost>])[] {
  const floorMs = getFloor();
  return Object.entries(module)
    .filter(([, value]) => typeof value === "function")
    .map(([name, subject]) => {
      const row = table[name] ?? [];
      const { of, calls } = "of" in row ? row : { of: row, calls: subject };
      const given = of.map((kind) => drawSample("anything" in kind ? kind.anything : kind.typed));
      return [name, () => measureAgain(() => numberCost(calls, given, floorMs))];
    });
}

/** Measures a cost above the limit up to two more times, because other load and garbage collection also cost CPU time. */
async function measureAgain(measure: () => Promise<NumberCost>): Promise<NumberCost> {
  let cost = await measure();
  for (let left = 2; left > 0 && cost.share >= 1; left -= 1) cost = await measure();
  return cost;
}

async function numberCost(
  request: (...values: unknown[]) => unknown,
  given: readonly unknown[],
  floorMs: number,
): Promise<NumberCost> {
  const call = async (args: readonly unknown[]) => {
    const before = measureCpuMs();
    // An argument that only code creates may not have such numbers. Another property checks for
    // other errors.
    const result = await Promise.resolve(args)
      .then((values) => request(...values))
      .catch(() => undefined);
    return { ms: measureCpuMs() - before, parts: countParts(result, MAX_RESULT_PARTS) };
  };
  let [smallMs, largeMs, resultParts] = [0, 0, 0];
  let worst = { text: "", ms: -1 };
  const cases = numberCases(given);
  const smallRuns = Math.min(SMALL_RUNS, cases.length);
  for (let run = 0; run <= smallRuns; run += 1) {
    // Some functions cache the result for an object.
    const small = await call(mapNumbers(given, (_, number) => number) as readonly unknown[]);
    // The first call compiles the function, which would raise the limit too much.
    if (run > 0) smallMs += (small.ms * cases.length) / smallRuns;
  }
  for (const { text, value } of cases) {
    const large = await call(value as readonly unknown[]);
    largeMs += large.ms;
    resultParts = Math.max(resultParts, large.parts);
    if (large.ms > worst.ms) worst = { text, ms: large.ms };
  }
  const share = largeMs / (floorMs + MAX_TIMES * smallMs);
  return { share, worst: worst.text, resultParts };
}

/** A value with large numbers, and a text that says where they are. */
export interface NumberCase {
  readonly text: string;
  readonly value: unknown;
}

/** Returns a value with each large number in all its numeric fields, and with the largest ones in each field alone. */
export function numberCases(value: unknown): readonly NumberCase[] {
  const names = new Set<string>();
  mapNumbers(value, (name, number) => {
    names.add(name);
    return number;
  });
  const everywhere = largeNumbers.map((number) => {
    return { text: `${number} everywhere`, value: mapNumbers(value, () => number) };
  });
  const single = Array.from(names, (name) =>
    largestNumbers.map((number) => ({
      text: `${number} in ${name || "text"}`,
      value: mapNumbers(value, (own, small) => (own === name ? number : small)),
    })),
  );
  return [...everywhere, ...single.flat()];
}

/** Returns the CPU time of this process in milliseconds. */
function measureCpuMs(): number {
  // biome-ignore lint/style/noRestrictedGlobals: the tests measure CPU time
  return process.cpuUsage().user / 1000;
}

/** Returns a typical value with all its numeric fields. */
function drawSample(arbitrary: fc.Arbitrary<unknown>): unknown {
  const samples = fc.sample(arbitrary, { seed: 1, numRuns: 12 }).map(withNumericFields);
  // A value with many parts has more fields and more work for a function.
  const parts = samples.map((sample) => countParts(sample, 5_000));
  return samples[parts.indexOf(Math.max(...parts))];
}

/** Returns the time of a few million steps on this machine. */
function getFloor(): number {
  const before = measureCpuMs();
  const seen = new Map<string, number>();
  for (let step = 0; step < 300_000; step++) seen.set(`step-${step % 1000}`, step);
  return Math.max(50, measureCpuMs() - before);
}

/** Returns the number of parts of a value, at most `most`. */
function countParts(value: unknown, most: number): number {
  const seen = new Set<object>();
  const left: unknown[] = [value];
  let count = 0;
  while (left.length > 0 && count < most) {
    const part = left.pop();
    count += typeof part === "string" ? 1 + Math.floor(part.length / 100) : 1;
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    if (part instanceof Map || part instanceof Set) for (const own of part) left.push(own);
    else for (const member of Object.values(part)) left.push(member);
  }
  return count;
}
