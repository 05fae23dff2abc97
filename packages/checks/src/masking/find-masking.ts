import { compareBytes } from "@jobset-ts/api/text";
import { type CausalGraphError, causalGraph } from "../causal-graph.ts";
import { causalOrder } from "../causal-order.ts";
import type { CheckDependencies } from "../check.ts";
import type { Masking, MaskingCounts, MaskingOptions, MaskingQuestion } from "./masking.ts";
import { maskingByTheorem } from "./masking-by-theorem.ts";
import { maskingInStates } from "./masking-in-states.ts";
import { type QuestionError, rejectQuestion } from "./masking-question.ts";
import { transitiveNeeds } from "./transitive-needs.ts";

/** The masking that is easiest to understand, with the complete state. Each list is in causal order. */
export interface MaskingCounterexample<Id extends string = string> extends Masking<Id> {
  /** The checks that do not apply in that state, because a check that they need fails. */
  readonly blocked: readonly Id[];
  readonly passing: readonly Id[];
}

/** A check in the order whose cause is not in the order. It may be reported while that cause fails unnoticed. */
export interface CoverageGap<Id extends string = string> {
  readonly check: Id;
  readonly missingCause: Id;
}

/** How the result was proved. */
export type MaskingProof =
  /** Every combination of passing and failing checks was tried, or every state in `reachable`. */
  | ({ readonly by: "Exhaustion" | "ReachableStates" } & MaskingCounts)
  /** There are too many combinations to try. {@link findMasking} describes the theorem. */
  | { readonly by: "Theorem" };

/** Whether an order of checks masks causes, and an order that does not. */
export interface MaskingReport<Id extends string = string> {
  readonly ok: true;
  readonly order: readonly Id[];
  /** Whether the order can report a symptom while its cause also fails. */
  readonly masks: boolean;
  readonly proof: MaskingProof;
  /**
   * Every pair of a reported check and a masked cause, sorted by the position of the reported check and then of the
   * cause. Causes outside the order come last, sorted by name.
   */
  readonly maskings: readonly Masking<Id>[];
  /**
   * The masking with the fewest failing checks. Ties are broken by the earliest reported check, then by the nearest
   * cause. Present if the order masks.
   */
  readonly counterexample?: MaskingCounterexample<Id>;
  /** In the order of the checks, then in causal order. */
  readonly gaps: readonly CoverageGap<Id>[];
  /** The order of the same checks that differs least and masks no cause that it checks. Often the same order. */
  readonly fixedOrder: readonly Id[];
}

/** Why an order cannot be analyzed. */
export interface MaskingError {
  readonly ok: false;
  readonly reason: CausalGraphError["reason"] | QuestionError["reason"];
  /** A sentence that names the checks. */
  readonly message: string;
  /** The affected checks. In a cycle, each is a cause of the next, starting with the smallest name. */
  readonly checks: readonly string[];
}

/** Up to this number of checks, all combinations are tried, at most 65,536. */
const exhaustibleCount = 16;

/**
 * Analyzes a webhook that runs its checks in a given order and reports the first failure. Proves that it never reports
 * a symptom while the cause also fails, or finds the smallest state in which it does.
 *
 * With up to 16 checks, the proof tries every combination of pass and fail. With more, it uses this theorem: *an order
 * masks if and only if some check precedes one of its causes and does not need it.* Such a check is reported in the
 * state in which exactly these two fail. Without such a pair, each failing cause in the order precedes the reported
 * check, so it would have been reported itself, or it blocks that check.
 *
 * Without `reachable`, only causes in the order count as maskings. The others are `gaps`, and `proof.masked` counts
 * both. With `reachable`, a failing cause is masked whether or not the order contains it.
 *
 * @param checks - all checks with their causes, at most 1,000
 * @param order - the checks that the webhook runs, first to last
 * @returns an error if the causes form a cycle, if the order names a check twice or one that is not listed, or if the
 *   question is invalid in another way; never throws
 * @example
 * const checks = [
 *   { id: "leader-scheduled", causes: [] },
 *   { id: "selector-set", causes: ["leader-scheduled"] },
 * ];
 * const report = findMasking(checks, ["selector-set", "leader-scheduled"]);
 * report.ok && report.maskings // => [{ reported: "selector-set", cause: "leader-scheduled", failing: ["leader-scheduled", "selector-set"] }]
 * report.ok && report.fixedOrder // => ["leader-scheduled", "selector-set"]
 */
export function findMasking<Id extends string>(
  checks: readonly CheckDependencies<Id>[],
  order: readonly NoInfer<Id>[],
  options?: MaskingOptions<NoInfer<Id>>,
): MaskingReport<Id> | MaskingError {
  const built = tooManyChecks(checks) ?? causalGraph(checks);
  if (!built.ok) return built;
  const { graph } = built;
  const needs = transitiveNeeds(graph);
  const rejected = rejectQuestion(graph, needs, order, options);
  if (rejected !== undefined) return rejected;

  const deniedBefore = new Set(options?.deniedBefore);
  const question = { graph, needs, order, deniedBefore };
  const { proof, maskings } =
    options?.reachable === undefined && checks.length > exhaustibleCount
      ? maskingByTheorem(question)
      : maskingInStates(question, options?.reachable);
  const sorted = sortMaskings(maskings, order);
  const counterexample = smallest(sorted, question);
  return {
    ok: true,
    order: [...order],
    masks: sorted.length > 0,
    proof,
    maskings: sorted,
    ...(counterexample === undefined ? {} : { counterexample }),
    gaps: findGaps(question),
    fixedOrder: causalOrder(order, (id) => graph.causes.get(id) ?? []),
  };
}

/** The result is a list of pairs. With a million checks it would not fit into memory. */
function tooManyChecks(checks: readonly unknown[]): MaskingError | undefined {
  const limit = 1000;
  if (!Array.isArray(checks) || checks.length <= limit) return undefined;
  const message = `there are ${checks.length} checks, more than ${limit}`;
  return { ok: false, reason: "TooManyChecks", message, checks: [] };
}

function sortMaskings<Id extends string>(
  maskings: readonly Masking<Id>[],
  order: readonly Id[],
): readonly Masking<Id>[] {
  const positions = new Map(order.map((id, position) => [id, position]));
  const getPosition = (id: Id) => positions.get(id) ?? order.length;
  return [...maskings].sort(
    (one, other) =>
      getPosition(one.reported) - getPosition(other.reported) ||
      getPosition(one.cause) - getPosition(other.cause) ||
      compareBytes(one.cause, other.cause),
  );
}

function smallest<Id extends string>(
  maskings: readonly Masking<Id>[],
  { graph, needs, order }: MaskingQuestion<Id>,
): MaskingCounterexample<Id> | undefined {
  const positions = new Map(order.map((id, position) => [id, position]));
  const causal = new Map(graph.order.map((id, position) => [id, position]));
  const at = (among: ReadonlyMap<Id, number>, id: Id) => among.get(id) ?? 0;
  const compareMaskings = (one: Masking<Id>, other: Masking<Id>) =>
    one.failing.length - other.failing.length ||
    at(positions, one.reported) - at(positions, other.reported) ||
    // Of two causes of a check, the later one in causal order is nearer.
    at(causal, other.cause) - at(causal, one.cause);
  let [masking] = maskings;
  if (masking === undefined) return undefined;
  for (const other of maskings) if (compareMaskings(other, masking) < 0) masking = other;
  const failing = new Set(masking.failing);
  const isBlocked = (id: Id) => masking.failing.some((failed) => needs.get(id)?.has(failed));
  return {
    ...masking,
    blocked: graph.order.filter((id) => isBlocked(id)),
    passing: graph.order.filter((id) => !failing.has(id) && !isBlocked(id)),
  };
}

function findGaps<Id extends string>({
  graph,
  order,
  deniedBefore,
}: MaskingQuestion<Id>): readonly CoverageGap<Id>[] {
  const ordered = new Set(order);
  return order.flatMap((check) =>
    [...(graph.causes.get(check) ?? [])]
      .reverse()
      .filter((cause) => !ordered.has(cause) && !deniedBefore.has(cause))
      .map((missingCause) => ({ check, missingCause })),
  );
}
