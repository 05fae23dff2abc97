import { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { findDifferences } from "../compare.ts";
import type { QuirkMode, ReplayResult } from "./family.ts";

/**
 * Returns the result for a mode: upstream's result, or ours with the quirks that explain the difference.
 *
 * A quirk explains it if reproducing all other quirks does not give upstream's result. Two quirks can mask each other,
 * for example a check that upstream lacks and an update that upstream does not check. Then the quirks that give
 * upstream's result alone explain the difference.
 *
 * @param answer - returns our result for the input with these quirks
 */
export function replayWithQuirks(
  mode: QuirkMode,
  answer: (under: Quirks) => unknown,
): ReplayResult {
  if (mode === "upstream") return { output: answer(UPSTREAM_QUIRKS) };
  if (mode !== "none") return { output: answer(mode) };
  return { output: answer(NO_QUIRKS), explainedBy: findRelevantQuirks(answer) };
}

function findRelevantQuirks(answer: (under: Quirks) => unknown): readonly Quirk[] {
  const upstream = answer(UPSTREAM_QUIRKS);
  const differs = (under: Quirks) => findDifferences(upstream, answer(under)).length > 0;
  if (!differs(NO_QUIRKS)) return [];
  const needed = quirks.filter((quirk) => differs(allQuirksExcept(quirk)));
  return needed.length > 0 ? needed : quirks.filter((quirk) => !differs(new Set([quirk])));
}

function allQuirksExcept(quirk: Quirk): Quirks {
  return new Set(quirks.filter((other) => other !== quirk));
}
