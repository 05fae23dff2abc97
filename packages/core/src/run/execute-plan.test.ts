import { describe, expect, it } from "vitest";
import type { EffectResult } from "../plan/effects.ts";
import type { PlannedEvent } from "../plan/plan.ts";
import { aPlan, aStep, creates, describeRequest } from "../testing/a-plan.ts";
import { executePlan, type PlanHandlers } from "./execute-plan.ts";
import type { RunRequest } from "./plan-execution.ts";

const names = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`);
const event = { type: "Normal", reason: "R", message: "m" } as const;

/** A performer that responds to each request after its own delay, and the requests that it received. */
function performer(respond: (request: string) => Promise<EffectResult> | EffectResult) {
  const seen = { sent: [] as string[], emitted: [] as PlannedEvent[], underWay: 0, most: 0 };
  const perform = async (request: RunRequest) => {
    seen.sent.push(describeRequest(request));
    seen.underWay += 1;
    seen.most = Math.max(seen.most, seen.underWay);
    try {
      return await respond(describeRequest(request));
    } finally {
      seen.underWay -= 1;
    }
  };
  const emit = (emitted: PlannedEvent) => void seen.emitted.push(emitted);
  return { seen, performer: { perform, emit } satisfies PlanHandlers };
}

const done: EffectResult = { ok: true };
const ticks = async (count: number) => {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
};

describe("executePlan", () => {
  it("executePlan runs the steps and the status write, and leaves the rest to the caller", async () => {
    const plan = aPlan([aStep([creates("a")]), aStep([creates("b")])], {
      status: { restarts: 1 },
      events: [event],
      requeueAfterSeconds: 3,
    });
    const { seen, performer: io } = performer(() => done);
    expect(await executePlan(plan, io)).toEqual({
      ok: true,
      events: [event],
      metrics: [],
      requeueAfterSeconds: 3,
    });
    expect(seen.sent).toEqual(["create a", "create b", "updateStatus train"]);
    expect(seen.emitted).toEqual([]);
  });

  it("executePlan never exceeds the concurrency of a step", async () => {
    const effects = names(200).map((name) => creates(name));
    const { seen, performer: io } = performer(async (request) => {
      // Some responses overtake others.
      await ticks((Number(request.slice("create j".length)) * 7) % 13);
      return done;
    });
    await executePlan(aPlan([aStep(effects, { concurrency: 50 })]), io);
    expect(seen.most).toBe(50);
    expect(seen.sent).toHaveLength(200);
  });

  it("executePlan treats a rejected promise as a connection error", async () => {
    for (const thrown of [new Error("reset by peer"), "reset by peer"]) {
      const step = aStep([creates("a")], { failureEventReason: "JobCreationFailed" });
      const emitted: PlannedEvent[] = [];
      const emit = (one: PlannedEvent) => void emitted.push(one);
      const later = async () => {
        await ticks(3);
        throw thrown;
      };
      const atOnce = () => {
        throw thrown;
      };
      for (const perform of [later, atOnce]) {
        expect(await executePlan(aPlan([step]), { perform, emit })).toEqual({
          ok: false,
          phase: "create-jobs",
          message: "reset by peer",
          conflict: false,
          metrics: [],
        });
      }
      expect(emitted.map(({ message }) => message)).toEqual(["reset by peer", "reset by peer"]);
    }
  });

  it("executePlan waits for requests in flight before it returns", async () => {
    const { seen, performer: io } = performer(async (request) => {
      if (request === "create a") throw new Error("no");
      await ticks(20);
      return done;
    });
    const step = aStep([creates("a"), creates("b"), creates("c")], { concurrency: 2 });
    expect(await executePlan(aPlan([step]), io)).toMatchObject({ ok: false, message: "no" });
    expect(seen).toMatchObject({ sent: ["create a", "create b"], underWay: 0 });
  });

  it("executePlan accepts the caller's decision that an existing Job is the intended one", async () => {
    const { performer: io } = performer(async (request) =>
      request === "create a" ? { ok: true, object: creates("a").object } : done,
    );
    const plan = aPlan([aStep([creates("a"), creates("b")])]);
    expect(await executePlan(plan, io)).toMatchObject({ ok: true });
  });

  it("executePlan works without an emit handler", async () => {
    const step = aStep([creates("a")], { failureEventReason: "JobCreationFailed" });
    const perform = async () => ({ ok: false, error: { message: "no" } }) as const;
    expect(await executePlan(aPlan([step]), { perform })).toMatchObject({ ok: false });
  });

  it("executePlan rejects only with an error of emit", async () => {
    const step = aStep([creates("a")], { failureEventReason: "JobCreationFailed" });
    const perform = async () => ({ ok: false, error: { message: "no" } }) as const;
    const emit = () => {
      throw new Error("deaf");
    };
    await expect(executePlan(aPlan([step]), { perform, emit })).rejects.toThrow("deaf");
  });

  it("executePlan runs twenty thousand effects during a very slow one", async () => {
    const effects = names(20_000).map((name) => creates(name));
    let sent = 0;
    let resolveFirst = (_: EffectResult) => {};
    const first = new Promise<EffectResult>((resolve) => {
      resolveFirst = resolve;
    });
    const perform = (request: RunRequest): Promise<EffectResult> => {
      sent += 1;
      if (sent === effects.length) resolveFirst(done);
      return describeRequest(request) === "create j0" ? first : Promise.resolve(done);
    };
    const plan = aPlan([aStep(effects, { concurrency: 50 })]);
    expect(await executePlan(plan, { perform })).toMatchObject({ ok: true });
    expect(sent).toBe(20_000);
  });
});
