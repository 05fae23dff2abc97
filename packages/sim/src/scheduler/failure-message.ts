import { compareBytes } from "@jobset-ts/api/text";

/** The scheduler's message if there are no nodes. */
export const NO_NODES = "no nodes available to schedule pods";

export const NO_VICTIMS = "No preemption victims found for incoming pod";
export const NOT_HELPFUL = "Preemption is not helpful for scheduling";

/** Why preemption found no victims. */
export type PreemptionFailure =
  | { readonly eligible: false; readonly reason: string }
  | { readonly eligible: true; readonly reasons: ReadonlyMap<string, number> };

export const NEVER_PREEMPTS: PreemptionFailure = {
  eligible: false,
  reason: "not eligible due to preemptionPolicy=Never.",
};
export const WAITS_FOR_VICTIMS: PreemptionFailure = {
  eligible: false,
  reason: "not eligible due to a terminating pod on the nominated node.",
};

/**
 * Formats why no node fits a Pod, in the scheduler's words.
 *
 * @param preemption - undefined if preemption found victims
 * @see Kubernetes 1.36 `framework.FitError`
 */
export function formatFailureMessage(
  nodeCount: number,
  reasons: ReadonlyMap<string, number>,
  preemption: PreemptionFailure | undefined,
): string {
  const rejected = formatReasons(nodeCount, reasons);
  if (preemption === undefined) return rejected;
  const reason = preemption.eligible
    ? formatReasons(nodeCount, preemption.reasons)
    : preemption.reason;
  return `${rejected} no new claims to deallocate, preemption: ${reason}`;
}

function formatReasons(nodeCount: number, reasons: ReadonlyMap<string, number>): string {
  const parts = Array.from(reasons, ([reason, count]) => `${count} ${reason}`).sort(compareBytes);
  return `0/${nodeCount} nodes are available: ${parts.join(", ")}.`;
}

const MAX_NOTE = 1024;
const ELLIPSIS = " ...";

/** Truncates a message to the maximum length of an Event note. */
export function truncateNote(message: string): string {
  return message.length <= MAX_NOTE
    ? message
    : message.slice(0, MAX_NOTE - ELLIPSIS.length) + ELLIPSIS;
}
