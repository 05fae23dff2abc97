import { JOB_INDEX_KEY, JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import { aJob } from "../builders/a-job.ts";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import type { SituationVariant } from "./pod-case.ts";

/** The situation of a follower, named after the state of its leader. */
export type LeaderSituation = keyof typeof leaderSituations;

/** The cluster and the follower in a situation. */
export interface LeaderState {
  /** Additional objects. Two nodes in two domains always exist. */
  readonly objects: (world: SituationVariant) => readonly KubernetesObject[];
  /** Changes the follower. */
  readonly pod?: (follower: APod) => APod;
}

/** The states of the leader by description. */
export const leaderSituations = {
  "the leader runs": { objects: (world) => [getLeader(world)] },
  "the leader is bound and has not started": {
    objects: (world) => [getLeader(world).withStatus({ phase: "Pending" })],
  },
  "the leader's phase is unknown": {
    objects: (world) => [getLeader(world).withStatus({ phase: "Unknown" })],
  },
  "the leader runs beside an earlier one that failed": {
    objects: (world) => [getLeader(world), withFailedPhase(getLeader(world, "zzzz1"))],
  },
  "the leader runs beside an earlier one that succeeded": {
    objects: (world) => [getLeader(world), withSucceededPhase(getLeader(world, "zzzz1"))],
  },
  "the leader runs beside an earlier one that is being deleted": {
    objects: (world) => [getLeader(world), inOtherDomain(getLeader(world, "zzzz1")).beingDeleted()],
  },
  "there is no leader": { objects: () => [] },
  "there is no leader, and a label that identifies it is missing": {
    objects: () => [],
    pod: (follower) => follower.withLabels({ [REPLICATED_JOB_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its JobSet": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [JOBSET_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its ReplicatedJob": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [REPLICATED_JOB_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its Job": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [JOB_INDEX_KEY]: undefined }),
  },
  "two leaders run": { objects: (world) => [getLeader(world), getLeader(world, "aaaa1")] },
  "one leader runs and another waits for a node": {
    objects: (world) => [getLeader(world), withoutNode(getLeader(world, "aaaa1"))],
  },
  "the leader waits for a node": { objects: (world) => [withoutNode(getLeader(world))] },
  "the leader waits for a node, and no node has capacity": {
    objects: (world) => [
      withoutNode(getLeader(world)).withStatus({
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/3 nodes are available: 3 Insufficient google.com/tpu.",
          },
        ],
      }),
    ],
  },
  "the leader waits for a node beside an earlier one that failed": {
    objects: (world) => [withoutNode(getLeader(world)), withFailedPhase(getLeader(world, "zzzz1"))],
  },
  "the leader belongs to an earlier Job of the same name": {
    objects: (world) => [getLeader(world).controlledBy(createJob(world).withUid("an-earlier-uid"))],
  },
  "the leader belongs to an earlier Job and waits for a node": {
    objects: (world) => [
      withoutNode(getLeader(world)).controlledBy(createJob(world).withUid("an-earlier-uid")),
    ],
  },
  "the leader has no owner": { objects: (world) => [getLeader(world).withoutOwner()] },
  "the follower has no owner": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withoutOwner(),
  },
  "the only leader has failed": { objects: (world) => [withFailedPhase(getLeader(world))] },
  "the only leader has succeeded": { objects: (world) => [withSucceededPhase(getLeader(world))] },
  "the only leader is being deleted": { objects: (world) => [getLeader(world).beingDeleted()] },
  "the leader's node is gone": {
    objects: (world) => [getLeader(world).onNode("n9")],
  },
  "the leader's node is in no domain": {
    objects: (world) => [getLeader(world), aNode("n1")],
  },
  "the leader's node is in a domain of another key only": {
    objects: (world) => [getLeader(world), aNode("n1").withLabels({ "acme.com/row": "r1" })],
  },
  "the leader has no phase yet": { objects: (world) => [getLeader(world).withStatus(noPhase)] },
  "three leaders run": {
    objects: (world) => ["aaaa0", "aaaa1", "zzzz1"].map((suffix) => getLeader(world, suffix)),
  },
  "the leader's controller is its second owner": {
    objects: (world) => [withOwnerBefore(getLeader(world))],
  },
  "the follower's controller is its second owner": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => withOwnerBefore(follower),
  },
  "leader and follower have the same owner, which controls neither": {
    objects: (world) => [
      withOwnerBefore(getLeader(world).controlledBy(createJob(world).withUid("an-earlier-uid"))),
    ],
    pod: (follower) => withOwnerBefore(follower),
  },
} satisfies Readonly<Record<string, LeaderState>>;

/** The situations with one active leader, which has a node. */
export const situationsWithOneLeader: readonly LeaderSituation[] = [
  "the leader runs",
  "the leader is bound and has not started",
  "the leader's phase is unknown",
  "the leader runs beside an earlier one that failed",
  "the leader runs beside an earlier one that succeeded",
  "the leader runs beside an earlier one that is being deleted",
  "the leader has no phase yet",
  "the leader's controller is its second owner",
  "the follower's controller is its second owner",
];

function createJob({ jobIndex }: SituationVariant) {
  return aJob(`train-workers-${jobIndex}`);
}

/** Returns a leader that runs on `n1`. */
export function getLeader(world: SituationVariant, suffix = "aaaa0"): APod {
  return getJobsLeader(world, world.jobIndex, suffix).onNode("n1").withStatus({ phase: "Running" });
}

/** Returns the leader of a Job, without a node. */
export function getJobsLeader(
  { topologyKey }: SituationVariant,
  jobIndex: number,
  suffix: string,
): APod {
  return withTrainAnnotations(aPod(`train-workers-${jobIndex}-0-${suffix}`), topologyKey);
}

/** Adds exclusive placement and the annotations that JobSet gives its Pods. */
export function withTrainAnnotations(pod: APod, topologyKey: string): APod {
  return pod.exclusive(topologyKey).withAnnotations({ [JOBSET_NAME_KEY]: "train" });
}

const noPhase = { phase: undefined } as unknown as NonNullable<Pod["status"]>;

/** Adds another owner, which is not the controller, before the controller. */
function withOwnerBefore(pod: APod): APod {
  const owner = { apiVersion: "a.io/v1", kind: "Study", name: "study", uid: "study-uid" };
  const { ownerReferences = [] } = pod.metadata;
  const copy = pod.withLabels({});
  copy.metadata.ownerReferences = [owner, ...ownerReferences];
  return copy;
}

function withoutNode(leader: APod): APod {
  return leader.withSpec({ nodeName: undefined }).withStatus({ phase: "Pending" });
}

/** Moves a Pod to the node in the other domain. */
export function inOtherDomain(pod: APod): APod {
  return pod.onNode("n2");
}

/** Returns the leader after it has failed on the node in the other domain. */
export function withFailedPhase(leader: APod): APod {
  return inOtherDomain(leader).withStatus({ phase: "Failed" });
}

function withSucceededPhase(leader: APod): APod {
  return inOtherDomain(leader).withStatus({ phase: "Succeeded" });
}
