// Replays recorded upstream decisions as tests of the mutated package, one test for each upstream function that it implements.
// `npm test` replays them with a separate program, which is faster and reports more details.
import { expect, it } from "vitest";
import { families } from "../../packages/conformance/src/families/index.ts";
import { type RecordedCase, readCases } from "../../packages/conformance/src/read-cases.ts";
import { replayCase } from "../../packages/conformance/src/replay.ts";
import { listShippedVectors } from "../../packages/conformance/src/shipped-vectors.ts";
import { Tally } from "../../packages/conformance/src/tally.ts";
import { recorded } from "./recorded-of.ts";

for (const file of listShippedVectors()) {
  const cases: RecordedCase[] = [];
  for await (const read of readCases(file)) {
    if (!read.ok) throw new Error(`${read.error.file}: ${read.error.reason}`);
    const { family } = read.value;
    if (!recorded.some((beginning) => family.startsWith(beginning))) break;
    cases.push(read.value);
  }
  const [first] = cases;
  if (first === undefined) continue;
  it(`${first.family}: decides as recorded`, () => {
    const tally = new Tally();
    const counts = tally.of(first.family, "Answered");
    for (const one of cases) {
      replayCase(
        one,
        { families, notYetCovered: new Set(), quirks: "upstream", differences: 1 },
        tally,
      );
      expect(counts.shown).toEqual([]); // One difference is enough.
    }
  });
}
