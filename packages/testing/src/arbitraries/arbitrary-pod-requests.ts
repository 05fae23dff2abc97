import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import type { Event, KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aJob } from "../builders/a-job.ts";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";

/** A Pod to be created, and the other objects in the cluster. */
export interface PodAdmissionRequest {
  readonly pod: Pod;
  /** The Jobs, Pods, Nodes and Events in the cluster. */
  readonly objects: readonly KubernetesObject[];
  readonly facts: PodAdmissionFacts;
}

/** The properties of a request of {@link podAdmissionRequests}. Earlier ones take precedence. */
export interface PodAdmissionFacts {
  readonly role: "Follower" | "Leader" | "Shared" | "PlacedByNodeLabels" | "Foreign";
  /** The missing label, without which the name of the follower's leader is unknown. */
  readonly missingLabel?: string;
  /** The number of Pods that count as the leader. The fields below describe the case of one leader. */
  readonly activeLeaders: number;
  readonly owner: "Same" | "Other" | "NoneOfFollower" | "NoneOfLeader";
  readonly scheduled: boolean;
  readonly node: "Known" | "WithoutLabel" | "Unknown";
  /** The node selector of the Pod for the topology key `rack`. */
  readonly selector: "None" | "Empty" | "OtherKey" | "OtherDomain" | "Right";
}

/**
 * Generates Pods of the Job `train-workers-0`, mostly followers. The leader is in any state that affects the webhooks,
 * and the template has any node selector.
 */
export function podAdmissionRequests(
  fixed: Partial<PodAdmissionFacts> = {},
): fc.Arbitrary<PodAdmissionRequest> {
  const facts: fc.Arbitrary<PodAdmissionFacts> = fc.record({
    role: arbitraryUnlessFixed(
      fixed.role,
      weightFirst("Follower", "Leader", "Shared", "PlacedByNodeLabels", "Foreign"),
    ),
    missingLabel:
      "missingLabel" in fixed
        ? fc.constant(fixed.missingLabel)
        : weightFirst(undefined, JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY),
    activeLeaders: arbitraryUnlessFixed(
      fixed.activeLeaders,
      fc.constantFrom(1, 1, 1, 1, 1, 1, 0, 2, 3),
    ),
    owner: arbitraryUnlessFixed(
      fixed.owner,
      weightFirst("Same", "Other", "NoneOfFollower", "NoneOfLeader"),
    ),
    scheduled: arbitraryUnlessFixed(fixed.scheduled, fc.constantFrom(true, true, true, false)),
    node: arbitraryUnlessFixed(
      fixed.node,
      fc.constantFrom("Known", "Known", "Known", "WithoutLabel", "Unknown"),
    ),
    selector: arbitraryUnlessFixed(
      fixed.selector,
      fc.constantFrom("None", "Empty", "OtherKey", "OtherDomain", "Right"),
    ),
  });
  return fc.tuple(facts, surroundings()).map(([all, around]) => requestWith(all, around));
}

/** Properties that do not change the response, only its details. */
interface PodEnvironment {
  readonly leftovers: readonly ("Succeeded" | "Failed" | "BeingDeleted")[];
  readonly scheduler: "Silent" | "Unschedulable" | "Gated" | "Event";
  readonly refusals: readonly ("Follower" | "Quota")[];
  readonly priority?: number;
  readonly userPriority?: string;
}

function surroundings(): fc.Arbitrary<PodEnvironment> {
  return fc.record({
    leftovers: fc.subarray(["Succeeded", "Failed", "BeingDeleted"]),
    scheduler: fc.constantFrom("Silent", "Unschedulable", "Gated", "Event"),
    refusals: fc.subarray(["Follower", "Quota"]),
    priority: fc.constantFrom(undefined, 0, 100, -5),
    userPriority: fc.constantFrom(undefined, undefined, "7"),
  });
}

function arbitraryUnlessFixed<Value>(
  fixed: Value | undefined,
  arbitrary: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fixed === undefined ? arbitrary : fc.constant(fixed);
}

function weightFirst<const Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...Array<Value>(8).fill(usual), ...others);
}

const job = aJob("train-workers-0");
const topologyKey = "rack";

function requestWith(facts: PodAdmissionFacts, around: PodEnvironment): PodAdmissionRequest {
  const leaders = Array.from({ length: facts.activeLeaders }, (_, index) =>
    activeLeader(index, facts, around),
  );
  const nodes = {
    Known: [aNode("n1").withLabels({ [topologyKey]: "r1" })],
    WithoutLabel: [aNode("n1")],
    Unknown: [aNode("n2").withLabels({ [topologyKey]: "r1" })],
  }[facts.node];
  return {
    pod: podUnderAdmission(facts, around),
    objects: [job, ...leaders, ...around.leftovers.map(leftover), ...nodes, ...listEvents(around)],
    facts,
  };
}

function podUnderAdmission(facts: PodAdmissionFacts, around: PodEnvironment): Pod {
  let pod: APod = aPod(`${job.metadata.name}-${facts.role === "Leader" ? 0 : 1}-vwxyz`);
  pod = pod.withAnnotations({ [JOBSET_NAME_KEY]: facts.role === "Foreign" ? undefined : "train" });
  if (facts.role !== "Shared") pod = pod.exclusive(topologyKey);
  if (facts.role === "PlacedByNodeLabels") {
    pod = pod.withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "" });
  }
  if (facts.missingLabel !== undefined) pod = pod.withLabels({ [facts.missingLabel]: undefined });
  if (facts.owner === "NoneOfFollower") pod = pod.withoutOwner();
  pod = pod.withLabels({ [PRIORITY_KEY]: around.userPriority });
  const nodeSelector = selectors[facts.selector];
  return pod.withSpec({
    ...(nodeSelector !== undefined && { nodeSelector }),
    ...(around.priority !== undefined && { priority: around.priority }),
  });
}

const selectors: Readonly<
  Record<PodAdmissionFacts["selector"], Record<string, string> | undefined>
> = {
  None: undefined,
  Empty: {},
  OtherKey: { "cloud.google.com/gke-tpu-accelerator": "v5" },
  OtherDomain: { [topologyKey]: "r2" },
  Right: { [topologyKey]: "r1" },
};

function activeLeader(index: number, facts: PodAdmissionFacts, around: PodEnvironment): Pod {
  let pod = aLeader(`aaaa${index}`);
  if (facts.owner === "Other") pod = pod.controlledBy(job.withUid("an-earlier-uid"));
  if (facts.owner === "NoneOfLeader") pod = pod.withoutOwner();
  if (facts.scheduled) return pod.onNode("n1").withStatus({ phase: "Running" });
  const [reason, message] = {
    Silent: ["", ""],
    Event: ["", ""],
    Unschedulable: ["Unschedulable", unschedulable],
    Gated: ["SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates"],
  }[around.scheduler];
  if (reason === "") return pod;
  pod = pod.withStatus({
    conditions: [{ type: "PodScheduled", status: "False", reason, message }],
  });
  return around.scheduler === "Gated"
    ? pod.withSpec({ schedulingGates: [{ name: "kueue.x-k8s.io/admission" }] })
    : pod;
}

const unschedulable = "0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient google.com/tpu.";

function aLeader(suffix: string): APod {
  return aPod(`${job.metadata.name}-0-${suffix}`)
    .exclusive(topologyKey)
    .withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "0", [JOBSET_NAME_KEY]: "train" });
}

/** Returns a Pod with the leader's name that must be ignored. */
function leftover(how: PodEnvironment["leftovers"][number], index: number): Pod {
  const pod = aLeader(`zzzz${index}`).onNode("n1");
  return how === "BeingDeleted" ? pod.beingDeleted() : pod.withStatus({ phase: how });
}

function listEvents({ scheduler, refusals }: PodEnvironment): readonly Event[] {
  const failed = scheduler === "Event" ? [anEvent(aLeader("aaaa0"), unschedulable)] : [];
  const texts = {
    Follower:
      'admission webhook "vpod.kb.io" denied the request: follower pod node selector not set',
    Quota: 'pods "train-workers-0-0-kkkkk" is forbidden: exceeded quota: pods',
  };
  return [...failed, ...refusals.map((why) => anEvent(job, `Error creating: ${texts[why]}`))];
}

function anEvent({ apiVersion, kind, metadata }: KubernetesObject, message: string): Event {
  const { name, namespace, uid } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${message.length}`, namespace },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    reason: kind === "Pod" ? "FailedScheduling" : "FailedCreate",
    message,
    type: "Warning",
    lastTimestamp: "2026-02-07T06:56:19Z",
  };
}
