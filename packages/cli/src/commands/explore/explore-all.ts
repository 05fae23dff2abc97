import { setImmediate } from "node:timers/promises";
import { BATCH_SIZE, type FailingScenario } from "@jobset-ts/sim";
import type { Progress } from "../../output/progress.ts";
import { createBlockExplorer, type Explorer, type ScenarioReport, type Task } from "./blocks.ts";
import type { Threads } from "./threads.ts";

/** One of so many equal parts. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Which scenarios are played, and by how many. */
export interface SharedWork {
  readonly runs: number;
  readonly from: number;
  readonly jobs?: number;
  readonly shard?: Shard;
  readonly keepGoing?: boolean;
}

/** What sharing out touches of the world. */
export interface ExplorationWorld {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives the progress. Absent if no terminal shows it. */
  readonly progress?: Progress;
  /** Absent where everything is done on one thread. */
  readonly threads?: Threads;
  /** Comes when the user, or the machine, has had enough. */
  readonly interrupted?: Promise<unknown>;
  /** Hears of each finding at once. */
  readonly onFound?: (found: FailingScenario) => void;
}

/** What came of all blocks together. */
export interface ExplorationOutcome {
  readonly played: number;
  readonly quiet: number;
  readonly states: number;
  /** In the order of the scenarios. */
  readonly found: readonly FailingScenario[];
  /** How many blocks the share has; none where there are more shards than blocks. */
  readonly blocks: number;
  /** Why a thread ended that should not have, and at which scenarios. */
  readonly deaths: readonly string[];
  /** The first scenario of the first block that was not played to its end, and how many there are from it on, where not all were. */
  readonly left?: { readonly from: number; readonly runs: number };
}

/** Shares the blocks out among threads, until all are done, something is found, or the user has had enough. */
export async function exploreAll(
  task: Task,
  share: SharedWork,
  world: ExplorationWorld,
): Promise<ExplorationOutcome> {
  const blocks = splitBlocks(share);
  const { threads, progress, now } = world;
  const count = Math.min(share.jobs ?? threads?.count ?? 1, Math.max(1, blocks.length));
  const explorers = Array.from(
    { length: count },
    () => threads?.start(task) ?? createLocalExplorer(task),
  );
  const states = new Set<string>();
  const done = new Set<number>();
  const foundIn = new Map<number, FailingScenario[]>();
  const broken = new Set<string>();
  const deaths: string[] = [];
  const begun = now();
  let [played, quiet, found, next, end, isOver] = [0, 0, 0, 0, blocks.length, false];
  const stop = () => {
    isOver = true;
    for (const explorer of explorers) explorer.stop();
  };
  world.interrupted?.then(stop);
  const tell = () => {
    const rate = (played * 1000) / Math.max(1, now() - begun);
    const total = blocks.length * BATCH_SIZE;
    const findings = found === 0 ? "" : `, ${found} found`;
    const reached = `${rate.toFixed(1)}/s, ${states.size} states${findings}`;
    const left = formatTimeLeft((total - played) / rate);
    const names = broken.size === 0 ? "" : `: ${[...broken].join(", ")}`;
    progress?.(`${played} of ${total} scenarios, ${reached}, ${left} left${names}`);
  };
  const take = (report: ScenarioReport, block: number) => {
    if (report.found.length > 0)
      foundIn.set(block, [...(foundIn.get(block) ?? []), ...report.found]);
    played += report.played;
    quiet += report.quiet;
    found += report.found.length;
    for (const one of report.found) {
      broken.add(one.violation.law);
      world.onFound?.(one);
    }
    for (const state of report.states) states.add(state);
    tell();
  };
  const work = async (explorer: Explorer) => {
    while (!isOver) {
      const at = next++;
      if (at >= end) return;
      const block = blocks.at(at);
      try {
        const isPlayed = await explorer.explore(block, (report) => take(report, block));
        if (!isPlayed) return;
        done.add(block);
        // Earlier batches are still running and may find something, too. The first finding is reported, whichever batch
        // was faster.
        if (foundIn.has(block) && !share.keepGoing) end = Math.min(end, at);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const [first, last] = [block * BATCH_SIZE, (block + 1) * BATCH_SIZE - 1];
        deaths.push(`a thread ended while it played the scenarios ${first} to ${last}: ${why}`);
        return;
      }
    }
  };
  await Promise.all(explorers.map(work));
  stop();
  let missing: number | undefined;
  for (let at = 0; at < blocks.length && missing === undefined; at++) {
    if (!done.has(blocks.at(at))) missing = blocks.at(at);
  }
  const from = (missing ?? 0) * BATCH_SIZE;
  return {
    played,
    quiet,
    states: states.size,
    found: [...foundIn].sort(([one], [other]) => one - other).flatMap(([, found]) => found),
    blocks: blocks.length,
    deaths,
    ...(missing !== undefined && { left: { from, runs: share.from + share.runs - from } }),
  };
}

/** Without threads, between two blocks others have their turn. */
function createLocalExplorer(task: Task): Explorer {
  const explore = createBlockExplorer(task);
  let isStopped = false;
  return {
    explore: async (block, take) => {
      await setImmediate();
      if (isStopped) return false;
      explore(block, take);
      return true;
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** Numbers of blocks in ascending order. They are not listed, since there may be many millions. */
interface Blocks {
  readonly length: number;
  at(place: number): number;
}

/** The blocks of a shard: whole ones, in their order. */
function splitBlocks({ from, runs, shard = { index: 0, count: 1 } }: SharedWork): Blocks {
  const { index, count } = shard;
  const [begin, end] = [Math.floor(from / BATCH_SIZE), Math.ceil((from + runs) / BATCH_SIZE)];
  const first = begin + ((((index - begin) % count) + count) % count);
  return {
    length: Math.max(0, Math.ceil((end - first) / count)),
    at: (place) => first + place * count,
  };
}

function formatTimeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m`;
  return minutes > 0 ? `${minutes}m${whole % 60}s` : `${whole}s`;
}
