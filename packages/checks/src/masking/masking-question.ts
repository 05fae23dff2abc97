import { type CausalGraph, firstDuplicate, isNameList } from "../causal-graph.ts";
import type { MaskingOptions } from "./masking.ts";

/** Why a question about an order is invalid. */
export interface QuestionError {
  readonly ok: false;
  readonly reason:
    | "TooManyChecks"
    | "MalformedOrder"
    | "DuplicateInOrder"
    | "UnknownInOrder"
    | "MalformedOptions"
    | "UnknownInOptions"
    | "ImpossibleState";
  readonly message: string;
  readonly checks: readonly string[];
}

/** Returns the problem of an invalid order or of invalid states. The input may be untrusted. */
export function rejectQuestion<Id extends string>(
  { causes }: CausalGraph<Id>,
  needs: ReadonlyMap<Id, ReadonlySet<Id>>,
  order: readonly Id[],
  options: MaskingOptions<Id> | undefined,
): QuestionError | undefined {
  if (!isNameList(order))
    return createQuestionError("MalformedOrder", "the order is not a list of checks");
  const twice = firstDuplicate(order);
  if (twice !== undefined) {
    return createQuestionError("DuplicateInOrder", `the order names check "${twice}" twice`, twice);
  }
  const unknownId = order.find((id) => !causes.has(id));
  if (unknownId !== undefined) {
    return createQuestionError(
      "UnknownInOrder",
      `the order names "${unknownId}", which is not a check`,
      unknownId,
    );
  }

  const { reachable = [], deniedBefore = [] } = options ?? {};
  if (!Array.isArray(reachable) || ![...reachable, deniedBefore].every(isNameList)) {
    return createQuestionError(
      "MalformedOptions",
      "each state, and deniedBefore, must be a list of checks",
    );
  }
  for (const state of [deniedBefore, ...reachable]) {
    const unknown = state.find((id: Id) => !causes.has(id));
    if (unknown === undefined) continue;
    const message = `the options name "${unknown}", which is not a check`;
    return createQuestionError("UnknownInOptions", message, unknown);
  }
  for (const state of reachable) {
    const impossible = findImpossibleFailure(state, needs);
    if (impossible !== undefined) return impossible;
  }
  return undefined;
}

/** A check is blocked and does not fail if a check that it needs fails. */
function findImpossibleFailure<Id extends string>(
  state: readonly Id[],
  needs: ReadonlyMap<Id, ReadonlySet<Id>>,
): QuestionError | undefined {
  const failing = new Set(state);
  for (const id of state) {
    const need = [...(needs.get(id) ?? [])].find((needed) => failing.has(needed));
    if (need === undefined) continue;
    const message = `check "${id}" needs "${need}", so both cannot fail in one state`;
    return createQuestionError("ImpossibleState", message, id, need);
  }
  return undefined;
}

function createQuestionError(
  reason: QuestionError["reason"],
  message: string,
  ...checks: readonly string[]
): QuestionError {
  return { ok: false, reason, message, checks };
}
