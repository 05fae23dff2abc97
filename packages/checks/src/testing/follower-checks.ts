import type { CheckDependencies } from "../check.ts";

/**
 * The conditions for a follower Pod, as letters: labels present, one active leader, same owner, leader scheduled, node
 * known, node has the topology label, selector present, its key present, its value correct.
 */
export type CheckLetter = "G" | "L" | "O" | "S" | "N" | "T" | "P" | "K" | "V";

/** In causal order, each with its direct causes. */
const withLabels: readonly CheckDependencies<CheckLetter>[] = [
  { id: "G", causes: [] },
  { id: "L", causes: ["G"], needs: ["G"] },
  { id: "O", causes: ["L"], needs: ["L"] },
  { id: "S", causes: ["O"], needs: ["O"] },
  { id: "N", causes: ["S"], needs: ["S"] },
  { id: "T", causes: ["N"], needs: ["N"] },
  { id: "P", causes: ["T"] },
  { id: "K", causes: ["P"], needs: ["P"] },
  { id: "V", causes: ["K"], needs: ["K", "T"] },
];

/** The checks with the labels as part of L, as in upstream's webhook. */
const labelsInLeader: readonly CheckDependencies<CheckLetter>[] = withLabels
  .filter(({ id }) => id !== "G")
  .map((check) => (check.id === "L" ? { id: "L", causes: [] } : check));

export const followerChecks = { withLabels, labelsInLeader } as const;

/** The orders in which webhooks run these checks. */
export const followerOrders = {
  upstream: ["P", "K", "L", "O", "S"],
  pr1188: ["L", "O", "S", "P", "K"],
  rootCause: ["L", "O", "S", "N", "T", "P", "K", "V"],
} as const satisfies Readonly<Record<string, readonly CheckLetter[]>>;
