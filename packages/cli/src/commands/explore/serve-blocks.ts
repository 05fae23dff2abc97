import { parentPort, workerData } from "node:worker_threads";
import { createBlockExplorer, type Task } from "./blocks.ts";
import type { ThreadMessage } from "./threads.ts";

/** What a thread does: a block for each number that it is sent. */
export function serveBlocks(): void {
  const say = (said: ThreadMessage) => parentPort?.postMessage(said);
  const explore = createBlockExplorer(workerData as Task);
  parentPort?.on("message", (block: number) => {
    explore(block, say);
    say("end");
  });
}
