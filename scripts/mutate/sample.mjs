// Which mutants are tried: a tenth of those of every file, at least one, by a seed. A mutant is in or out by its own name,
// so that a change elsewhere in the file leaves most of the sample as it was.
import { createHash } from "node:crypto";
import { getKey } from "./mutant.mjs";

/**
 * Those mutants that are in the sample.
 *
 * @param mutants - all of them, each with the `path` of its file and its `name` there
 * @param seed - another one gives another sample
 * @param one - one in how many is taken of every file, rounded up
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
