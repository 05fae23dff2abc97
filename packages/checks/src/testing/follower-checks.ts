import type { CheckDependencies } from "../check.ts";

/**
 * What has to hold of a follower Pod, in letters: labels present, one active leader, same owner, leader scheduled, node
 * known, node has the topology label, selector present, its key present, its value right.
 */
export type Letter = "G" | "L" | "O" | "S" | "N" | "T" | "P" | "K" | "V";

/** In causal order, each with the causes that are next to it. */
const withLabels: readonly CheckDependencies<Letter>[] = [
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

/** With the labels as part of L, as upstream's webhook has them. */
const labelsInLeader: readonly CheckDependencies<Letter>[] = withLabels
  .filter(({ id }) => id !== "G")
  .map((check) => (check.id === "L" ? { id: "L", causes: [] } : check));

export const followerChecks = { withLabels, labelsInLeader } as const;

/** The orders in which webhooks make these checks. */
export const followerOrders = {
  upstream: ["P", "K", "L", "O", "S"],
  pr1188: ["L", "O", "S", "P", "K"],
  rootCause: ["L", "O", "S", "N", "T", "P", "K", "V"],
} as const satisfies Readonly<Record<string, readonly Letter[]>>;
