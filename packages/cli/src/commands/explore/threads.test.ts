import { describe, expect, it } from "vitest";
import type { Explorer, ScenarioReport } from "./blocks.ts";
import { getThreads } from "./threads.ts";

const task = { exploration: { seed: 1 }, quirks: "none" } as const;

/** A thread that runs this code for each batch; `port` is its channel to the parent. */
function aThread(does: string) {
  const program = `import { parentPort as port } from "node:worker_threads";
port.on("message", (block) => { ${does} });`;
  return getThreads(`data:text/javascript,${encodeURIComponent(program)}`).start(task);
}

/** Returns the reports of a thread about a block, and whether the block runs to its end. */
async function exploreBlock({ explore }: Explorer, block: number): Promise<readonly unknown[]> {
  const reports: ScenarioReport[] = [];
  const isComplete = await explore(block, (report) => void reports.push(report));
  return [...reports, isComplete];
}

describe("a thread of explore", () => {
  it("a thread runs one block after another, and reports each scenario", async () => {
    const thread = aThread(
      `port.postMessage({ simulated: block }); port.postMessage({ simulated: 1 }); port.postMessage("End");`,
    );
    expect(await exploreBlock(thread, 3)).toEqual([{ simulated: 3 }, { simulated: 1 }, true]);
    expect(await exploreBlock(thread, 4)).toEqual([{ simulated: 4 }, { simulated: 1 }, true]);
    thread.stop();
  });

  it("a thread rejects its current and later blocks with the reason why it ended", async () => {
    const thread = aThread(`throw new Error("no more");`);
    await expect(exploreBlock(thread, 0)).rejects.toThrow("no more");
    await expect(exploreBlock(thread, 1)).rejects.toThrow("no more");
  });

  it("a thread reports its exit code when it ends", async () => {
    await expect(exploreBlock(aThread("process.exit(7);"), 0)).rejects.toThrow(
      "the thread ended with 7",
    );
  });

  it("a stopped thread reports the finished scenarios of a batch and runs no more", async () => {
    const thread = aThread("port.postMessage({ simulated: 1 });");
    const reports: ScenarioReport[] = [];
    const isComplete = await thread.explore(0, (report) => {
      reports.push(report);
      thread.stop();
    });
    expect([reports, isComplete]).toEqual([[{ simulated: 1 }], false]);
    expect(await exploreBlock(thread, 1)).toEqual([false]);
  });
});
