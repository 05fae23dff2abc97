import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Explorer, ScenarioReport, Task } from "./blocks.ts";

/** Means to explore on other threads. */
export interface Threads {
  /** How many run at a time without waiting for each other. */
  readonly count: number;
  start(task: Task): Explorer;
}

/**
 * Threads that run this same program.
 *
 * @param program - its own file
 */
export function getThreads(program: string): Threads {
  return { count: availableParallelism(), start: (task) => startThread(program, task) };
}

/** What a thread says: what came of a scenario, or that the block is played to its end. */
export type ThreadMessage = ScenarioReport | "end";

/** Who waits for a block. */
interface PendingBlock {
  readonly take: (report: ScenarioReport) => void;
  readonly resolve: (isPlayed: boolean) => void;
  readonly reject: (why: Error) => void;
}

/** A run makes much that is gone a moment later: a thread with more room for that is faster by a fourteenth. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

function startThread(program: string, task: Task): Explorer {
  const worker = new Worker(new URL(program), { workerData: task, resourceLimits });
  let waiting: PendingBlock | undefined;
  let death: Error | undefined;
  let isStopped = false;
  const die = (error: Error) => {
    death ??= error;
    waiting?.reject(death);
  };
  worker.on("message", (said: ThreadMessage) => {
    if (said === "end") waiting?.resolve(true);
    else waiting?.take(said);
  });
  worker.on("error", die);
  worker.on("exit", (code) => die(new Error(`it ended with ${code}`)));
  return {
    explore: async (block, take) => {
      if (isStopped) return false;
      if (death !== undefined) throw death;
      return new Promise((resolve, reject) => {
        waiting = { take, resolve, reject };
        worker.postMessage(block);
      });
    },
    stop: () => {
      isStopped = true;
      waiting?.resolve(false);
      void worker.terminate();
    },
  };
}
