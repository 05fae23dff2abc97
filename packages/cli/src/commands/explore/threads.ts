import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Explorer, ScenarioReport, Task } from "./blocks.ts";

/** Creates threads that explore. */
export interface Threads {
  /** The number of threads that run in parallel. */
  readonly count: number;
  start(task: Task): Explorer;
}

/**
 * Returns threads that run this program.
 *
 * @param program - the file of the program
 */
export function getThreads(program: string): Threads {
  return { count: availableParallelism(), start: (task) => startThread(program, task) };
}

/** A message of a thread: the report of a scenario, or the end of the block. */
export type ThreadMessage = ScenarioReport | "End";

/** The pending promise of a block. */
interface PendingBlock {
  readonly onReport: (report: ScenarioReport) => void;
  readonly resolve: (isComplete: boolean) => void;
  readonly reject: (why: Error) => void;
}

/** A run creates many short-lived objects, so a larger young generation makes a thread 7 % faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

function startThread(program: string, task: Task): Explorer {
  const worker = new Worker(new URL(program), { workerData: task, resourceLimits });
  let pending: PendingBlock | undefined;
  let failure: Error | undefined;
  let isStopped = false;
  const fail = (error: Error) => {
    failure ??= error;
    pending?.reject(failure);
  };
  worker.on("message", (message: ThreadMessage) => {
    if (message === "End") pending?.resolve(true);
    else pending?.onReport(message);
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`the thread ended with ${code}`)));
  return {
    explore: async (block, onReport) => {
      if (isStopped) return false;
      if (failure !== undefined) throw failure;
      return new Promise((resolve, reject) => {
        pending = { onReport, resolve, reject };
        worker.postMessage(block);
      });
    },
    stop: () => {
      isStopped = true;
      pending?.resolve(false);
      void worker.terminate();
    },
  };
}
