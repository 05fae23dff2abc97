import type { CausalGraph } from "../causal-graph.ts";

/** What has to pass before a check means anything, the needs of its needs included. */
export function transitiveNeeds<Id extends string>({
  order,
  needs,
}: CausalGraph<Id>): ReadonlyMap<Id, ReadonlySet<Id>> {
  const all = new Map<Id, ReadonlySet<Id>>();
  for (const id of order) {
    const ofThis = new Set<Id>();
    for (const need of needs.get(id) ?? []) {
      // What is in already has brought its own needs along.
      if (ofThis.has(need)) continue;
      ofThis.add(need);
      for (const further of all.get(need) ?? []) ofThis.add(further);
    }
    all.set(id, ofThis);
  }
  return all;
}
