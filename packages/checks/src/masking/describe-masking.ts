import type { MaskingError, MaskingReport } from "./find-masking.ts";
import type { MaskingCounts } from "./masking.ts";

/**
 * Returns the result of {@link findMasking} as lines of text for people.
 *
 * @example
 * const checks = [{ id: "leader", causes: [] }, { id: "selector", causes: ["leader"] }];
 * const lines = describeMasking(findMasking(checks, ["selector", "leader"]));
 * lines[1] // => "This order can report a symptom although its cause also fails:"
 * lines[2] // => "  failing   leader, selector"
 * lines.at(-1) // => "An order that masks none of its checks: leader, selector"
 */
export function describeMasking(report: MaskingReport | MaskingError): readonly string[] {
  if (!report.ok) return [`unknown: ${report.message}`];
  return [
    `order: ${report.order.join(", ")}`,
    ...describeResult(report),
    describeProof(report),
    ...findGaps(report),
    ...describeFix(report),
  ];
}

function describeResult({ counterexample, maskings }: MaskingReport): readonly string[] {
  if (counterexample === undefined) {
    return ["This order never reports a symptom while a cause that it also checks fails."];
  }
  const { reported, cause, failing, blocked, passing } = counterexample;
  const rows = { failing, blocked, passing, reported: [reported], cause: [cause] };
  const others = maskings
    .filter((one) => one.reported !== reported || one.cause !== cause)
    .map((one) => `${one.reported} while ${one.cause} fails`);
  return [
    "This order can report a symptom although its cause also fails:",
    ...Object.entries(rows)
      .filter(([, ids]) => ids.length > 0)
      .map(([word, ids]) => `  ${word.padEnd(8)}  ${ids.join(", ")}`),
    ...(others.length > 0 ? [`It can also report ${others.join("; ")}.`] : []),
  ];
}

function describeProof({ proof }: MaskingReport): string {
  switch (proof.by) {
    case "Exhaustion":
      return `In ${proof.states} assignments of pass and fail: ${countItems(proof)}.`;
    case "ReachableStates":
      return `In ${proof.states} reachable states: ${countItems(proof)}.`;
    case "Theorem":
      return "Proved for all states: an order masks a cause if and only if a check precedes one of its causes that it does not need.";
  }
}

function countItems({ masked, maskedWithinOrder, failingButAdmitted }: MaskingCounts): string {
  return `a cause is masked in ${masked}, and one that the order also checks in ${maskedWithinOrder}; a failing object is admitted in ${failingButAdmitted}`;
}

function findGaps({ order, gaps }: MaskingReport): readonly string[] {
  return order.flatMap((id) => {
    const missing = gaps.filter(({ check }) => check === id).map((gap) => gap.missingCause);
    if (missing.length === 0) return [];
    return [`Causes of ${id} that the order does not check: ${missing.join(", ")}`];
  });
}

function describeFix({ order, fixedOrder }: MaskingReport): readonly string[] {
  if (order.every((id, index) => fixedOrder[index] === id)) return [];
  return [`An order that masks none of its checks: ${fixedOrder.join(", ")}`];
}
