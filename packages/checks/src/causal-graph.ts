import { causalCycle, causalOrder } from "./causal-order.ts";
import type { CheckDependencies } from "./check.ts";

/** The causal relations of a list of checks, computed once. */
export interface CausalGraph<Id extends string = string> {
  /**
   * Every check after its causes, in the order closest to the listed one. The order repeatedly takes the earliest
   * listed check whose causes all precede it.
   */
  readonly order: readonly Id[];
  /** The direct and indirect causes of a check, nearest first: each before its own causes. */
  readonly causes: ReadonlyMap<Id, readonly Id[]>;
  /** The needs of each check, as listed. */
  readonly needs: ReadonlyMap<Id, readonly Id[]>;
}

/** Why a list of checks has no causal order. */
export interface CausalGraphError {
  readonly ok: false;
  readonly reason:
    | "MalformedCheck"
    | "DuplicateCheck"
    | "UnknownCause"
    | "UnknownNeed"
    | "CausalCycle"
    | "NeedIsNoCause";
  /** A sentence that names the checks. */
  readonly message: string;
  /** The checks that cause the problem. In a cycle, each is a cause of the next, starting with the smallest name. */
  readonly checks: readonly string[];
}

/** Computes order and causes, or why there is no order. Never throws. */
export function causalGraph<Id extends string>(
  checks: readonly CheckDependencies<Id>[],
): { readonly ok: true; readonly graph: CausalGraph<Id> } | CausalGraphError {
  const malformed = malformedCheck(checks);
  if (malformed !== undefined) return malformed;
  const ids = checks.map(({ id }) => id);
  const direct = new Map(checks.map(({ id, causes }) => [id, causes]));
  const needs = new Map(checks.map(({ id, needs: needed = [] }) => [id, [...needed]]));
  const unknown = duplicateCheck(ids) ?? unknownName(direct, needs);
  if (unknown !== undefined) return unknown;

  const getDirectCauses = (id: Id) => direct.get(id) ?? [];
  const order = causalOrder(ids, getDirectCauses);
  if (order.length < ids.length) return cycle(ids, order, getDirectCauses);
  const causes = allCauses(order, getDirectCauses);
  return checkNeedsAreCauses(needs, causes) ?? { ok: true, graph: { order, causes, needs } };
}

/** A list may come from outside, for example from a file. */
function malformedCheck(checks: unknown): CausalGraphError | undefined {
  if (!Array.isArray(checks)) {
    return {
      ok: false,
      reason: "MalformedCheck",
      message: "the list of checks is missing",
      checks: [],
    };
  }
  const index = checks.findIndex((check: Partial<CheckDependencies> | null | undefined) => {
    const { id, causes, needs = [] } = check ?? {};
    return typeof id !== "string" || !isNameList(causes) || !isNameList(needs);
  });
  if (index === -1) return undefined;
  const message = `entry ${index} is not a check: it needs an id and a list of causes`;
  return { ok: false, reason: "MalformedCheck", message, checks: [] };
}

/** Reports whether a value is a list of strings. */
export function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && Array.from(value).every((name) => typeof name === "string");
}

function duplicateCheck(ids: readonly string[]): CausalGraphError | undefined {
  const id = firstDuplicate(ids);
  if (id === undefined) return undefined;
  return {
    ok: false,
    reason: "DuplicateCheck",
    message: `check "${id}" is listed twice`,
    checks: [id],
  };
}

/** Returns the first duplicate name in a list. */
export function firstDuplicate<Id extends string>(ids: readonly Id[]): Id | undefined {
  const seen = new Set<Id>();
  return ids.find((id) => seen.size === seen.add(id).size);
}

function unknownName<Id extends string>(
  causes: ReadonlyMap<Id, readonly Id[]>,
  needs: ReadonlyMap<Id, readonly Id[]>,
): CausalGraphError | undefined {
  for (const [reason, word, lists] of [
    ["UnknownCause", "cause", causes],
    ["UnknownNeed", "need", needs],
  ] as const) {
    for (const [id, names] of lists) {
      const unknown = names.find((name) => !lists.has(name));
      if (unknown === undefined) continue;
      const message = `check "${id}" has a ${word} "${unknown}" that is not a check`;
      return { ok: false, reason, message, checks: [id, unknown] };
    }
  }
  return undefined;
}

function cycle<Id extends string>(
  ids: readonly Id[],
  ordered: readonly Id[],
  causesOf: (id: Id) => readonly Id[],
): CausalGraphError {
  const inOrder = new Set(ordered);
  const entangled = ids.filter((id) => !inOrder.has(id));
  const checks = causalCycle(entangled, causesOf);
  const path = [...checks, ...checks.slice(0, 1)].map((id) => `"${id}"`).join(" -> ");
  const message = `the checks cause each other in a cycle: ${path}`;
  return { ok: false, reason: "CausalCycle", message, checks };
}

function allCauses<Id extends string>(
  order: readonly Id[],
  causesOf: (id: Id) => readonly Id[],
): ReadonlyMap<Id, readonly Id[]> {
  const positions = new Map(order.map((id, position) => [id, position]));
  const direct = order.map((id) => causesOf(id).map((cause) => positions.get(cause) ?? 0));
  return new Map(
    order.map((id, position) => {
      // Marks checks by index. With sets, a thousand checks that all cause each other would take seconds.
      const marked = new Uint8Array(position + 1);
      marked[position] = 1;
      const causes: Id[] = [];
      for (let at = position; at >= 0; at--) {
        const name = order[at];
        if (marked[at] === 0 || name === undefined) continue;
        if (at < position) causes.push(name);
        for (const cause of direct[at] ?? []) marked[cause] = 1;
      }
      return [id, causes];
    }),
  );
}

function checkNeedsAreCauses<Id extends string>(
  needs: ReadonlyMap<Id, readonly Id[]>,
  causes: ReadonlyMap<Id, readonly Id[]>,
): CausalGraphError | undefined {
  for (const [id, names] of needs) {
    const unknownNeed = names.find((name) => !causes.get(id)?.includes(name));
    if (unknownNeed === undefined) continue;
    const message = `check "${id}" needs "${unknownNeed}", which is not one of its causes`;
    return { ok: false, reason: "NeedIsNoCause", message, checks: [id, unknownNeed] };
  }
  return undefined;
}
