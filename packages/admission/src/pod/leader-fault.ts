import type { Unvalidated } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import {
  asString,
  getAnnotation,
  getControllerOf,
  getName,
  isBeingDeleted,
  MAX_GENERATE_NAME_BYTES,
  type OwnerReference,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { CheckFailure, Evidence } from "@jobset-ts/checks";
import type { Snapshot } from "@jobset-ts/core";
import { findFailedLeaderCreation } from "./leader-creation.ts";
import { type DomainLookup, getNodeName } from "./leader-domain.ts";
import { isFromEarlierJob, type LeaderLookup } from "./leader-lookup.ts";
import { nodeKey, podKey } from "./object-keys.ts";
import type { LeaderProblemId } from "./pod-check-ids.ts";
import { schedulingOutcome } from "./scheduling-outcome.ts";

/** The problem of a leader that cannot be followed, as far as the cluster shows it. */
export interface LeaderFault extends CheckFailure {
  readonly id: LeaderProblemId;
}

/** What is known about a follower's leader. */
export interface LeaderFacts {
  readonly pod: Unvalidated<Pod>;
  readonly topologyKey: string;
  readonly leader: LeaderLookup;
  readonly domain?: DomainLookup;
  readonly snapshot: Snapshot;
}

/**
 * Returns the problem of a leader that is missing, ambiguous, not on a node, or on an unknown node. There is at most
 * one problem for each outcome of the lookup.
 *
 * @returns `undefined` when the leader can be followed, and when the cluster shows no more than that it cannot
 */
export function leaderFault(facts: LeaderFacts): LeaderFault | undefined {
  const { leader, domain } = facts;
  switch (leader.outcome) {
    case "LabelMissing":
    case "Unread":
      return undefined;
    case "NotOne":
      return leader.active.length > 0
        ? createDuplicateFault(leader)
        : explainMissingLeader(facts, leader);
    case "OwnerMismatch":
      return leader.owners.kind === "Different"
        ? findOtherJobFault(leader.leader, leader.owners)
        : undefined;
    case "Found":
      return domain === undefined
        ? notScheduled(leader.leader, facts.snapshot)
        : findDomainFault(leader.leader, domain, facts.topologyKey);
  }
}

type Leaders = Extract<LeaderLookup, { outcome: "NotOne" }>;

/** From this length on, a leader's Pod name is truncated and does not start with the leader's name. */
const jobNameLengthCut = MAX_GENERATE_NAME_BYTES - "-0-".length + 1;

function explainMissingLeader({ pod, snapshot }: LeaderFacts, leaders: Leaders): LeaderFault {
  const { leaderName, candidates } = leaders;
  const job = leaderName.slice(0, -"-0".length);
  if (candidates.length > 0) return createMissingLeaderFault(pod, leaders);
  if (getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === undefined) {
    const message = `the Pods of Job ${job} have no completion index, so none of them can be the leader`;
    const at = `metadata.annotations[${JOB_COMPLETION_INDEX_KEY}]`;
    const object = podKey(pod);
    const evidence: Evidence[] = [{ kind: "Absence", object, at, text: "the Pod has no index" }];
    return { id: "pods-not-indexed", message, transient: false, objects: [object], evidence };
  }
  if (job.length >= jobNameLengthCut) {
    const message = `the name of Job ${job} has ${job.length} characters, so its leader cannot be identified by name: from ${jobNameLengthCut} characters, Pod names are truncated`;
    return { id: "leader-name-cut", message, transient: false, objects: [] };
  }
  const rejection = findFailedLeaderCreation(pod, snapshot);
  const message =
    rejection === undefined
      ? `there is no leader ${leaderName}`
      : `there is no leader ${leaderName}, because it could not be created: ${rejection.text}`;
  return {
    id: "leader-absent",
    message,
    transient: true,
    objects: rejection === undefined ? [] : [rejection.object],
    evidence: rejection === undefined ? [] : [rejection],
  };
}

/** All Pods with the leader's name have finished or are being deleted. */
function createMissingLeaderFault(
  follower: Unvalidated<Pod>,
  { leaderName, candidates }: Leaders,
): LeaderFault {
  const objects = candidates.map(podKey);
  const ended = candidates.filter((pod) => !isBeingDeleted(pod));
  if (ended.length === 0) {
    const message = `leader ${leaderName} is being deleted, and its replacement does not exist yet`;
    return { id: "leader-terminating", message, transient: true, objects };
  }
  // A Job does not rerun an index that has succeeded, so there will be no other leader.
  const done = ended.find(
    (pod) => pod.status?.phase === "Succeeded" && isOwnedAlike(pod, follower),
  );
  const named = done ?? ended[0] ?? follower;
  const phase = asString(named.status?.phase);
  return {
    id: "leader-finished",
    message:
      done === undefined
        ? `leader ${getName(named)} has finished (${phase}), and its replacement does not exist yet`
        : `leader ${getName(named)} has finished (${phase}), and its Job does not create another one`,
    transient: done === undefined,
    objects,
    evidence: [{ kind: "Field", object: podKey(named), at: "status.phase", text: phase }],
  };
}

function isOwnedAlike(one: Unvalidated<Pod>, other: Unvalidated<Pod>): boolean {
  return asString(getControllerOf(one)?.uid) === asString(getControllerOf(other)?.uid);
}

function createDuplicateFault({ leaderName, active }: Leaders): LeaderFault {
  const names = active.map(getName).join(", ");
  return {
    id: "leader-duplicated",
    message: `${active.length} Pods look like leader ${leaderName}: ${names}`,
    // A Job deletes surplus Pods by itself. Pods without a controller remain.
    transient: active.every((pod) => getControllerOf(pod) !== undefined),
    objects: active.map(podKey),
  };
}

function findOtherJobFault(
  leader: Unvalidated<Pod>,
  owners: {
    readonly follower: Unvalidated<OwnerReference>;
    readonly leader: Unvalidated<OwnerReference>;
    readonly kind: "Different";
  },
): LeaderFault {
  const isLeftOver = isFromEarlierJob(owners);
  const object = podKey(leader);
  const of = `${asString(owners.leader.kind)} ${asString(owners.leader.name)}`;
  return {
    id: "leader-of-other-job",
    message: isLeftOver
      ? `leader ${getName(leader)} is left over from an earlier ${of}`
      : `leader ${getName(leader)} belongs to ${of}, not to ${asString(owners.follower.kind)} ${asString(owners.follower.name)}`,
    transient: isLeftOver,
    objects: [object],
    evidence: [
      {
        kind: "Field",
        object,
        at: "metadata.ownerReferences",
        text: `${of} (UID ${asString(owners.leader.uid)})`,
      },
    ],
  };
}

function notScheduled(leader: Unvalidated<Pod>, snapshot: Snapshot): LeaderFault | undefined {
  const scheduling = schedulingOutcome(leader, snapshot);
  const objects = [podKey(leader)];
  switch (scheduling.outcome) {
    case "None":
      return undefined;
    case "Gated": {
      const gates = scheduling.gates.length === 0 ? "" : `: ${scheduling.gates.join(", ")}`;
      const message = `leader ${getName(leader)} is blocked by scheduling gates${gates}`;
      const { evidence } = scheduling;
      return { id: "scheduling-gated", message, transient: true, objects, evidence };
    }
    case "Unschedulable": {
      const { shortages, message, evidence } = scheduling;
      const why =
        shortages.length > 0
          ? shortages.join(", ")
          : message || "the scheduler does not report a reason";
      return {
        id: shortages.length > 0 ? "insufficient-capacity" : "unschedulable",
        message: `no node can host leader ${getName(leader)}: ${why}`,
        transient: true,
        objects,
        evidence,
      };
    }
  }
}

function findDomainFault(
  leader: Unvalidated<Pod>,
  domain: DomainLookup,
  topologyKey: string,
): LeaderFault | undefined {
  const { nodeName } = domain;
  const objects = [nodeKey(nodeName), podKey(leader)];
  const at: Evidence = {
    kind: "Field",
    object: podKey(leader),
    at: "spec.nodeName",
    text: getNodeName(leader),
  };
  switch (domain.outcome) {
    case "Found":
    case "Unread":
      return undefined;
    case "NodeMissing": {
      const evidence: Evidence[] = [
        at,
        { kind: "Absence", object: nodeKey(nodeName), text: "the node does not exist" },
      ];
      const message = `leader ${getName(leader)} is on node ${nodeName}, which does not exist`;
      return { id: "node-unknown", message, transient: true, objects, evidence };
    }
    case "LabelMissing": {
      const evidence: Evidence[] = [
        at,
        {
          kind: "Absence",
          object: nodeKey(nodeName),
          at: `metadata.labels[${topologyKey}]`,
          text: "the node does not have the label",
        },
      ];
      const message = `node ${nodeName}, which leader ${getName(leader)} is on, has no label ${topologyKey}`;
      return { id: "topology-label-missing", message, transient: false, objects, evidence };
    }
  }
}
