// The mutants that are known to live: `survivors.yaml` says why of each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { getKey } from "./mutant.mjs";
import { isAlive } from "./plugin.mjs";

/** By the path of a file: each `{ line, was, became, why }`, and `which` of several that look alike. */
export function knownSurvivors() {
  return parse(readFileSync(join(import.meta.dirname, "survivors.yaml"), "utf8")) ?? {};
}

/**
 * Sorts the mutants that were tried: how many were killed, which live and are `known` with a reason, which are `added`, and
 * which have one and were killed, so that it is `stale`. Those that could not be run are none of these.
 *
 * @param tried - each with the `path` of its file, its `name` there, and its `status`
 * @param survivors - what {@link knownSurvivors} answers
 */
export function compareSurvivors(tried, survivors) {
  const keysByPath = new Map(
    Object.entries(survivors).map(([path, ofFile]) => [
      path,
      new Set(ofFile.filter(({ why }) => why).map(getKey)),
    ]),
  );
  const sorted = { killed: 0, known: [], added: [], stale: [] };
  for (const mutant of tried) {
    const hasReason = keysByPath.get(mutant.path)?.has(getKey(mutant.name)) === true;
    if (isAlive(mutant.status)) sorted[hasReason ? "known" : "added"].push(mutant);
    else if (mutant.status === "Killed" || mutant.status === "Timeout") {
      sorted.killed += 1;
      if (hasReason) sorted.stale.push(mutant);
    }
  }
  return sorted;
}

/** As they would stand in `survivors.yaml`, with the reason left to be said. */
export function asEntries(mutants) {
  const byPath = {};
  for (const { path, name } of mutants) {
    byPath[path] ??= [];
    byPath[path].push({ ...name, why: "" });
  }
  return stringify(byPath, { lineWidth: 0 });
}
