import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Something to measure, and the least that could be done with the same data. */
export interface Benchmark {
  /** How much of it: Jobs, Pods, bytes, as the benchmark's name says. */
  readonly size: number;
  /** A promise is waited for. */
  readonly run: () => unknown;
  /** What the floor is, for the reader of the ratio. */
  readonly floor: string;
  readonly runFloor: (input: unknown) => unknown;
  /**
   * Creates the input of the floor, untimed and again for each round. If all rounds shared a large input, the garbage
   * collector would walk it while `run` is timed.
   */
  readonly floorInput?: () => unknown;
  /**
   * Called before `run` is timed in its turn, where the code is so large that an engine takes seconds to compile it. A
   * promise is waited for.
   */
  readonly warmUp?: () => unknown;
  /** The largest ratio that the design aims for. */
  readonly target?: number;
  /** Takes seconds: each side is called but once, and not before it is timed. */
  readonly takesSeconds?: boolean;
}

/** The median of a benchmark, of its floor, and their ratio. */
export interface Measurement {
  readonly size: number;
  readonly ratio: number;
  readonly floor: string;
  /** Milliseconds of one call. */
  readonly ms: number;
  readonly floorMs: number;
  /** The largest ratio that the design aims for. */
  readonly target?: number;
}

const turns = 3;
const timesATurn = 3;
/** How long either side is called, once at least, before it is timed in its turn, and for each time that is taken. */
const untimedMs = 200;
const timedMs = 50;

/**
 * Times a benchmark and its floor in turns, so that whatever else the machine does meets both, and takes the
 * medians of all times.
 */
export async function measure(benchmark: Benchmark): Promise<Measurement> {
  const { run, warmUp, runFloor, takesSeconds = false } = benchmark;
  const times: number[] = [];
  const floorTimes: number[] = [];
  for (let turn = 0; turn < (takesSeconds ? 1 : turns); turn++) {
    times.push(...(await timed(run, takesSeconds, warmUp)));
    const input = benchmark.floorInput?.();
    floorTimes.push(...(await timed(() => runFloor(input), takesSeconds)));
  }
  const [ms, floorMs] = [median(times), median(floorTimes)];
  const { size, floor, target } = benchmark;
  return { size, ratio: ms / floorMs, floor, ms, floorMs, ...(target !== undefined && { target }) };
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Results are written here, so that no call can be left out as without effect. */
let sink: unknown;

async function timed(
  call: () => unknown,
  takesSeconds: boolean,
  warmUp?: () => unknown,
): Promise<readonly number[]> {
  // Garbage of the other side is not counted to this one.
  collect();
  await warmUp?.();
  if (takesSeconds) return [await meanMs(call, 1)];
  // A collection leaves a small young generation, and none of the code that was compiled for objects of which there is
  // none just then. No program meets that which keeps running.
  await meanMs(call, untimedMs);
  const times: number[] = [];
  // Each over several calls, so that each call pays for the collection of what it leaves behind.
  while (times.length < timesATurn) times.push(await meanMs(call, timedMs));
  return sink === timed ? [] : times;
}

/** What a call takes on average, called over and over for some time. */
async function meanMs(call: () => unknown, forMs: number): Promise<number> {
  let calls = 0;
  let ms = 0;
  const start = performance.now();
  // The clock is read ever more rarely, since a call may take less than that.
  while (ms < forMs) {
    for (const until = 2 * calls + 1; calls < until; calls++) {
      sink = call();
      if (sink instanceof Promise) sink = await sink;
    }
    ms = performance.now() - start;
  }
  return ms / calls;
}

/** The value in the middle; of an even number the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
