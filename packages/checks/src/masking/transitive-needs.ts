import type { CausalGraph } from "../causal-graph.ts";

/** Returns the checks that must pass before a check applies, including indirect needs. */
export function transitiveNeeds<Id extends string>({
  order,
  needs,
}: CausalGraph<Id>): ReadonlyMap<Id, ReadonlySet<Id>> {
  const all = new Map<Id, ReadonlySet<Id>>();
  for (const id of order) {
    const ofThis = new Set<Id>();
    for (const need of needs.get(id) ?? []) {
      // The needs of a check in the set have already been added.
      if (ofThis.has(need)) continue;
      ofThis.add(need);
      for (const further of all.get(need) ?? []) ofThis.add(further);
    }
    all.set(id, ofThis);
  }
  return all;
}
