// Selects a sample by a seed: a tenth of the mutants of each file, at least one. The hash of its
// name decides whether a mutant is selected, so a change in one part of a file keeps most of the
// sample.
import { createHash } from "node:crypto";
import { getKey } from "./mutant.mjs";

/**
 * Returns the mutants in the sample.
 *
 * @param mutants - all mutants, each with the `path` of its file and its `name`
 * @param seed - selects the sample
 * @param one - the divisor: for 10, the sample contains a tenth of each file, rounded up
 */
export function drawSample(mutants, seed, one = 10) {
  const files = new Map();
  for (const mutant of mutants) {
    const ofFile = files.get(mutant.path) ?? [];
    files.set(mutant.path, ofFile);
    const text = `${seed} ${mutant.path} ${getKey(mutant.name)}`;
    ofFile.push({ mutant, lot: createHash("sha256").update(text).digest("hex") });
  }
  return [...files.values()].flatMap((ofFile) =>
    ofFile
      .sort((a, b) => (a.lot < b.lot ? -1 : 1))
      .slice(0, Math.ceil(ofFile.length / one))
      .map(({ mutant }) => mutant),
  );
}
