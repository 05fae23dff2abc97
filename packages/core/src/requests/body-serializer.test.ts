import { aJobSet } from "@jobset-ts/testing";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createContext } from "../context.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { createSnapshot } from "../snapshot/snapshot.ts";
import { someTime } from "../testing/reconciled.ts";
import { createApiRequest } from "./api-request.ts";
import { BodySerializer } from "./body-serializer.ts";

function createBodies(plan: ReturnType<typeof reconcile>): readonly unknown[] {
  return plan.steps
    .flatMap(({ effects }) => effects)
    .map(createApiRequest)
    .flatMap((result) => (result.ok ? [result.request.body] : []));
}

describe("texts of bodies", () => {
  it("BodySerializer equals JSON.stringify for every request of a plan", () => {
    fc.assert(
      fc.property(clusters(), ({ jobSet, others, context }) => {
        const texts = new BodySerializer();
        const snapshot = createSnapshot([jobSet, ...others], { kinds: "all" });
        for (const body of createBodies(reconcile(snapshot, jobSet, context))) {
          expect(texts.of(body)).toBe(JSON.stringify(body));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("BodySerializer equals JSON.stringify for any JSON value, frozen or not, also the second time", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), hostileValues()), fc.boolean(), (value, isFrozen) => {
        const texts = new BodySerializer();
        const body = {
          value,
          frozen: isFrozen ? Object.freeze([value]) : [value],
          none: undefined,
        };
        const expected = JSON.stringify(body);
        expect([texts.of(body), texts.of(body)]).toEqual([expected, expected]);
      }),
      { numRuns: runs(150) },
    );
  });

  it("BodySerializer serializes shared parts once", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 50 });
    const snapshot = createSnapshot([jobSet], { kinds: "all" });
    const bodies = createBodies(reconcile(snapshot, jobSet, createContext({ now: someTime })));
    const texts = new BodySerializer();
    const written = new Map<unknown, number>();
    const stringify = JSON.stringify;
    try {
      JSON.stringify = ((value: unknown) => {
        written.set(value, (written.get(value) ?? 0) + 1);
        return stringify(value);
      }) as typeof JSON.stringify;
      for (const body of bodies) texts.of(body);
    } finally {
      JSON.stringify = stringify;
    }
    const parts = [...written].filter(([value]) => typeof value === "object" && value !== null);
    expect(parts.length).toBeGreaterThan(50);
    expect(parts.filter(([, times]) => times > 1)).toEqual([]);
  });
});
