import { parentPort, workerData } from "node:worker_threads";
import { blockExplorer, type Task } from "./blocks.ts";
import type { Said } from "./threads.ts";

/** What a thread does: a block for each number that it is sent. */
export function serveBlocks(): void {
  const say = (said: Said) => parentPort?.postMessage(said);
  const explore = blockExplorer(workerData as Task);
  parentPort?.on("message", (block: number) => {
    explore(block, say);
    say("end");
  });
}
