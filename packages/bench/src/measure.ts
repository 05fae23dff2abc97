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
   * Makes what the floor works on, untimed and anew for each round: kept for all rounds, a large input would have
   * the garbage collector walk it while `run` is timed.
   */
  readonly floorInput?: () => unknown;
  /** How often each round calls `run`; for what takes microseconds. Default 1. */
  readonly repeat?: number;
  /** How often each round calls `runFloor`; default 1. */
  readonly repeatFloor?: number;
  /** How many rounds count, for what takes seconds: then there are none before them to warm up. */
  readonly rounds?: number;
}

/** The median of a benchmark, of its floor, and their ratio. */
export interface Measurement {
  readonly size: number;
  readonly ratio: number;
  readonly floor: string;
  /** Milliseconds of one call. */
  readonly ms: number;
  readonly floorMs: number;
}

const usualRounds = 9;
const usualWarmUpRounds = 2;

/**
 * Times a benchmark and its floor in turns, so that whatever else the machine does meets both, and takes the
 * medians of {@link usualRounds} rounds, or of as many as the benchmark says.
 */
export async function measure(benchmark: Benchmark): Promise<Measurement> {
  const { run, runFloor, repeat = 1, repeatFloor = 1 } = benchmark;
  const rounds = benchmark.rounds ?? usualRounds;
  const warmUpRounds = benchmark.rounds === undefined ? usualWarmUpRounds : 0;
  const times: number[] = [];
  const floorTimes: number[] = [];
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const ms = await timed(run, repeat);
    const input = benchmark.floorInput?.();
    const floorMs = await timed(() => runFloor(input), repeatFloor);
    if (round < warmUpRounds) continue;
    times.push(ms);
    floorTimes.push(floorMs);
  }
  const [ms, floorMs] = [median(times), median(floorTimes)];
  return { size: benchmark.size, ratio: ms / floorMs, floor: benchmark.floor, ms, floorMs };
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Results are written here, so that no call can be left out as without effect. */
let sink: unknown;

async function timed(call: () => unknown, repeat: number): Promise<number> {
  // Garbage of the other side is not counted to this one.
  collect();
  // What a collection leaves behind, a small young generation and cold caches, no program meets that keeps running.
  sink = call();
  if (sink instanceof Promise) sink = await sink;
  const start = performance.now();
  for (let time = 0; time < repeat; time++) {
    sink = call();
    if (sink instanceof Promise) sink = await sink;
  }
  const ms = (performance.now() - start) / repeat;
  return sink === timed ? Number.NaN : ms;
}

/** The value in the middle; of an even number the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
