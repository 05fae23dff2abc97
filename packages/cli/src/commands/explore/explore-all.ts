import { setImmediate } from "node:timers/promises";
import { BATCH_SIZE, type FailingScenario } from "@jobset-ts/sim";
import type { Progress } from "../../output/progress.ts";
import { createBlockExplorer, type Explorer, type ScenarioReport, type Task } from "./blocks.ts";
import type { Threads } from "./threads.ts";

/** One of several equal parts of an exploration. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The scenarios to run, and the number of threads. */
export interface SharedWork {
  readonly runs: number;
  readonly from: number;
  readonly jobs?: number;
  readonly shard?: Shard;
  readonly keepGoing?: boolean;
}

/** The dependencies of an exploration. */
export interface ExplorationEnvironment {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives the progress. Absent if no terminal shows it. */
  readonly progress?: Progress;
  /** Absent if all work runs on the current thread. */
  readonly threads?: Threads;
  /** Resolves when the user or the system interrupts the exploration. */
  readonly interrupted?: Promise<unknown>;
  /** Called with each finding at once. */
  readonly onFound?: (found: FailingScenario) => void;
}

/** The combined result of all blocks. */
export interface ExplorationOutcome {
  readonly simulated: number;
  readonly idle: number;
  readonly states: number;
  /** The findings, in the order of the scenarios. */
  readonly failures: readonly FailingScenario[];
  /** The number of blocks of the shard. 0 if there are more shards than blocks. */
  readonly blocks: number;
  /** The errors of threads that ended unexpectedly, with their scenarios. */
  readonly threadErrors: readonly string[];
  /**
   * Set if blocks are missing: the first scenario of the first unfinished block, and the number of scenarios from that
   * one on.
   */
  readonly left?: { readonly from: number; readonly runs: number };
}

/**
 * Distributes the blocks among threads until all blocks have run, a finding stops the search, or the user interrupts
 * it.
 */
export async function exploreAll(
  task: Task,
  share: SharedWork,
  world: ExplorationEnvironment,
): Promise<ExplorationOutcome> {
  const blocks = splitBlocks(share);
  const { threads, progress, now } = world;
  const count = Math.min(share.jobs ?? threads?.count ?? 1, Math.max(1, blocks.length));
  const explorers = Array.from(
    { length: count },
    () => threads?.start(task) ?? createLocalExplorer(task),
  );
  const results = new ExplorationResults();
  const done = new Set<number>();
  const threadErrors: string[] = [];
  const startedAt = now();
  let [next, end, isOver] = [0, blocks.length, false];
  const stop = () => {
    isOver = true;
    for (const explorer of explorers) explorer.stop();
  };
  world.interrupted?.then(stop);
  const addReport = (report: ScenarioReport, block: number) => {
    results.add(report, block);
    for (const one of report.failures) world.onFound?.(one);
    progress?.(results.formatProgress(blocks.length * BATCH_SIZE, now() - startedAt));
  };
  const work = async (explorer: Explorer) => {
    while (!isOver) {
      const at = next++;
      if (at >= end) return;
      const block = blocks.at(at);
      try {
        const isComplete = await explorer.explore(block, (report) => addReport(report, block));
        if (!isComplete) return;
        done.add(block);
        // Earlier blocks are still running and may also have a finding. The first one in the order of scenarios is
        // reported.
        if (results.hasFinding(block) && !share.keepGoing) end = Math.min(end, at);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const [first, last] = [block * BATCH_SIZE, (block + 1) * BATCH_SIZE - 1];
        threadErrors.push(`a thread ended during the scenarios ${first} to ${last}: ${why}`);
        return;
      }
    }
  };
  await Promise.all(explorers.map(work));
  stop();
  const missing = Array.from({ length: blocks.length }, (_, at) => blocks.at(at)).find(
    (block) => !done.has(block),
  );
  const from = (missing ?? 0) * BATCH_SIZE;
  return {
    ...results.summarize(),
    blocks: blocks.length,
    threadErrors,
    ...(missing !== undefined && { left: { from, runs: share.from + share.runs - from } }),
  };
}

/** The results of the scenarios that have run. */
class ExplorationResults {
  readonly #states = new Set<string>();
  readonly #violated = new Set<string>();
  readonly #foundIn = new Map<number, FailingScenario[]>();
  #simulated = 0;
  #idle = 0;

  add({ simulated, idle, failures, states }: ScenarioReport, block: number): void {
    this.#simulated += simulated;
    this.#idle += idle;
    if (failures.length > 0)
      this.#foundIn.set(block, [...(this.#foundIn.get(block) ?? []), ...failures]);
    for (const { violation } of failures) this.#violated.add(violation.law);
    for (const state of states) this.#states.add(state);
  }

  hasFinding(block: number): boolean {
    return this.#foundIn.has(block);
  }

  /** Returns the results. Findings are in the order of the scenarios. */
  summarize(): Pick<ExplorationOutcome, "simulated" | "idle" | "states" | "failures"> {
    const found = [...this.#foundIn].sort(([one], [other]) => one - other);
    return {
      simulated: this.#simulated,
      idle: this.#idle,
      states: this.#states.size,
      failures: found.flatMap(([, ofBlock]) => ofBlock),
    };
  }

  formatProgress(total: number, elapsedMs: number): string {
    const { simulated, states, failures } = this.summarize();
    const rate = (simulated * 1000) / Math.max(1, elapsedMs);
    const findings = failures.length === 0 ? "" : `, ${failures.length} found`;
    const reached = `${rate.toFixed(1)}/s, ${states} states${findings}`;
    const left = formatTimeLeft((total - simulated) / rate);
    const names = this.#violated.size === 0 ? "" : `: ${[...this.#violated].join(", ")}`;
    return `${simulated} of ${total} scenarios, ${reached}, ${left} left${names}`;
  }
}

/** Runs blocks on the current thread, and yields to the event loop between them. */
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

/** The indexes of blocks in ascending order. They are not listed, because there may be many millions. */
interface Blocks {
  readonly length: number;
  at(place: number): number;
}

/** Returns the blocks of a shard, in order. */
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
