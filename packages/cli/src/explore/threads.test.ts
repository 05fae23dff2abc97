import { describe, expect, it } from "vitest";
import { threadsOf } from "./threads.ts";

const task = { exploration: { seed: 1 }, quirks: "none" } as const;

/** A thread that does this with each block, `port` being its way to whoever asks. */
function aThread(does: string) {
  const program = `import { parentPort as port } from "node:worker_threads";
port.on("message", (block) => { ${does} });`;
  return threadsOf(`data:text/javascript,${encodeURIComponent(program)}`).start(task);
}

describe("a thread", () => {
  it("explores one block after the other", async () => {
    const { explore, stop } = aThread("port.postMessage({ played: block });");
    expect([await explore(3), await explore(4)]).toEqual([{ played: 3 }, { played: 4 }]);
    stop();
  });

  it("says why it ended, for the block that was under way and for those after it", async () => {
    const { explore } = aThread(`throw new Error("no more");`);
    await expect(explore(0)).rejects.toThrow("no more");
    await expect(explore(1)).rejects.toThrow("no more");
  });

  it("says with which code it ended", async () => {
    const { explore } = aThread("process.exit(7);");
    await expect(explore(0)).rejects.toThrow("it ended with 7");
  });

  it("answers nothing once it is stopped", async () => {
    const { explore, stop } = aThread("");
    const underWay = explore(0);
    stop();
    expect([await underWay, await explore(1)]).toEqual([undefined, undefined]);
  });
});
