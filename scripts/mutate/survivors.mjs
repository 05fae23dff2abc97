// Reads `survivors.yaml`, which lists the mutants that may survive, each with a reason.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { getKey } from "./mutant.mjs";
import { isAlive } from "./plugin.mjs";

/** Returns the known survivors by file path: `{ line, was, became, why }`, with `which` for mutants of the same name. */
export function knownSurvivors() {
  return parse(readFileSync(join(import.meta.dirname, "survivors.yaml"), "utf8")) ?? {};
}

/**
 * Compares tested mutants with the known survivors. Returns the number of `killed` mutants, the `known` and the new (`added`)
 * survivors, and the `stale` entries, whose mutants were killed. Ignores mutants that could not run.
 *
 * @param tried - the tested mutants, each with `path`, `name` and `status`
 * @param survivors - the result of {@link knownSurvivors}
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

/** Returns entries for `survivors.yaml` with an empty reason. */
export function asEntries(mutants) {
  const byPath = {};
  for (const { path, name } of mutants) {
    byPath[path] ??= [];
    byPath[path].push({ ...name, why: "" });
  }
  return stringify(byPath, { lineWidth: 0 });
}
