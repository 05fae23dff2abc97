import type { Unvalidated } from "@jobset-ts/api";
import { asString, getName, type Pod } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { Check, CheckResult } from "@jobset-ts/checks";
import { getNodeName, nodeNotFoundStatus } from "./leader-domain.ts";
import { isFromEarlierJob, type OwnerMismatch } from "./leader-lookup.ts";
import { nodeKey, podKey } from "./object-keys.ts";
import { INSPECT_LEADER } from "./pod-advice.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";

/**
 * Checks that a follower has a leader, and the leader a domain. Both webhooks run them, because the cluster may change
 * in between. The texts are upstream's.
 */
export const leaderChecks: readonly Check<PodView, PodCheckId>[] = [
  {
    id: "follower-labelled",
    causes: [],
    texts: {
      problem: "label-missing",
      advice: ["keep the labels that JobSet sets on its Pods"],
    },
    run: ({ pod, leader }) =>
      leader.outcome === "LabelMissing"
        ? {
            outcome: "Fail",
            message: `pod missing label: ${leader.labelKey}`,
            transient: false,
            objects: [podKey(pod)],
          }
        : pass,
  },
  {
    id: "one-active-leader",
    causes: [
      "follower-labelled",
      "pods-not-indexed",
      "leader-name-cut",
      "leader-finished",
      "leader-terminating",
      "leader-absent",
      "leader-duplicated",
    ],
    needs: ["follower-labelled"],
    texts: { problem: "leader-not-single", advice: [INSPECT_LEADER] },
    run: ({ leader }) => {
      if (leader.outcome === "Unread") {
        return { outcome: "Unknown", message: leader.unread.message };
      }
      if (leader.outcome !== "NotOne") return pass;
      const { leaderName, active, candidates } = leader;
      return {
        outcome: "Fail",
        message: `expected 1 leader pod (${leaderName}), but got ${active.length}. this is an expected, transient error`,
        transient: true,
        objects: candidates.map(podKey),
      };
    },
  },
  {
    id: "same-owner",
    causes: ["one-active-leader", "leader-of-other-job"],
    needs: ["one-active-leader"],
    texts: {
      problem: "owner-differs",
      advice: ["let Jobs create the Pods, and delete manually created Pods"],
    },
    run: ({ pod, leader }) =>
      leader.outcome === "OwnerMismatch" ? ownersDiffer(pod, leader.leader, leader.owners) : pass,
  },
  {
    id: "leader-scheduled",
    causes: ["same-owner", "scheduling-gated", "insufficient-capacity", "unschedulable"],
    needs: ["same-owner"],
    texts: { problem: "leader-unscheduled", advice: [INSPECT_LEADER] },
    run: ({ leader }) =>
      leader.outcome === "Found" && getNodeName(leader.leader) === ""
        ? leaderPending(leader.leader)
        : pass,
  },
  {
    id: "node-known",
    causes: ["leader-scheduled", "node-unknown"],
    needs: ["leader-scheduled"],
    texts: { problem: "node-not-found" },
    run: ({ domain, notFoundStyle }) => {
      if (domain?.outcome === "Unread") {
        const objects = [nodeKey(domain.nodeName)];
        return { outcome: "Unknown", message: domain.unread.message, objects };
      }
      if (domain?.outcome !== "NodeMissing") return pass;
      const { message } = nodeNotFoundStatus(domain.nodeName, notFoundStyle);
      return { outcome: "Fail", message, transient: true, objects: [nodeKey(domain.nodeName)] };
    },
  },
  {
    id: "node-in-domain",
    causes: ["node-known", "topology-label-missing"],
    needs: ["node-known"],
    texts: { problem: "domain-unknown" },
    run: ({ topologyKey, domain }) =>
      domain?.outcome === "LabelMissing"
        ? {
            outcome: "Fail",
            message: `node does not have topology label: ${topologyKey}`,
            transient: false,
            objects: [nodeKey(domain.nodeName)],
          }
        : pass,
  },
];

const pass: CheckResult = { outcome: "Pass" };

function ownersDiffer(
  follower: Unvalidated<Pod>,
  leader: Unvalidated<Pod>,
  owners: OwnerMismatch,
): CheckResult {
  const objects = [podKey(follower), podKey(leader)];
  switch (owners.kind) {
    case "FollowerHasNone": {
      const message = "follower pod has no owner reference";
      return { outcome: "Fail", message, transient: false, objects: [podKey(follower)] };
    }
    case "LeaderHasNone": {
      const message = `leader pod ${goQuote(getName(leader))} has no owner reference`;
      return { outcome: "Fail", message, transient: false, objects };
    }
    case "Different": {
      const [own, other] = [asString(owners.follower.uid), asString(owners.leader.uid)];
      const message = `follower pod owner UID (${own}) != leader pod owner UID (${other})`;
      return { outcome: "Fail", message, transient: isFromEarlierJob(owners), objects };
    }
  }
}

function leaderPending(leader: Unvalidated<Pod>): CheckResult {
  const object = podKey(leader);
  const phase = asString(leader.status?.phase);
  return {
    outcome: "Fail",
    message:
      "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error",
    statement: `leader ${object.name} is ${phase === "" ? "" : `${phase} `}without a node`,
    transient: true,
    objects: [object],
    evidence: [
      { kind: "Field", object, at: "status.phase", text: phase },
      { kind: "Absence", object, at: "spec.nodeName", text: "the Pod has no node" },
    ],
  };
}
