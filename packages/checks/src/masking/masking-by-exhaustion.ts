import type { Masking, MaskingCounts, MaskingQuestion } from "./masking.ts";

/**
 * Looks at every assignment of pass and fail to the checks. What an assignment says of a blocked check is of no
 * account, so a state counts once for each assignment that leads to it. A set of checks is a number, bit by bit.
 */
export function maskingByExhaustion<Id extends string>({
  graph,
  order,
  deniedBefore,
}: MaskingQuestion<Id>): {
  readonly proof: { readonly by: "Exhaustion" } & MaskingCounts;
  readonly maskings: readonly Masking<Id>[];
} {
  const ids = graph.order;
  const bits = new Map(ids.map((id, index) => [id, 1 << index]));
  const bitOf = (id: Id) => bits.get(id) ?? 0;
  const bitsOf = (some: Iterable<Id> = []) => [...some].reduce((all, id) => all | bitOf(id), 0);
  const needs = ids.map((id) => bitsOf(graph.needs.get(id)));
  const denied = bitsOf(deniedBefore);
  const made = bitsOf(order);
  const steps = order.map((id) => ({ id, bit: bitOf(id), causes: bitsOf(graph.causes.get(id)) }));

  const counts = { states: 0, masked: 0, maskedWithinOrder: 0, failingButAdmitted: 0 };
  const smallest = new Map<Id, Map<number, number>>();
  for (let assignment = 0; assignment < 2 ** ids.length; assignment++) {
    const failing = failingOf(assignment, needs);
    if ((failing & denied) !== 0) continue;
    counts.states += 1;
    const reported = steps.find(({ bit }) => (failing & bit) !== 0);
    if (reported === undefined) {
      if (failing !== 0) counts.failingButAdmitted += 1;
      continue;
    }
    const causes = failing & reported.causes;
    if (causes !== 0) counts.masked += 1;
    if ((causes & made) === 0) continue;
    counts.maskedWithinOrder += 1;
    const states = smallest.get(reported.id) ?? new Map<number, number>();
    smallest.set(reported.id, states);
    for (let rest = causes & made; rest !== 0; rest &= rest - 1) {
      const cause = rest & -rest;
      // Assignments count up, so the first one in which these two fail is the one in which nothing else does.
      if (!states.has(cause)) states.set(cause, failing);
    }
  }

  const idsOf = (some: number) => ids.filter((id) => (some & bitOf(id)) !== 0);
  const maskings = [...smallest].flatMap(([reported, states]) =>
    [...states].flatMap(([cause, failing]) =>
      idsOf(cause).map((id) => ({ reported, cause: id, failing: idsOf(failing) })),
    ),
  );
  return { proof: { by: "Exhaustion", ...counts }, maskings };
}

/** The checks that fail: those that the assignment says and that are not blocked. `needs` is in causal order. */
function failingOf(assignment: number, needs: readonly number[]): number {
  let failing = 0;
  let blocked = 0;
  for (const [index, needed] of needs.entries()) {
    const bit = 1 << index;
    if ((needed & (failing | blocked)) !== 0) blocked |= bit;
    else failing |= assignment & bit;
  }
  return failing;
}
