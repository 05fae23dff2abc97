// Recorded decisions of upstream, as tests of the package that is mutated: one test for every function of upstream that it answers
// for. `npm test` replays them by a program of their own, which tells more and is quicker.
import { expect, it } from "vitest";
import { families } from "../../packages/conformance/src/families/index.ts";
import { type RecordedCase, readCases } from "../../packages/conformance/src/read-cases.ts";
import { replayCase } from "../../packages/conformance/src/replay.ts";
import { shippedVectors } from "../../packages/conformance/src/shipped-vectors.ts";
import { Tally } from "../../packages/conformance/src/tally.ts";
import { recorded } from "./recorded-of.ts";

for (const file of shippedVectors()) {
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
      expect(counts.shown).toEqual([]); // The first difference is enough
    }
  });
}
