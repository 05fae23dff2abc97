import { compareBytes } from "@jobset-ts/api/text";
import type { Masking, MaskingCounts, MaskingQuestion } from "./masking.ts";

/**
 * Tries every combination of pass and fail, or only the reachable states. The value of a blocked check in a combination
 * is ignored, so a state counts once for each combination that leads to it. A state masks each failing cause that the
 * order checks. A reachable state masks one cause: the root that comes first in the order or, if the order contains
 * none, by name. Of the states with the same pair, the smallest is kept. Ties are broken by the sorted names.
 *
 * @param reachable - the states, each as the checks that fail in it
 */
export function maskingInStates<Id extends string>(
  question: MaskingQuestion<Id>,
  reachable: readonly (readonly Id[])[] | undefined,
): {
  readonly proof: { readonly by: "Exhaustion" | "ReachableStates" } & MaskingCounts;
  readonly maskings: readonly Masking<Id>[];
} {
  const { graph, order, deniedBefore } = question;
  const ordered = new Set(order);
  const counts = { states: 0, masked: 0, maskedWithinOrder: 0, failingButAdmitted: 0 };
  const smallest = new Map<Id, Map<Id, ReadonlySet<Id>>>();
  for (const failing of reachable?.map((state) => new Set(state)) ?? everyState(question)) {
    if ([...deniedBefore].some((id) => failing.has(id))) continue;
    counts.states += 1;
    const reported = order.find((id) => failing.has(id));
    if (reported === undefined) {
      if (failing.size > 0) counts.failingButAdmitted += 1;
      continue;
    }
    const causes = causesIn(question, reported, failing);
    const checked = causes.filter((cause) => ordered.has(cause));
    if (causes.length > 0) counts.masked += 1;
    if (checked.length > 0) counts.maskedWithinOrder += 1;
    const states = smallest.get(reported) ?? new Map<Id, ReadonlySet<Id>>();
    smallest.set(reported, states);
    for (const cause of reachable === undefined ? checked : rootIn(question, causes, failing)) {
      const known = states.get(cause);
      if (known === undefined || isSmaller(failing, known)) states.set(cause, failing);
    }
  }
  const maskings = [...smallest].flatMap(([reported, states]) =>
    [...states].map(([cause, failing]) => ({
      reported,
      cause,
      failing: graph.order.filter((id) => failing.has(id)),
    })),
  );
  const by = reachable === undefined ? "Exhaustion" : "ReachableStates";
  return { proof: { by, ...counts }, maskings };
}

/**
 * Returns the checks that fail in each combination: those that are marked as failing and that do not need a failing
 * check.
 */
function* everyState<Id extends string>({
  graph,
  needs,
}: MaskingQuestion<Id>): Iterable<ReadonlySet<Id>> {
  const checks = graph.order.map((id) => ({ id, needed: [...(needs.get(id) ?? [])] }));
  for (let assignment = 0; assignment < 2 ** checks.length; assignment++) {
    const failing = new Set<Id>();
    for (const [index, { id, needed }] of checks.entries()) {
      const isSaid = (assignment & (1 << index)) !== 0;
      if (isSaid && !needed.some((need) => failing.has(need))) failing.add(id);
    }
    yield failing;
  }
}

function causesIn<Id extends string>(
  { graph }: MaskingQuestion<Id>,
  id: Id,
  failing: ReadonlySet<Id>,
): readonly Id[] {
  return (graph.causes.get(id) ?? []).filter((cause) => failing.has(cause));
}

function rootIn<Id extends string>(
  question: MaskingQuestion<Id>,
  causes: readonly Id[],
  failing: ReadonlySet<Id>,
): readonly Id[] {
  const roots = causes.filter((cause) => causesIn(question, cause, failing).length === 0);
  const first = question.order.find((id) => roots.includes(id));
  return first === undefined ? [...roots].sort(compareBytes).slice(0, 1) : [first];
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
