import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PendingTurn, TurnQueue } from "./turn-queue.ts";

const wakes = fc.array(
  fc.record({
    at: fc.nat(20),
    component: fc.constantFrom("a", "b"),
    key: fc.constantFrom("x", "y", "z"),
  }),
);

function createQueue(
  requested: readonly Pick<PendingTurn, "at" | "component" | "key">[],
): TurnQueue {
  return requested.reduce(
    (queue, wake, order) =>
      queue.with({ ...wake, rank: wake.component === "a" ? 0 : 1, order, turn: wake.key }),
    TurnQueue.empty,
  );
}

function drainQueue(queue: TurnQueue): readonly PendingTurn[] {
  const turns: PendingTurn[] = [];
  for (let rest = queue; rest.first !== undefined; rest = rest.withoutFirst())
    turns.push(rest.first);
  return turns;
}

describe("TurnQueue", () => {
  it("TurnQueue gives each key its earliest turn, ordered by time, component rank and wake order", () => {
    fc.assert(
      fc.property(wakes, (requested) => {
        const earliest = new Map<string, PendingTurn>();
        requested.forEach((wake, order) => {
          const key = `${wake.component}${wake.key}`;
          const own = earliest.get(key);
          const due = { ...wake, rank: wake.component === "a" ? 0 : 1, order, turn: wake.key };
          if (own === undefined || due.at < own.at) earliest.set(key, due);
        });
        const expected = [...earliest.values()].sort(
          (one, other) => one.at - other.at || one.rank - other.rank || one.order - other.order,
        );
        expect(drainQueue(createQueue(requested))).toEqual(expected);
        expect(createQueue(requested).size).toBe(earliest.size);
      }),
    );
  });

  it("TurnQueue removes the turn of one key only", () => {
    fc.assert(
      fc.property(wakes, (requested) => {
        const queue = createQueue(requested);
        const expected = drainQueue(queue).filter(({ component, key }) => component + key !== "ax");
        expect(drainQueue(queue.without(0, "x"))).toEqual(expected);
        expect(queue.without(0, "x").getTurnTime(0, "x")).toBeUndefined();
      }),
    );
  });

  it("TurnQueue can contain a hundred thousand turns", () => {
    const requested = Array.from({ length: 100_000 }, (_, index) => ({
      at: (index * 7919) % 100_003,
      component: "a",
      key: String(index),
    }));
    const times = drainQueue(createQueue(requested)).map(({ at }) => at);
    const tooEarly = times.filter((at, index) => at < (times[index - 1] ?? at));
    expect([times.length, tooEarly]).toEqual([100_000, []]);
  });
});
