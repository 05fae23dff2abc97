import { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { differences } from "../compare.ts";
import type { QuirkMode, Replayed } from "./family.ts";

/**
 * The answer that a mode asks for: upstream's, or ours, explained by the quirks that make it another than
 * upstream's. These are the ones without which, all others being reproduced, it would not be upstream's; where two hide one
 * another, such as a check that upstream lacks and the update that upstream does not check, the ones of which each alone
 * would make it upstream's again.
 *
 * @param answer - what we answer to the input under some quirks
 */
export function replayedUnder(mode: QuirkMode, answer: (under: Quirks) => unknown): Replayed {
  if (mode === "upstream") return { output: answer(UPSTREAM_QUIRKS) };
  return { output: answer(NO_QUIRKS), explainedBy: quirksThatMatter(answer) };
}

function quirksThatMatter(answer: (under: Quirks) => unknown): readonly Quirk[] {
  const upstream = answer(UPSTREAM_QUIRKS);
  const differs = (under: Quirks) => differences(upstream, answer(under)).length > 0;
  if (!differs(NO_QUIRKS)) return [];
  const needed = quirks.filter((quirk) => differs(allBut(quirk)));
  return needed.length > 0 ? needed : quirks.filter((quirk) => !differs(new Set([quirk])));
}

function allBut(quirk: Quirk): Quirks {
  return new Set(quirks.filter((other) => other !== quirk));
}
