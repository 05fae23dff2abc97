import type { Unvalidated } from "@jobset-ts/api";
import { asString, type Event, findCondition, isObject } from "@jobset-ts/api/kubernetes";
import type { Evidence } from "@jobset-ts/checks";
import type { ObjectKey } from "@jobset-ts/core";
import { conditionEvidence, eventEvidence } from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { type ClusterIndex, findObject } from "../../view/cluster-facts.ts";
import { createEventFacts, type EventFacts, findLatest } from "../../view/events.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/** The time for the machine of a NodeClaim to become a node with all its devices. Karpenter gives up after 15 minutes. */
const NODE_READY_SECONDS = 600;

/** Why Karpenter adds no node: the fault of a NodeClaim or a NodePool. */
export interface KarpenterFault {
  readonly object: ObjectKey;
  /** What does not happen, without the name of the object. */
  readonly problem: string;
  readonly evidence: Evidence;
  readonly advice: string;
}

/** Returns why the NodeClaim in an Event `Nominated` does not become a node. Undefined while this may still happen. */
export function findNodeClaimFault(
  { facts, jobSet }: PodInJob,
  { message }: EventFacts,
): KarpenterFault | undefined {
  const name = /\bnodeclaim\/([a-z0-9.-]+)/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const claim = findObject(facts, "NodeClaim", "karpenter.sh", { name });
  const key = { apiVersion: "karpenter.sh/v1", kind: "NodeClaim", namespace: "", name };
  if (claim === undefined) {
    const event = findLatest(failuresByClaim(facts).get(name) ?? []);
    if (event === undefined) return undefined;
    const text = event.message.replace(/^NodeClaim \S+ event: /, "");
    const problem = `cannot be launched: ${event.reason}: ${text}`;
    return { object: key, problem, evidence: eventEvidence(key, event), advice: adviseOnLaunch() };
  }
  const created = claim.metadata?.creationTimestamp;
  for (const { type, problem, advise } of stages) {
    const condition = findCondition(claim.status?.conditions, type);
    if (condition === undefined || condition.status === "True") continue;
    const reason = asString(condition.reason);
    const hasFailed = type === "Launched" && reason !== "" && reason !== "AwaitingReconciliation";
    const age = ageOf(jobSet, created, NODE_READY_SECONDS);
    if (!hasFailed && age.status !== "Stuck") return undefined;
    const text = [reason, asString(condition.message)].filter((part) => part !== "").join(": ");
    return {
      object: key,
      problem: `${problem}: ${text}`,
      evidence: conditionEvidence(key, type, text),
      advice: advise(name),
    };
  }
  return undefined;
}

/** The conditions of a NodeClaim, in their order. */
const stages = [
  { type: "Launched", problem: "is not launched", advise: adviseOnLaunch },
  {
    type: "Registered",
    problem: "has a machine that has not joined the cluster",
    advise: (name: string) =>
      `check the log of the machine's kubelet, its bootstrap data and its network: kubectl describe nodeclaim ${name}`,
  },
  {
    type: "Initialized",
    problem: "has a node that is not initialized",
    advise: (name: string) =>
      `check the startup taints, the device plugins and the readiness of the node: kubectl describe nodeclaim ${name}`,
  },
] as const;

function adviseOnLaunch(): string {
  return "fix the error of the cloud in the message, or allow other machine types and zones in the NodePool: kubectl get nodepools,nodeclaims";
}

/** Karpenter deletes a NodeClaim whose machine is not available. Its Event remains. */
const launchFailures: ReadonlySet<string> = new Set([
  "InsufficientCapacityError",
  "NodeClassNotReady",
]);

const failuresByClaim = /* @__PURE__ */ memoizeByObject(
  (facts: ClusterIndex): ReadonlyMap<string, readonly EventFacts[]> => {
    const byName = new Map<string, EventFacts[]>();
    for (const event of ["", "events.k8s.io"].flatMap((group) =>
      facts.objects<Event>("Event", group),
    )) {
      const found = launchFailures.has(asString(event.reason))
        ? createEventFacts(event)
        : undefined;
      const name = getClaimName(event);
      if (found === undefined || name === undefined) continue;
      const ofClaim = byName.get(name);
      if (ofClaim === undefined) byName.set(name, [found]);
      else ofClaim.push(found);
    }
    return byName;
  },
);

function getClaimName(event: Unvalidated<Event>): string | undefined {
  const { regarding } = event as { readonly regarding?: Event["involvedObject"] };
  const object = isObject(event.involvedObject) ? event.involvedObject : regarding;
  return isObject(object) && object.kind === "NodeClaim" ? asString(object.name) : undefined;
}
