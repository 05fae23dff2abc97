import { compareBytes } from "@jobset-ts/api/text";
import { type CausalGraphRefusal, causalGraph } from "../causal-graph.ts";
import { causalOrder } from "../causal-order.ts";
import type { CheckDependencies } from "../check.ts";
import type { Masking, MaskingCounts, MaskingOptions, MaskingQuestion } from "./masking.ts";
import { maskingByTheorem } from "./masking-by-theorem.ts";
import { maskingInStates } from "./masking-in-states.ts";
import { type QuestionRefusal, rejectQuestion } from "./masking-question.ts";
import { transitiveNeeds } from "./transitive-needs.ts";

/** The masking that is easiest to understand, with the whole state; each list is in causal order. */
export interface MaskingCounterexample<Id extends string = string> extends Masking<Id> {
  /** The checks that mean nothing in that state, since something that they need fails. */
  readonly blocked: readonly Id[];
  readonly passing: readonly Id[];
}

/** A check that an order makes without one of its causes: it may be reported while that cause fails, unseen. */
export interface CoverageGap<Id extends string = string> {
  readonly check: Id;
  readonly missingCause: Id;
}

/** How it is known whether an order masks. */
export type MaskingProof =
  /** Every combination of passing and failing checks was tried, or every state given as reachable. */
  | ({ readonly by: "Exhaustion" | "ReachableStates" } & MaskingCounts)
  /** There are too many assignments to look at; see {@link findMasking} for the theorem. */
  | { readonly by: "Theorem" };

/** Whether an order of checks masks causes, and what would mend it. */
export interface MaskingReport<Id extends string = string> {
  readonly ok: true;
  readonly order: readonly Id[];
  /** Whether the order can report a symptom while its cause fails as well. */
  readonly masks: boolean;
  readonly proof: MaskingProof;
  /**
   * Every pair of a reported check and a masked cause, in the order of the reported ones, then of the causes; causes
   * that the order does not make come last, by name.
   */
  readonly maskings: readonly Masking<Id>[];
  /**
   * The masking with the fewest failing checks, of those the one whose reported check stands earliest in the order,
   * with the nearest cause. Present when the order masks.
   */
  readonly counterexample?: MaskingCounterexample<Id>;
  /** In the order of the checks, then in causal order. */
  readonly gaps: readonly CoverageGap<Id>[];
  /** The order of the same checks that deviates least and masks no cause that it checks; often the same order. */
  readonly fixedOrder: readonly Id[];
}

/** Why nothing can be said about an order. */
export interface MaskingError {
  readonly ok: false;
  readonly reason: CausalGraphRefusal["reason"] | QuestionRefusal["reason"];
  /** A sentence that names the checks. */
  readonly message: string;
  /** The checks that it is about; of a cycle each is a cause of the next, from the smallest name on. */
  readonly checks: readonly string[];
}

/** Up to this number of checks all combinations are tried, 65,536 at most. */
const exhaustibleCount = 16;

/**
 * Proves that a webhook which makes its checks in a given order, and reports the first that fails, never reports a
 * symptom while the cause fails as well; or finds the smallest state in which it does.
 *
 * With up to 16 checks the proof looks at every assignment of pass and fail. With more it is the theorem: *an order
 * masks just when some check stands before one of its causes and does not need it.* Such a check is reported in the
 * state in which the two fail. Without such a pair, what is reported has every failing cause that the order checks
 * before it, where it would have been reported itself, or blocks on it.
 *
 * Without `reachable`, only causes that the order itself checks are maskings; the others are `gaps`, and
 * `proof.masked` counts both. With `reachable`, a cause that fails is masked whether the order checks it or not.
 *
 * @param checks - all checks and what brings what about, at most 1,000
 * @param order - the checks that the webhook makes, first to last
 * @returns a refusal when the causes form a cycle, when the order names a check twice or one that is not listed, and
 *   for any other question that makes no sense; never throws
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

/** The answer is a list of pairs: with a million checks it would fit into no memory. */
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
  const positionOf = (id: Id) => positions.get(id) ?? order.length;
  return [...maskings].sort(
    (one, other) =>
      positionOf(one.reported) - positionOf(other.reported) ||
      positionOf(one.cause) - positionOf(other.cause) ||
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
  const byEase = (one: Masking<Id>, other: Masking<Id>) =>
    one.failing.length - other.failing.length ||
    at(positions, one.reported) - at(positions, other.reported) ||
    // Of two causes of one check, the later in causal order is the nearer.
    at(causal, other.cause) - at(causal, one.cause);
  let [masking] = maskings;
  if (masking === undefined) return undefined;
  for (const other of maskings) if (byEase(other, masking) < 0) masking = other;
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
