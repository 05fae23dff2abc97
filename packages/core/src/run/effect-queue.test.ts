import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { Effect } from "../plan/effects.ts";

import { EffectQueue } from "./effect-queue.ts";

/** Deletes objects. The same letter denotes the same object. */
function effectsOn(names: string): readonly Effect[] {
  return [...names].map((name) => ({
    verb: "delete",
    target: { apiVersion: "v1", kind: "Pod", namespace: "default", name },
    propagationPolicy: "Background",
    onNotFound: "Succeed",
  }));
}

describe("EffectQueue", () => {
  it("EffectQueue returns effects on different objects in list order", () => {
    const queue = new EffectQueue(effectsOn("abc"));
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([0, 1, 2, undefined]);
  });

  it("EffectQueue holds back the second effect on an object until the first has succeeded", () => {
    const queue = new EffectQueue(effectsOn("aab"));
    expect([queue.take(), queue.take(), queue.take()]).toEqual([0, 2, undefined]);
    queue.release(0);
    expect([queue.take(), queue.take()]).toEqual([1, undefined]);
  });

  it("EffectQueue returns a released effect at its original position", () => {
    const queue = new EffectQueue(effectsOn("aabbc"));
    expect([queue.take(), queue.take()]).toEqual([0, 2]);
    queue.release(2);
    queue.release(0);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([1, 3, 4]);
  });

  it("EffectQueue identifies objects by more than their name", () => {
    const [pod] = effectsOn("a");
    const job = { ...pod, target: { ...pod?.target, kind: "Job" } } as Effect;
    const other = { ...pod, target: { ...pod?.target, namespace: "ml" } } as Effect;
    const queue = new EffectQueue([pod as Effect, job, other]);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([0, 1, 2]);
  });

  it("the effect queue returns the same effects as a search of the whole list", () => {
    const choices = fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.boolean()), { maxLength: 60 });
    const names = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 12 });
    fc.assert(
      fc.property(names, choices, (objects, moves) => {
        const queue = new EffectQueue(effectsOn(objects));
        const model = new SearchedList(objects);
        const underWay: number[] = [];
        for (const [takes, which, succeeds] of moves) {
          if (takes) {
            const taken = queue.take();
            expect(taken).toBe(model.take());
            if (taken !== undefined) underWay.push(taken);
          } else if (underWay.length > 0) {
            const [position = 0] = underWay.splice(which % underWay.length, 1);
            model.settle(position, succeeds);
            if (succeeds) queue.release(position);
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

/**
 * A slow and simple version of the same rule: the next effect is the first one that was not returned and
 * whose predecessors have all succeeded.
 */
class SearchedList {
  readonly #objects: string;
  readonly #states = new Map<number, "RunningReconcile" | "Succeeded" | "Failed">();

  constructor(objects: string) {
    this.#objects = objects;
  }

  take(): number | undefined {
    const position = [...this.#objects].findIndex(
      (object, at) =>
        !this.#states.has(at) &&
        [...this.#objects.slice(0, at)].every(
          (other, before) => other !== object || this.#states.get(before) === "Succeeded",
        ),
    );
    if (position === -1) return undefined;
    this.#states.set(position, "RunningReconcile");
    return position;
  }

  settle(position: number, succeeds: boolean): void {
    this.#states.set(position, succeeds ? "Succeeded" : "Failed");
  }
}
