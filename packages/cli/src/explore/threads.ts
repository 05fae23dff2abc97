import { availableParallelism } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { type BlockReport, blockExplorer, type Explorer, type Task } from "./blocks.ts";

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
export function threadsOf(program: string): Threads {
  return { count: availableParallelism(), start: (task) => startThread(program, task) };
}

function startThread(program: string, task: Task): Explorer {
  const worker = new Worker(new URL(program), { workerData: task });
  const failed = new Promise<never>((_, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
  });
  failed.catch(() => {}); // it is told to whoever waits for a block
  return {
    explore: (block) => {
      const answered = new Promise<BlockReport>((resolve) => worker.once("message", resolve));
      worker.postMessage(block);
      return Promise.race([answered, failed]);
    },
    stop: () => void worker.terminate(),
  };
}

/** What a thread does: a block for each number that it is sent. */
export function serveBlocks(): void {
  const explore = blockExplorer(workerData as Task);
  parentPort?.on("message", (block: number) => parentPort?.postMessage(explore(block)));
}
