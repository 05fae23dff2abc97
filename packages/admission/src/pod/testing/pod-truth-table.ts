import type { PodAdmissionFacts } from "../../../../testing/src/arbitraries/arbitrary-pod-requests.ts";

/** What a webhook says of a follower: nothing, or which thing is wrong. */
export type Told =
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

/** The orders in which a validating webhook may ask. */
export type PodOrderName = "upstream" | "pr1188" | "rootCause";

const [P, K, V] = ["Selector", "Key", "Value"] as const;

/**
 * What the validating webhook says of a follower: by what is wrong with the leader (`Admit`: nothing is), then by the
 * node selector that the follower carries, then by the order in which the webhook asks.
 *
 * @see JobSet #1187
 */
const table: Readonly<
  Record<
    Exclude<Told, typeof P | typeof K | typeof V>,
    Readonly<Record<PodAdmissionFacts["selector"], readonly [upstream: Told, pr: Told, root: Told]>>
  >
> = {
  Labels: masked("Labels"),
  Leader: masked("Leader"),
  Owner: masked("Owner"),
  Scheduled: masked("Scheduled"),
  Node: unseen("Node"),
  Label: unseen("Label"),
  Admit: {
    None: [P, P, P],
    Empty: [K, K, K],
    OtherKey: [K, K, K],
    OtherDomain: ["Admit", "Admit", V],
    Right: ["Admit", "Admit", "Admit"],
  },
};

/** What is wrong with the leader hides behind the selector that is missing for it. */
function masked(cause: Told) {
  return {
    None: [P, cause, cause],
    Empty: [K, cause, cause],
    OtherKey: [K, cause, cause],
    OtherDomain: [cause, cause, cause],
    Right: [cause, cause, cause],
  } as const;
}

/** What is wrong with the leader's node is not looked at by two of the orders. */
function unseen(cause: Told) {
  return {
    None: [P, P, cause],
    Empty: [K, K, cause],
    OtherKey: [K, K, cause],
    OtherDomain: ["Admit", "Admit", cause],
    Right: ["Admit", "Admit", cause],
  } as const;
}

/** What the validating webhook alone says. */
export function toldByTheTable(facts: PodAdmissionFacts, order: PodOrderName): Told {
  if (facts.role !== "Follower") return "Admit";
  const [upstream, pr1188, rootCause] = table[wrongWithLeader(facts)][facts.selector];
  return { upstream, pr1188, rootCause }[order];
}

/** What both webhooks say one after the other, of a cluster that does not change between them. */
export function toldByBothStages(
  facts: PodAdmissionFacts,
  order: PodOrderName,
): { readonly stage: "mutate" | "validate"; readonly told: Told } {
  if (facts.role !== "Follower") return { stage: "validate", told: "Admit" };
  const wrong = wrongWithLeader(facts);
  if (wrong === "Node" || wrong === "Label") return { stage: "mutate", told: wrong };
  const told = wrong === "Admit" ? "Admit" : toldByTheTable(facts, order);
  return { stage: "validate", told };
}

function wrongWithLeader(facts: PodAdmissionFacts): keyof typeof table {
  if (facts.missingLabel !== undefined) return "Labels";
  if (facts.activeLeaders !== 1) return "Leader";
  if (facts.owner !== "Same") return "Owner";
  if (!facts.scheduled) return "Scheduled";
  return ({ Unknown: "Node", WithoutLabel: "Label", Known: "Admit" } as const)[facts.node];
}

/** Which thing a webhook says is wrong, by the beginning of its words. */
export function whatIsTold(message: string): Told | undefined {
  return Object.entries(words).find(([start]) => message.startsWith(start))?.[1];
}

const words: Readonly<Record<string, Told>> = {
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
