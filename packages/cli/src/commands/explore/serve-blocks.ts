import { parentPort, workerData } from "node:worker_threads";
import { createBlockExplorer, type Task } from "./blocks.ts";
import type { ThreadMessage } from "./threads.ts";

/** Runs a block for each number that the thread receives. */
export function serveBlocks(): void {
  const send = (message: ThreadMessage) => parentPort?.postMessage(message);
  const explore = createBlockExplorer(workerData as Task);
  parentPort?.on("message", (block: number) => {
    explore(block, send);
    send("End");
  });
}
