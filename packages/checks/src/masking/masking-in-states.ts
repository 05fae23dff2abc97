import { compareBytes } from "@jobset-ts/api/text";
import type { Masking, MaskingCounts, MaskingQuestion } from "./masking.ts";

/**
 * Looks at the states that are said to be reachable, each a set of checks that fail in it, and at no other.
 *
 * A state counts for one pair: what is reported, and of its causes the root that stands earliest in the order, else
 * the first by name. Of the states of one pair the smallest is kept, among equally small ones the first by its sorted
 * names.
 */
export function maskingInStates<Id extends string>(
  { graph, order, deniedBefore }: MaskingQuestion<Id>,
  reachable: readonly (readonly Id[])[],
): {
  readonly proof: { readonly by: "ReachableStates" } & MaskingCounts;
  readonly maskings: readonly Masking<Id>[];
} {
  const made = new Set(order);
  const causesIn = (id: Id, failing: ReadonlySet<Id>) =>
    (graph.causes.get(id) ?? []).filter((cause) => failing.has(cause));
  const counts = { states: 0, masked: 0, maskedWithinOrder: 0, failingButAdmitted: 0 };
  const smallest = new Map<Id, Map<Id, ReadonlySet<Id>>>();
  for (const failing of reachable.map((state) => new Set(state))) {
    if ([...failing].some((id) => deniedBefore.has(id))) continue;
    counts.states += 1;
    const reported = order.find((id) => failing.has(id));
    if (reported === undefined) {
      if (failing.size > 0) counts.failingButAdmitted += 1;
      continue;
    }
    const causes = causesIn(reported, failing);
    if (causes.some((cause) => made.has(cause))) counts.maskedWithinOrder += 1;
    const roots = new Set(causes.filter((cause) => causesIn(cause, failing).length === 0));
    const cause = order.find((id) => roots.has(id)) ?? [...roots].sort(compareBytes)[0];
    if (cause === undefined) continue;
    counts.masked += 1;
    const states = smallest.get(reported) ?? new Map<Id, ReadonlySet<Id>>();
    smallest.set(reported, states);
    const known = states.get(cause);
    if (known === undefined || isSmaller(failing, known)) states.set(cause, failing);
  }
  const maskings = [...smallest].flatMap(([reported, states]) =>
    [...states].map(([cause, failing]) => ({
      reported,
      cause,
      failing: graph.order.filter((id) => failing.has(id)),
    })),
  );
  return { proof: { by: "ReachableStates", ...counts }, maskings };
}

function isSmaller<Id extends string>(one: ReadonlySet<Id>, other: ReadonlySet<Id>): boolean {
  if (one.size !== other.size) return one.size < other.size;
  const names = [...other].sort(compareBytes);
  const difference = [...one]
    .sort(compareBytes)
    .map((name, index) => compareBytes(name, names[index] ?? ""))
    .find((order) => order !== 0);
  return difference !== undefined && difference < 0;
}
