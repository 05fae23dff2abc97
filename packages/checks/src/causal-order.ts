import { compareBytes } from "@jobset-ts/api/text";

/**
 * Sorts checks so that each follows its causes, and otherwise keeps the listed order. Repeatedly takes the earliest
 * listed check whose listed causes have all been taken.
 *
 * @param getCauses - the causes of a listed check; causes that are not listed are ignored
 * @returns the sorted checks, without checks in a cycle and checks that depend on one
 * @example causalOrder(["selector", "leader", "quota"], (id) => (id === "selector" ? ["leader"] : [])) // => ["leader", "selector", "quota"]
 */
export function causalOrder<Id extends string>(
  listed: readonly Id[],
  causesOf: (id: Id) => readonly Id[],
): readonly Id[] {
  const effects = new Map<Id, Id[]>(listed.map((id) => [id, []]));
  const pending = new Map<Id, number>();
  for (const id of listed) {
    const causes = causesOf(id).filter((cause) => effects.has(cause));
    pending.set(id, causes.length);
    for (const cause of causes) effects.get(cause)?.push(id);
  }
  const left = [...listed];
  const sorted: Id[] = [];
  for (;;) {
    const [next] = left.splice(findReadyIndex(left, pending), 1);
    if (next === undefined) return sorted;
    sorted.push(next);
    for (const effect of effects.get(next) ?? []) {
      pending.set(effect, (pending.get(effect) ?? 0) - 1);
    }
  }
}

/** Returns the index of the first check that waits for no cause, or the length of the list. */
function findReadyIndex<Id>(left: readonly Id[], pending: ReadonlyMap<Id, number>): number {
  const index = left.findIndex((id) => pending.get(id) === 0);
  return index === -1 ? left.length : index;
}

/**
 * Returns one of the cycles among checks that all have a cause among them. Each check is a cause of the next, the last
 * one is a cause of the first, and the first has the smallest name.
 */
export function causalCycle<Id extends string>(
  entangled: readonly Id[],
  causesOf: (id: Id) => readonly Id[],
): readonly Id[] {
  const among = new Set(entangled);
  const path = new Set<Id>();
  // In a finite graph, every path along causes among these checks ends in a cycle.
  let [at] = [...entangled].sort(compareBytes);
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    [at] = causesOf(at)
      .filter((cause) => among.has(cause))
      .sort(compareBytes);
  }
  const walked = [...path];
  const cycle = walked.slice(at === undefined ? walked.length : walked.indexOf(at)).reverse();
  const [smallest] = [...cycle].sort(compareBytes);
  const start = smallest === undefined ? 0 : cycle.indexOf(smallest);
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}
