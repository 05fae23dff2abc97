import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sleep } from "./sleep.ts";
import { type ReconcileResult, WorkQueue } from "./work-queue.ts";

const done: ReconcileResult = { outcome: "Done" };
const tryAgain: ReconcileResult = { outcome: "Retry" };
const oneLane = { newKeys: 1, updates: 1 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose reconciles finish on demand. */
class ReconcileCalls {
  readonly started: string[] = [];
  readonly queue: WorkQueue;
  readonly #ends = new Map<string, (reconciled: ReconcileResult) => void>();

  constructor(workers = 2) {
    const reconcileKey = (key: string) => {
      expect(this.#ends.has(key), "one look at a key at a time").toBe(false);
      this.started.push(key);
      return new Promise<ReconcileResult>((resolve) => this.#ends.set(key, resolve));
    };
    this.queue = new WorkQueue(reconcileKey, { newKeys: 1, updates: workers }, () => {});
  }

  get underWay(): readonly string[] {
    return [...this.#ends.keys()];
  }

  async end(key: string, reconciled: ReconcileResult = done): Promise<void> {
    const resolve = this.#ends.get(key);
    this.#ends.delete(key);
    resolve?.(reconciled);
    await waitUntilIdle();
  }
}

/** Waits until all reconciles that can start have started. */
async function waitUntilIdle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe("adding keys", () => {
  it("a key that is added several times before its reconcile is reconciled once", async () => {
    const { queue, started: begun } = new ReconcileCalls();
    for (const key of ["a", "a", "a"]) queue.add(key);
    expect(queue.depth).toBe(1);
    queue.start();
    await waitUntilIdle();
    expect(begun).toEqual(["a"]);
  });

  it("a key that is added during its reconcile is reconciled once more afterwards", async () => {
    const reconciles = new ReconcileCalls();
    reconciles.queue.start();
    reconciles.queue.add("a");
    await waitUntilIdle();
    for (const key of ["a", "a"]) reconciles.queue.add(key);
    await waitUntilIdle();
    expect(reconciles.started).toEqual(["a"]);
    await reconciles.end("a");
    expect(reconciles.started).toEqual(["a", "a"]);
    await reconciles.end("a");
    expect(reconciles.started).toEqual(["a", "a"]);
  });

  it("a reconcile may add its own key at any time", async () => {
    const seen: string[] = [];
    const queue: WorkQueue = new WorkQueue(
      async (key) => {
        seen.push("begins");
        if (seen.length < 5) queue.add(key);
        await null;
        seen.push("ends");
        return done;
      },
      oneLane,
      () => {},
    );
    queue.start();
    queue.add("a");
    await waitUntilIdle();
    expect(seen).toEqual(["begins", "ends", "begins", "ends", "begins", "ends"]);
  });

  it("a key waits for a free worker", async () => {
    const reconciles = new ReconcileCalls(2);
    reconciles.queue.start();
    for (const key of ["a", "b", "c"]) reconciles.queue.add(key);
    await waitUntilIdle();
    expect(reconciles.started).toEqual(["a", "b"]);
    expect(reconciles.queue.depth).toBe(1);
    await reconciles.end("b");
    expect(reconciles.started).toEqual(["a", "b", "c"]);
  });

  it("a key is reconciled after its requeue delay, or earlier if it is added", async () => {
    const reconciles = new ReconcileCalls();
    reconciles.queue.start();
    reconciles.queue.add("a");
    await waitUntilIdle();
    await reconciles.end("a", { outcome: "Done", requeueAfterSeconds: 1.5 });
    await vi.advanceTimersByTimeAsync(1499);
    expect(reconciles.started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reconciles.started).toHaveLength(2);

    await reconciles.end("a", { outcome: "Done", requeueAfterSeconds: 10 });
    reconciles.queue.add("a");
    await waitUntilIdle();
    await reconciles.end("a");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reconciles.started).toHaveLength(3); // The requeue has happened.
  });

  it("WorkQueue does not reconcile early if the delay exceeds the maximum of a timer", async () => {
    const reconciles = new ReconcileCalls();
    reconciles.queue.start();
    reconciles.queue.add("a");
    await waitUntilIdle();
    await reconciles.end("a", { outcome: "Done", requeueAfterSeconds: 1e9 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reconciles.started).toHaveLength(1);
  });
});

describe("retries", () => {
  /** Returns the delays before the retries, in milliseconds. */
  async function recordPauses(
    look: () => Promise<ReconcileResult>,
    count: number,
  ): Promise<readonly number[]> {
    const times: number[] = [];
    const queue = new WorkQueue(
      () => {
        times.push(Date.now());
        return look();
      },
      oneLane,
      () => {},
    );
    queue.start();
    queue.add("a");
    while (times.length <= count) await vi.advanceTimersToNextTimerAsync();
    await queue.stop();
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }

  it("a failed reconcile is retried after 5 ms, then after twice as long each time, at most 1000 s", async () => {
    const pauses = await recordPauses(async () => tryAgain, 20);
    const expected = Array.from({ length: 18 }, (_, n) => 5 * 2 ** n);
    expect(pauses).toEqual([...expected, 1_000_000, 1_000_000]);
  });

  it("the retry delay starts at 5 ms again after a success", async () => {
    const results = [tryAgain, tryAgain, { outcome: "Done", requeueAfterSeconds: 1 } as const];
    const pauses = await recordPauses(async () => results.shift() ?? tryAgain, 5);
    expect(pauses).toEqual([5, 10, 1000, 5, 10]);
  });

  it("a reconcile gets the number of preceding failures", async () => {
    const failures: number[] = [];
    const results = [tryAgain, tryAgain, { outcome: "Done", requeueAfterSeconds: 1 } as const];
    const reconcileOnce = async (_: string, before: number) => {
      failures.push(before);
      return results.shift() ?? done;
    };
    const queue = new WorkQueue(reconcileOnce, oneLane, () => {});
    queue.start();
    queue.add("a");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(failures).toEqual([0, 1, 2, 0]);
  });

  it("a reconcile that throws counts as failed, and onThrown is called", async () => {
    const reports: unknown[] = [];
    const error = new Error("a bug");
    const results = [() => Promise.reject(error), async () => done];
    const queue = new WorkQueue(
      () => results.shift()?.() ?? Promise.resolve(done),
      oneLane,
      (...why) => reports.push(why),
    );
    queue.start();
    queue.add("a");
    await vi.advanceTimersByTimeAsync(5);
    expect(results).toEqual([]);
    expect(reports).toEqual([["a", error]]);
  });
});

describe("pauses between reconciles", () => {
  /**
   * Starts reconciles that take some milliseconds on the fake clock. The last duration repeats. Returns the start
   * times.
   */
  function createTimedReconcile(
    reconciles: readonly (readonly [milliseconds: number, looked: ReconcileResult])[],
    rest?: ConstructorParameters<typeof WorkQueue>[3],
  ) {
    const startTimes: number[] = [];
    const queue = new WorkQueue(
      async () => {
        const [took = 0, reconciled = done] =
          reconciles[startTimes.length] ?? reconciles.at(-1) ?? [];
        startTimes.push(performance.now());
        await sleep(took);
        return reconciled;
      },
      oneLane,
      () => {},
      rest,
    );
    queue.start();
    return { queue, begun: startTimes };
  }

  function createTimedQueue(...times: readonly number[]) {
    const reconciles = times.map((took) => [took, done] as const);
    return createTimedReconcile(reconciles, { factor: 2, maxFactor: 8, maxMs: 100 });
  }

  it("the pause after a reconcile is twice its duration, and keys added in the pause cause one reconcile", async () => {
    const { queue, begun } = createTimedQueue(10);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(10);
    for (let change = 0; change < 19; change += 1) {
      queue.add("a");
      await vi.advanceTimersByTimeAsync(1);
    }
    expect([begun, queue.depth]).toEqual([[0], 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([begun, queue.depth]).toEqual([[0, 30], 0]);
  });

  it("a key that is added after its pause is reconciled at once", async () => {
    const { queue, begun } = createTimedQueue(10);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(30);
    queue.add("a");
    await waitUntilIdle();
    expect(begun).toEqual([0, 30]);
  });

  it("the pause grows with each reconcile up to a limit, and starts again after idle time", async () => {
    const { queue, begun } = createTimedQueue(10);
    /** Returns the pauses between reconciles while changes continue. */
    const measurePauses = async (count: number) => {
      const from = begun.length;
      while (begun.length <= from + count) {
        queue.add("a");
        await vi.advanceTimersByTimeAsync(1);
      }
      return begun.slice(from + 1).map((time, index) => time - (begun[from + index] ?? 0) - 10);
    };
    expect(await measurePauses(5)).toEqual([20, 40, 80, 80, 80]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await measurePauses(1)).toEqual([20]);
  });

  it("the pause has an upper bound for any duration of a reconcile", async () => {
    const { queue, begun } = createTimedQueue(5_000, 0);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(5_000);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([0, 5_100]);
  });

  it("the pause of one key does not delay other keys", async () => {
    const { queue, begun } = createTimedQueue(10);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(10);
    queue.add("a");
    queue.add("b");
    await waitUntilIdle();
    expect(begun).toEqual([0, 10]);
  });

  it("a requeue delay ends on time although the key is paused", async () => {
    const reconciled: ReconcileResult = { outcome: "Done", requeueAfterSeconds: 0.01 };
    const { queue, begun } = createTimedReconcile([[40, reconciled]]);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(50);
    expect(begun).toEqual([0, 50]);
  });

  it("a failed reconcile has no pause, unless the server asks to wait", async () => {
    const { queue, begun } = createTimedReconcile([
      [1_000, tryAgain],
      [1_000, { ...tryAgain, retryAfterSeconds: 3 }],
      [1_000, done],
    ]);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(2_005);
    expect(begun).toEqual([0, 1_005]);
    queue.add("a");
    await vi.advanceTimersByTimeAsync(2_999);
    expect(begun).toEqual([0, 1_005]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([0, 1_005, 5_005]);
    expect(queue.depth).toBe(0);
  });
});

describe("workers for new keys", () => {
  /** Reconciles that last until they are released, with two workers for new keys and one for updates. */
  function createBlockingQueue() {
    const ends = new Map<string, () => void>();
    const reconcileOnce = (key: string) =>
      new Promise<ReconcileResult>((resolve) => {
        ends.set(key, () => resolve(done));
      });
    const queue = new WorkQueue(reconcileOnce, { newKeys: 2, updates: 1 }, () => {});
    queue.start();
    return { queue, ends, underWay: () => [...ends.keys()] };
  }

  it("new keys do not wait for updates, and updates do not wait for new keys", async () => {
    const { queue, underWay } = createBlockingQueue();
    for (const key of ["a", "b"]) queue.add(key);
    for (const key of ["x", "y", "z"]) queue.add(key, true);
    await waitUntilIdle();
    expect(underWay()).toEqual(["a", "x", "y"]);
    expect(queue.depth).toBe(2);
  });

  it("a key counts as new only for its first reconcile", async () => {
    const { queue, ends, underWay } = createBlockingQueue();
    queue.add("a");
    queue.add("x", true);
    await waitUntilIdle();
    queue.add("x", true);
    queue.add("x");
    ends.get("x")?.();
    ends.delete("x");
    await waitUntilIdle();
    expect(underWay()).toEqual(["a", "x"]);
    expect(queue.depth).toBe(0);
  });

  it("a new key waits no longer for a reconcile that takes two seconds", async () => {
    const { queue, ends, underWay } = createBlockingQueue();
    for (const key of ["a", "b"]) queue.add(key);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(underWay()).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(underWay()).toEqual(["a", "b"]);
    for (const end of ends.values()) end();
    await waitUntilIdle();
    await queue.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("updates get one more worker per hundred waiting keys, up to the number for new keys", async () => {
    const ends: (() => void)[] = [];
    const reconcileOnce = () =>
      new Promise<ReconcileResult>((resolve) => ends.push(() => resolve(done)));
    const queue = new WorkQueue(reconcileOnce, { newKeys: 3, updates: 1 }, () => {});
    queue.start();
    const lanes: number[] = [];
    for (let index = 0; index <= 500; index += 1) {
      queue.add(`${index}`);
      await waitUntilIdle();
      if (index % 100 === 0) lanes.push(ends.length);
    }
    expect(lanes).toEqual([1, 2, 2, 3, 3, 3]);
    for (const end of ends) end();
    await queue.stop();
  });

  it("a new key waits if too many reconciles are slow", async () => {
    const { queue, underWay } = createBlockingQueue();
    for (let index = 0; index < 40; index += 1) queue.add(`slow-${index}`);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(underWay()).toHaveLength(32);
    queue.add("new", true);
    await waitUntilIdle();
    expect(underWay()).toHaveLength(32);
  });
});

describe("stop", () => {
  it("stop waits for running reconciles and starts no new ones", async () => {
    const reconciles = new ReconcileCalls(1);
    reconciles.queue.start();
    for (const key of ["a", "b"]) reconciles.queue.add(key);
    await waitUntilIdle();
    let hasEnded = false;
    const ended = reconciles.queue.stop().then(() => {
      hasEnded = true;
    });
    await waitUntilIdle();
    expect(hasEnded).toBe(false);
    await reconciles.end("a", tryAgain);
    await ended;
    reconciles.queue.add("c");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reconciles.started).toEqual(["a"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("any sequence of events", () => {
  const keys = fc.constantFrom("a", "b", "c", "d");
  const results = fc.constantFrom(done, tryAgain, { ...done, requeueAfterSeconds: 0.02 });
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: keys }),
      fc.record({ end: fc.nat(), looked: results }),
      fc.record({ afterMs: fc.integer({ min: 1, max: 40 }) }),
    ),
    { maxLength: 40 },
  );

  it("each added key is reconciled, one at a time per key, with a bounded number of workers", async () => {
    const property = fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 3 }),
      async (all, workers) => {
        const reconciles = new ReconcileCalls(workers);
        reconciles.queue.start();
        const owed = new Set<string>();
        const recordStart = (from: number) => {
          for (const key of reconciles.started.slice(from)) owed.delete(key);
        };
        for (const step of all) {
          const from = reconciles.started.length;
          if ("add" in step) {
            owed.add(step.add);
            reconciles.queue.add(step.add);
            await waitUntilIdle();
          } else if ("end" in step) {
            const key = reconciles.underWay[step.end % Math.max(reconciles.underWay.length, 1)];
            if (key !== undefined) await reconciles.end(key, step.looked);
          } else {
            await vi.advanceTimersByTimeAsync(step.afterMs);
          }
          recordStart(from);
          expect(reconciles.underWay.length).toBeLessThanOrEqual(workers);
        }
        // Repeat until no reconcile runs and no key is paused.
        do {
          const from = reconciles.started.length;
          for (const key of reconciles.underWay) await reconciles.end(key);
          await vi.advanceTimersByTimeAsync(1_000);
          recordStart(from);
        } while (reconciles.underWay.length > 0);
        expect([...owed]).toEqual([]);
        expect(reconciles.queue.depth).toBe(0);
        await reconciles.queue.stop();
      },
    );
    await fc.assert(property);
  });
});
