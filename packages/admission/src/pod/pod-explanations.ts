import type { CheckExplanation } from "../check-explanation.ts";
import type { Finding } from "../verdict.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import { topologyKeyAt } from "./selector-checks.ts";

const inspectLeader = "inspect the leader pod, not the follower's node selector";
const retry = "wait for the Job controller to try again";

/** The mutating webhook copies a domain where there is one, and otherwise leaves the follower to the next webhook. */
const patchSkipped: CheckExplanation["between"] = {
  causes: ["follower-labelled", "one-active-leader", "same-owner", "leader-scheduled"],
  id: "patch-skipped",
  text: "the mutating stage had no domain to copy and left the follower unchanged",
};

const selectorMissing: CheckExplanation = {
  id: "selector-missing",
  text: ({ message, evidence }) => {
    const topologyKey = topologyKeyAt(evidence[0]?.at ?? "");
    return topologyKey === undefined
      ? message
      : `the follower carries no selector for ${topologyKey}`;
  },
  advice: [`the leader got its node between the two stages: ${retry}`],
  between: patchSkipped,
};

/** How the checks of a Pod are told. */
const explanations: Readonly<Record<PodCheckId, CheckExplanation>> = {
  "follower-labelled": {
    id: "label-missing",
    advice: ["leave the labels alone that JobSet gives its Pods"],
  },
  "one-active-leader": { id: "leader-not-single", advice: [inspectLeader] },
  "same-owner": {
    id: "owner-differs",
    advice: ["leave it to Jobs to create Pods, and delete those made by hand"],
  },
  "leader-scheduled": {
    id: "leader-unscheduled",
    text: leaderUnscheduled,
    advice: [inspectLeader],
  },
  "node-known": { id: "node-not-found" },
  "node-in-domain": { id: "domain-unknown" },
  "node-selector-set": selectorMissing,
  "topology-key-selected": selectorMissing,
  "leader-domain-selected": {
    id: "selector-differs",
    advice: [`the leader's domain changed between the two stages: ${retry}`],
  },

  "pods-not-indexed": {
    isBehind: true,
    advice: ["set completionMode: Indexed in the Job template, or do without exclusive placement"],
  },
  "leader-name-cut": {
    isBehind: true,
    advice: ["give the JobSet or the ReplicatedJob a shorter name"],
  },
  "leader-finished": {
    isBehind: true,
    advice: ["when the leader has succeeded, run the Job anew: no follower can join it any more"],
  },
  "leader-terminating": { isBehind: true, advice: [retry] },
  "leader-absent": {
    isBehind: true,
    advice: ["look at the Events of the Job: they say why its leader could not be created"],
  },
  "leader-duplicated": {
    isBehind: true,
    advice: ["delete the Pods that have the leader's name and are not the Job's"],
  },
  "leader-of-other-job": {
    isBehind: true,
    advice: ["see that the other Job's leader goes away"],
  },
  "insufficient-capacity": { isBehind: true, advice: [inspectLeader] },
  unschedulable: { isBehind: true, advice: [inspectLeader] },
  "scheduling-gated": {
    isBehind: true,
    advice: [inspectLeader, "find out who is to lift its scheduling gates"],
  },
  "node-unknown": {
    isBehind: true,
    advice: ["see that the leader is created anew, on a node that exists"],
  },
  "topology-label-missing": { isBehind: true, advice: ["label the node"] },
};

/** How the checks of a Pod are told, by their name. */
export const podExplanations: ReadonlyMap<string, CheckExplanation> = new Map(
  Object.entries(explanations),
);

function leaderUnscheduled({ message, objects, evidence }: Finding): string {
  const leader = objects[0]?.name;
  if (leader === undefined) return message;
  const phase = evidence.find(({ at }) => at === "status.phase")?.text;
  return phase
    ? `leader ${leader} is ${phase} without a node`
    : `leader ${leader} is without a node`;
}
