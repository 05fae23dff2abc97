import { describe, expect, it } from "vitest";
import type { Explorer, ScenarioReport, Task } from "./blocks.ts";
import { type ExplorationEnvironment, exploreAll } from "./explore-all.ts";

const task: Task = { exploration: { seed: 1 }, quirks: "none" };
const share = { runs: 500, from: 0 };
/** The report of a whole block, to keep tests short. */
const report: ScenarioReport = { simulated: 50, idle: 49, states: ["a", "b"], failures: [] };

/** Creates a command environment with this many threads, each of which responds as `explore` does. */
function createExplorationEnvironment(
  count: number,
  explore: (block: number, thread: number) => ScenarioReport | Promise<ScenarioReport>,
  others: Partial<ExplorationEnvironment> = {},
): ExplorationEnvironment {
  let started = 0;
  const start = (): Explorer => {
    const thread = started++;
    return {
      explore: async (block, take) => {
        take(await explore(block, thread));
        return true;
      },
      stop: () => {},
    };
  };
  return { now: () => 0, threads: { count, start }, ...others };
}

describe("exploreAll", () => {
  it("exploreAll runs each block once, on any free thread", async () => {
    const explored: number[] = [];
    const world = createExplorationEnvironment(3, (block) => {
      explored.push(block);
      return report;
    });
    const reached = await exploreAll(task, share, world);
    expect(explored.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(reached).toEqual({
      simulated: 500,
      idle: 490,
      states: 2,
      failures: [],
      blocks: 10,
      threadErrors: [],
    });
  });

  it("exploreAll lists no blocks, however many runs there are", async () => {
    const explored: number[] = [];
    const world = createExplorationEnvironment(2, (block) => {
      explored.push(block);
      return report;
    });
    const shard = { index: 7, count: 2 ** 43 };
    const { blocks, left } = await exploreAll(
      task,
      { runs: 50 * 2 ** 44, from: 100, shard },
      world,
    );
    expect(explored).toEqual([7, 2 ** 43 + 7]);
    expect([blocks, left]).toEqual([2, undefined]);
    const last = { runs: 50, from: 100, shard: { index: 1, count: 2 } };
    expect((await exploreAll(task, last, world)).blocks).toBe(0);
  });

  it("exploreAll reports the progress and the remaining time after each block", async () => {
    const messages: string[] = [];
    let now = 0;
    const explore = () => {
      now += 20_000;
      return report;
    };
    const progress = (text: string) => void messages.push(text);
    await exploreAll(task, share, {
      ...createExplorationEnvironment(1, explore),
      now: () => now,
      progress,
    });
    expect(messages).toHaveLength(10);
    expect(messages[2]).toBe("150 of 500 scenarios, 2.5/s, 2 states, 2m20s left");
  });

  it("explore prints violations while it continues", async () => {
    const messages: string[] = [];
    const scenario = { seed: 1, objects: [], workload: [], actions: [], faults: [], endsAt: 0 };
    const world = createExplorationEnvironment(1, (block) => {
      const violation = { law: block < 2 ? "aIsB" : "bIsC", sentence: "", at: 0, message: "" };
      return { ...report, failures: block < 3 ? [{ scenario, violation }] : [] };
    });
    const progress = (text: string) => void messages.push(text);
    await exploreAll(task, { ...share, keepGoing: true }, { ...world, progress });
    expect(messages.map((text) => / found.* left(.*)$/.exec(text)?.[1])).toEqual([
      ": aIsB",
      ": aIsB",
      ...Array(8).fill(": aIsB, bIsC"),
    ]);
  });

  it("exploreAll finishes the blocks before a finding, and starts none after it", async () => {
    let continueExploration: (report: ScenarioReport) => void = () => {};
    const slow = new Promise<ScenarioReport>((resolve) => {
      continueExploration = resolve;
    });
    const scenario = { seed: 1, objects: [], workload: [], actions: [], faults: [], endsAt: 0 };
    const createReportWithFinding = (law: string): ScenarioReport => ({
      ...report,
      failures: [{ scenario, violation: { law, sentence: "", at: 0, message: "" } }],
    });
    const explored: number[] = [];
    const explore = async (block: number) => {
      explored.push(block);
      if (block === 0) return slow;
      if (block === 1) continueExploration(createReportWithFinding("first"));
      return createReportWithFinding("second");
    };
    const { failures, left } = await exploreAll(
      task,
      share,
      createExplorationEnvironment(2, explore),
    );
    expect(failures.map(({ violation }) => violation.law)).toEqual(["first", "second"]);
    expect([explored, left?.from]).toEqual([[0, 1], 100]);
  });

  it("exploreAll reports a thread that dies, continues the others, and reports where to continue", async () => {
    const world = createExplorationEnvironment(2, (block) => {
      if (block === 3) throw new Error("out of memory");
      return report;
    });
    const { simulated, threadErrors, left } = await exploreAll(task, share, world);
    expect(simulated).toBe(450);
    expect(threadErrors).toEqual(["a thread ended during the scenarios 150 to 199: out of memory"]);
    expect(left).toEqual({ from: 150, runs: 350 });
  });

  it("exploreAll returns partial results if the user interrupts it", async () => {
    let interrupt = () => {};
    const interrupted = new Promise<void>((resolve) => {
      interrupt = resolve;
    });
    const world = createExplorationEnvironment(
      1,
      (block) => {
        if (block === 4) interrupt();
        return report;
      },
      { interrupted },
    );
    const { simulated, left } = await exploreAll(task, share, world);
    expect(simulated).toBe(250);
    expect(left).toEqual({ from: 250, runs: 250 });
  });

  it("explore keeps the findings of an interrupted batch, and repeats the batch when it continues", async () => {
    const scenario = { seed: 1, objects: [], workload: [], actions: [], faults: [], endsAt: 0 };
    const violation = { law: "aIsB", sentence: "", at: 0, message: "" };
    let interrupt = () => {};
    const interrupted = new Promise<void>((resolve) => {
      interrupt = resolve;
    });
    let end: (isComplete: boolean) => void = () => {};
    const thread: Explorer = {
      explore: async (block, take) => {
        if (block === 0) {
          take(report);
          return true;
        }
        take({ simulated: 1, idle: 1, states: ["c"], failures: [{ scenario, violation }] });
        interrupt();
        return new Promise((resolve) => {
          end = resolve;
        });
      },
      stop: () => end(false),
    };
    const world = { now: () => 0, threads: { count: 1, start: () => thread }, interrupted };
    expect(await exploreAll(task, share, world)).toEqual({
      simulated: 51,
      idle: 50,
      states: 3,
      failures: [{ scenario, violation }],
      blocks: 10,
      threadErrors: [],
      left: { from: 50, runs: 450 },
    });
  });
});
