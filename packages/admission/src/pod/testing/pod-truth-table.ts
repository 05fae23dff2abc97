import type { PodAdmissionFacts } from "../../../../testing/src/arbitraries/arbitrary-pod-requests.ts";

/** The problem that a webhook reports about a follower, or `Admit`. */
export type ReportedProblem =
  | "Admit"
  | "Labels"
  | "Leader"
  | "Owner"
  | "Scheduled"
  | "Node"
  | "Label"
  | "Selector"
  | "Key"
  | "Value";

/** The possible orders of the checks of a validating webhook. */
export type PodOrderName = "upstream" | "pr1188" | "rootCause";

const [P, K, V] = ["Selector", "Key", "Value"] as const;

/**
 * The problem that the validating webhook reports about a follower: by the problem of the leader (`Admit` if it has
 * none), then by the node selector of the follower, then by the order of the checks.
 *
 * @see JobSet #1187
 */
const table: Readonly<
  Record<
    Exclude<ReportedProblem, typeof P | typeof K | typeof V>,
    Readonly<
      Record<
        PodAdmissionFacts["selector"],
        readonly [upstream: ReportedProblem, pr: ReportedProblem, root: ReportedProblem]
      >
    >
  >
> = {
  Labels: maskProblem("Labels"),
  Leader: maskProblem("Leader"),
  Owner: maskProblem("Owner"),
  Scheduled: maskProblem("Scheduled"),
  Node: withoutNodeCheck("Node"),
  Label: withoutNodeCheck("Label"),
  Admit: {
    None: [P, P, P],
    Empty: [K, K, K],
    OtherKey: [K, K, K],
    OtherDomain: ["Admit", "Admit", V],
    Right: ["Admit", "Admit", "Admit"],
  },
};

/** The missing selector masks the problem of the leader that causes it. */
function maskProblem(cause: ReportedProblem) {
  return {
    None: [P, cause, cause],
    Empty: [K, cause, cause],
    OtherKey: [K, cause, cause],
    OtherDomain: [cause, cause, cause],
    Right: [cause, cause, cause],
  } as const;
}

/** Two of the orders do not check the leader's node. */
function withoutNodeCheck(cause: ReportedProblem) {
  return {
    None: [P, P, cause],
    Empty: [K, K, cause],
    OtherKey: [K, K, cause],
    OtherDomain: ["Admit", "Admit", cause],
    Right: ["Admit", "Admit", cause],
  } as const;
}

/** Returns the problem that the validating webhook alone reports. */
export function expectedProblem(facts: PodAdmissionFacts, order: PodOrderName): ReportedProblem {
  if (facts.role !== "Follower") return "Admit";
  const [upstream, pr1188, rootCause] = table[findLeaderProblem(facts)][facts.selector];
  return { upstream, pr1188, rootCause }[order];
}

/**
 * Returns the problem that both webhooks report, one after the other, in a cluster that does not change in
 * between.
 */
export function expectedStageAndProblem(
  facts: PodAdmissionFacts,
  order: PodOrderName,
): { readonly stage: "mutate" | "validate"; readonly reported: ReportedProblem } {
  if (facts.role !== "Follower") return { stage: "validate", reported: "Admit" };
  const wrong = findLeaderProblem(facts);
  if (wrong === "Node" || wrong === "Label") return { stage: "mutate", reported: wrong };
  const reported = wrong === "Admit" ? "Admit" : expectedProblem(facts, order);
  return { stage: "validate", reported };
}

function findLeaderProblem(facts: PodAdmissionFacts): keyof typeof table {
  if (facts.missingLabel !== undefined) return "Labels";
  if (facts.activeLeaders !== 1) return "Leader";
  if (facts.owner !== "Same") return "Owner";
  if (!facts.scheduled) return "Scheduled";
  return ({ Unknown: "Node", WithoutLabel: "Label", Known: "Admit" } as const)[facts.node];
}

/** Returns the problem in a webhook's message, identified by its prefix. */
export function findReportedProblem(message: string): ReportedProblem | undefined {
  return Object.entries(words).find(([start]) => message.startsWith(start))?.[1];
}

const words: Readonly<Record<string, ReportedProblem>> = {
  "pod missing label: ": "Labels",
  "expected 1 leader pod (train-workers-0-0), but got ": "Leader",
  "follower pod has no owner reference": "Owner",
  'leader pod "train-workers-0-0-aaaa0" has no owner reference': "Owner",
  "follower pod owner UID (": "Owner",
  "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error":
    "Scheduled",
  'nodes "n1" not found': "Node",
  'Node "n1" not found': "Node",
  "node does not have topology label: rack": "Label",
  "follower pod node selector not set": "Selector",
  "follower pod node selector for topology domain not found. missing selector: rack": "Key",
  "follower pod node selector rack=r2 does not match leader topology domain r1": "Value",
};
