import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A function to measure, and the minimal work on the same data. */
export interface Benchmark {
  /** The size of the input: Jobs, Pods or bytes, depending on the benchmark. */
  readonly size: number;
  /** The measured function. A returned promise is awaited. */
  readonly run: () => unknown;
  /** A description of the floor for the report. */
  readonly floor: string;
  readonly runFloor: (input: unknown) => unknown;
  /**
   * Creates the input of the floor, untimed and again for each round. If all rounds shared a large input, the garbage
   * collector would walk it while `run` is timed.
   */
  readonly floorInput?: () => unknown;
  /**
   * Called before `run` is timed, if the code is so large that its compilation takes seconds. A returned promise is
   * awaited.
   */
  readonly warmUp?: () => unknown;
  /** The maximum ratio that the design aims for. */
  readonly target?: number;
  /** Whether a call takes seconds. Then each side is called only once, without a warm-up. */
  readonly takesSeconds?: boolean;
}

/** The median of a benchmark, the median of its floor, and their ratio. */
export interface Measurement {
  readonly size: number;
  readonly ratio: number;
  readonly floor: string;
  /** The time of one call in milliseconds. */
  readonly ms: number;
  readonly floorMs: number;
  /** The maximum ratio that the design aims for. */
  readonly target?: number;
}

const turns = 3;
const timesATurn = 3;
/** The duration of the warm-up of each side, at least one call, and the duration of each measurement. */
const untimedMs = 200;
const timedMs = 50;

/**
 * Times a benchmark and its floor alternately, so that other load on the machine affects both. Returns the medians of
 * all times.
 */
export async function measure(benchmark: Benchmark): Promise<Measurement> {
  const { run, warmUp, runFloor, takesSeconds = false } = benchmark;
  const times: number[] = [];
  const floorTimes: number[] = [];
  for (let turn = 0; turn < (takesSeconds ? 1 : turns); turn++) {
    times.push(...(await timeCall(run, takesSeconds, warmUp)));
    const input = benchmark.floorInput?.();
    floorTimes.push(...(await timeCall(() => runFloor(input), takesSeconds)));
  }
  const [ms, floorMs] = [median(times), median(floorTimes)];
  const { size, floor, target } = benchmark;
  return { size, ratio: ms / floorMs, floor, ms, floorMs, ...(target !== undefined && { target }) };
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Results are stored here, so that the engine cannot remove a call without effects. */
let sink: unknown;

async function timeCall(
  call: () => unknown,
  takesSeconds: boolean,
  warmUp?: () => unknown,
): Promise<readonly number[]> {
  // Exclude the garbage of the other side.
  collect();
  await warmUp?.();
  if (takesSeconds) return [await meanMs(call, 1)];
  // A garbage collection leaves a small young generation and discards optimized code without live objects. A
  // long-running program does not have this state, so warm up again.
  await meanMs(call, untimedMs);
  const times: number[] = [];
  // Each time covers several calls, so that it includes the cost of collecting their garbage.
  while (times.length < timesATurn) times.push(await meanMs(call, timedMs));
  return sink === timeCall ? [] : times;
}

/** Returns the average time of a call, repeated for the specified time. */
async function meanMs(call: () => unknown, forMs: number): Promise<number> {
  let calls = 0;
  let ms = 0;
  const start = performance.now();
  // Read the clock in growing intervals, because a call may take less time than that.
  while (ms < forMs) {
    for (const until = 2 * calls + 1; calls < until; calls++) {
      sink = call();
      if (sink instanceof Promise) sink = await sink;
    }
    ms = performance.now() - start;
  }
  return ms / calls;
}

/** Returns the median. For an even number of values, it is the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
