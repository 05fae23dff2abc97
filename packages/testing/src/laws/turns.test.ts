import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyOf, inTurn, inTurnAll, mapInTurn, RunNumber, TURNS } from "./turns.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const items = (count: number) => inTurn(numbers(count), fc.constant);

/** What a property sees of cases, by runs. */
async function seen(count: number, params: fc.Parameters<unknown>, fails = (_: number) => false) {
  const number = new RunNumber();
  const runs: (readonly number[])[] = [];
  const property = fc.asyncProperty(
    number.casesOf(items(count)).map((several) => ({ several })),
    async ({ several }) => {
      runs.push(several);
      return !several.some(fails);
    },
  );
  const details = await fc.check(number.countedBy(property), params as never);
  return { runs, details };
}

describe("cases in turn", () => {
  it.each([1, 7, 99, 100, 101, 250, 2114])(
    "all of %i cases have their turn within as many runs as a property has, whatever the seed",
    async (count) => {
      for (const seed of [1, 2, 3]) {
        const { runs } = await seen(count, { seed, numRuns: TURNS });
        expect(new Set(runs.flat()).size).toBe(count);
      }
    },
  );

  it("no run has many more cases than another", async () => {
    const { runs } = await seen(250, { numRuns: TURNS });
    expect(new Set(runs.map(({ length }) => length))).toEqual(new Set([2, 3]));
  });

  it("seed and path reproduce a failure", async () => {
    const { details } = await seen(250, { seed: 5 }, (one) => one === 173);
    expect(details.counterexamplePath).not.toBe(null);
    const again = await seen(
      250,
      { seed: 5, path: details.counterexamplePath ?? "" },
      (one) => one === 173,
    );
    expect(again.details.counterexample).toEqual(details.counterexample);
    expect(again.runs).toHaveLength(1);
  });

  it("a sampled arbitrary draws random cases", () => {
    const sample = fc.sample(new RunNumber().casesOf(items(100)), { seed: 1, numRuns: 20 });
    expect(new Set(sample.flat()).size).toBeGreaterThan(10);
  });

  it("lists of cases are joined and mapped", () => {
    const joined = inTurnAll(
      items(2),
      mapInTurn(items(3), (one) => one + 10),
    );
    const all = numbers(joined.count()).flatMap((at) => fc.sample(joined.caseAt(at), 1));
    expect(all).toEqual([0, 1, 10, 11, 12]);
    expect(new Set(fc.sample(anyOf(joined), { seed: 1, numRuns: 100 }))).toEqual(new Set(all));
  });
});
