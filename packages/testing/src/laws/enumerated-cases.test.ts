import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryCase,
  enumerateCases,
  joinCases,
  MAX_RUNS,
  mapCases,
  RunNumber,
} from "./enumerated-cases.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const items = (count: number) => enumerateCases(numbers(count), fc.constant);

/** Returns the cases that a property gets, by run. */
async function listCasesByRun(
  count: number,
  params: fc.Parameters<unknown>,
  fails = (_: number) => false,
) {
  const number = new RunNumber();
  const runs: (readonly number[])[] = [];
  const property = fc.asyncProperty(
    number.getCases(items(count)).map((several) => ({ several })),
    async ({ several }) => {
      runs.push(several);
      return !several.some(fails);
    },
  );
  const details = await fc.check(number.trackRuns(property), params as never);
  return { runs, details };
}

describe("EnumeratedCases", () => {
  it.each([1, 7, 99, 100, 101, 250, 2114])(
    "EnumeratedCases uses all of %i cases within the default number of runs, with any seed",
    async (count) => {
      for (const seed of [1, 2, 3]) {
        const { runs } = await listCasesByRun(count, { seed, numRuns: MAX_RUNS });
        expect(new Set(runs.flat()).size).toBe(count);
      }
    },
  );

  it("EnumeratedCases distributes the cases evenly over the runs", async () => {
    const { runs } = await listCasesByRun(250, { numRuns: MAX_RUNS });
    expect(new Set(runs.map(({ length }) => length))).toEqual(new Set([2, 3]));
  });

  it("seed and path reproduce a failure of enumerated cases", async () => {
    const { details } = await listCasesByRun(
      250,
      { seed: 5, numRuns: MAX_RUNS },
      (one) => one === 173,
    );
    expect(details.counterexamplePath).not.toBe(null);
    const second = await listCasesByRun(
      250,
      { seed: 5, path: details.counterexamplePath ?? "" },
      (one) => one === 173,
    );
    expect(second.details.counterexample).toEqual(details.counterexample);
    expect(second.runs).toHaveLength(1);
  });

  it("sampling enumerated cases returns random cases", () => {
    const sample = fc.sample(new RunNumber().getCases(items(100)), { seed: 1, numRuns: 20 });
    expect(new Set(sample.flat()).size).toBeGreaterThan(10);
  });

  it("joinCases and mapCases combine and map cases", () => {
    const joined = joinCases(
      items(2),
      mapCases(items(3), (one) => one + 10),
    );
    const all = numbers(joined.count()).flatMap((at) => fc.sample(joined.caseAt(at), 1));
    expect(all).toEqual([0, 1, 10, 11, 12]);
    expect(new Set(fc.sample(arbitraryCase(joined), { seed: 1, numRuns: 100 }))).toEqual(
      new Set(all),
    );
  });
});
