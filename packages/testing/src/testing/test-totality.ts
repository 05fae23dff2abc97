import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_RESULT_PARTS, numberCosts } from "./ignores-numbers.ts";
import { type FunctionRow, functionsNeverThrow } from "./never-throws.ts";
import { runs } from "./runs.ts";

/**
 * Registers the tests of a package's totality: each function has a row, returns a result for every input, and its cost
 * does not grow with a number.
 *
 * @param name - the name of the entry, as in an import
 * @param module - all exports of the entry
 */
export function testTotality(
  name: string,
  module: object,
  table: Readonly<Record<string, FunctionRow>>,
): void {
  describe(name, () => {
    const properties = functionsNeverThrow(module, table);

    it(`the totality table of ${name} has a row for each function`, () => {
      expect(Object.keys(table).sort()).toEqual(properties.map(([own]) => own).sort());
    });

    it.each(properties)("%s returns a result for every input", async (_, property) => {
      await fc.assert(property, { numRuns: runs(30, 500) });
    });

    it.each(numberCosts(module, table))(
      "the cost of %s does not grow with a number",
      async (_, measure) => {
        const { share, worst, resultParts } = await measure();
        expect(share, worst).toBeLessThan(1);
        expect(resultParts, worst).toBeLessThan(MAX_RESULT_PARTS);
      },
    );
  });
}
