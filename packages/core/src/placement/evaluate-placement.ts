import type { Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOB_KEY_KEY } from "@jobset-ts/api/keys";
import { getControllerOf, type Pod } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { Context } from "../context.ts";
import { usesNodeSelectorStrategy } from "../desired/exclusive-placement.ts";
import {
  asRecord,
  asString,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  isObject,
} from "../jobset-members.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { unreadReason } from "../snapshot/unread-reason.ts";
import { isLeaderPod } from "./leader.ts";

/** Whether the followers of a leader are in its domain, and what to do if they are not. */
export type PlacementDecision =
  /** The leader is not alive, its Job is placed by other means, it has no followers, or all followers agree. */
  | {
      readonly action: "None";
      readonly reason:
        | "LeaderGone"
        | "LeaderEnded"
        | "NodeSelectorStrategy"
        | "NoFollowers"
        | "FollowersAgree";
    }
  | {
      readonly action: "DeleteFollowers";
      /** All followers, by name. */
      readonly followers: readonly Unvalidated<Pod>[];
      /** The leader's domain. */
      readonly domain: string;
      /** The first follower that does not select this domain. */
      readonly violator: string;
      /** The domain that it selects instead. Absent if it does not select a domain. */
      readonly declared?: string;
    }
  /** The leader's domain or its followers are unknown. */
  | {
      readonly action: "Refuse";
      readonly message: string;
      readonly object: { readonly kind: string; readonly name: string };
    };

/** A decision with observations. */
export interface EvaluatedPlacement {
  readonly decision: PlacementDecision;
  /** Pods with the leader's job key that another object controls, such as leftovers of a Job with the same name. */
  readonly foreign: readonly Unvalidated<Pod>[];
}

/**
 * Evaluates whether the followers of a leader are in its domain.
 *
 * A follower's domain is the one in its node selector, not the one in which it runs. A leader's domain is that of its
 * node. If the node is gone or its label is empty, or the leader has no node, the domain is `""`.
 *
 * @param leader - `undefined` if it does not exist
 */
export function evaluatePlacement(
  snapshot: Snapshot,
  leader: Unvalidated<Pod> | undefined,
  context: Context,
): EvaluatedPlacement {
  if (!isObject(leader)) return createNoDecision("LeaderGone");
  if (!mayStillBind(leader, context)) return createNoDecision("LeaderEnded");
  if (isLeftAlone(leader, context)) return createNoDecision("NodeSelectorStrategy");

  const self = { kind: "Pod", name: getName(leader) };
  const jobKey = getLabel(leader, JOB_KEY_KEY);
  if (jobKey === undefined) {
    return createRejection(`job key label not found on leader pod: ${goQuote(self.name)}`, self);
  }
  const owner = getControllerOf(leader);
  const anyOwner = context.quirks.has("ForeignFollowersFound");
  if (owner === undefined && !anyOwner) {
    return createRejection(`leader pod ${goQuote(self.name)} has no controller owner`, self);
  }
  const unread = unreadReason(snapshot, "Pod");
  if (unread !== undefined) return createRejection(unread, { kind: "Pod", name: "" });
  const pods = snapshot.podsByJobKey(getNamespace(leader), jobKey);
  const uid = asString(owner?.uid);
  const isOwn = (pod: Unvalidated<Pod>) => anyOwner || isControlledBy(pod, uid);
  const foreign = pods.filter((pod) => !isOwn(pod));
  const domain = getDomain(leader, snapshot);
  if (!domain.ok) return { ...createRejection(domain.message, domain.object), foreign };

  const followers = pods.filter(
    (pod) => isOwn(pod) && !isLeaderPod(pod) && !isLeftAlone(pod, context),
  );
  return { decision: judgeFollowers(leader, domain, followers, context), foreign };
}

/** Reports whether a leader is still alive. Once all its containers have finished, followers need not join it. */
export function mayStillBind({ status }: Unvalidated<Pod>, { quirks }: Context): boolean {
  const hasEnded = status?.phase === "Succeeded" || status?.phase === "Failed";
  return !hasEnded || quirks.has("DeadLeaderEnforces");
}

/**
 * Reports whether a Pod is placed by node labels. Such a Pod declares no domain, so placement repair would delete it
 * again and again.
 */
export function isLeftAlone(pod: Unvalidated<Pod>, { quirks }: Context): boolean {
  return (
    usesNodeSelectorStrategy(asRecord(pod.metadata?.annotations)) &&
    !quirks.has("NodeSelectorFollowersRepaired")
  );
}

/** Reports whether the object with this UID manages a Pod. */
export function isControlledBy(pod: Unvalidated<Pod>, uid: string): boolean {
  const owner = getControllerOf(pod);
  return owner !== undefined && asString(owner.uid) === uid;
}

/** The topology domain of a leader, or why it is unknown. */
export type LeaderDomain =
  | { readonly ok: true; readonly topologyKey: string; readonly value: string }
  | (Omit<Extract<PlacementDecision, { action: "Refuse" }>, "action"> & { readonly ok: false });

/** Returns the domain of a leader: the value of its node's label, or `""` without a node. */
export function getDomain(leader: Unvalidated<Pod>, snapshot: Snapshot): LeaderDomain {
  const topologyKey = getAnnotation(leader, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
  const object = { kind: "Node", name: asString(leader.spec?.nodeName) };
  // Upstream reads the Node even if the leader has no node, so a failed read is reported first.
  const unread = unreadReason(snapshot, "Node");
  if (unread !== undefined) return { ok: false, message: unread, object };
  const node = object.name === "" ? undefined : snapshot.node(object.name);
  if (node === undefined) return { ok: true, topologyKey, value: "" };
  const value = getLabel(node, topologyKey);
  return value === undefined
    ? { ok: false, message: `node does not have topology label: ${topologyKey}`, object }
    : { ok: true, topologyKey, value };
}

function judgeFollowers(
  leader: Unvalidated<Pod>,
  { topologyKey, value }: Extract<LeaderDomain, { ok: true }>,
  followers: readonly Unvalidated<Pod>[],
  { quirks }: Context,
): PlacementDecision {
  if (followers.length === 0) return { action: "None", reason: "NoFollowers" };
  const violator = followers.find((pod) => declaredDomain(pod, topologyKey) !== value);
  if (violator === undefined) return { action: "None", reason: "FollowersAgree" };
  if (quirks.has("RepairDeletesNothing")) {
    const object = { kind: "Pod", name: getName(violator) };
    return { action: "Refuse", message: mismatchMessage(violator, topologyKey, value), object };
  }
  if (value === "") {
    const nodeName = asString(leader.spec?.nodeName);
    // The message mentions a missing node even if the node exists and its label is empty.
    return {
      action: "Refuse",
      message: "leader topology is unknown (node not found)",
      object:
        nodeName === "" ? { kind: "Pod", name: getName(leader) } : { kind: "Node", name: nodeName },
    };
  }
  const declared = declaredDomain(violator, topologyKey);
  return {
    action: "DeleteFollowers",
    followers,
    domain: value,
    violator: getName(violator),
    ...(declared !== undefined && { declared }),
  };
}

/** Returns the error of a release for a follower outside the domain of its leader. */
function mismatchMessage(follower: Unvalidated<Pod>, topologyKey: string, domain: string): string {
  const declared = declaredDomain(follower, topologyKey);
  if (declared !== undefined) {
    return `follower topology ${goQuote(declared)} != leader topology ${goQuote(domain)}`;
  }
  const selector = `pod ${getName(follower)} nodeSelector is`;
  return isObject(follower.spec?.nodeSelector)
    ? `${selector} missing key: ${topologyKey}`
    : `${selector} nil`;
}

/** Returns the domain to which a Pod's node selector binds it. `undefined` if it is not bound. */
export function declaredDomain(pod: Unvalidated<Pod>, topologyKey: string): string | undefined {
  const selector = asRecord(pod.spec?.nodeSelector);
  const domain = Object.hasOwn(selector, topologyKey) ? selector[topologyKey] : undefined;
  return typeof domain === "string" ? domain : undefined;
}

function createNoDecision(
  reason: Extract<PlacementDecision, { action: "None" }>["reason"],
): EvaluatedPlacement {
  return { decision: { action: "None", reason }, foreign: [] };
}

function createRejection(
  message: string,
  object: { readonly kind: string; readonly name: string },
): EvaluatedPlacement {
  return { decision: { action: "Refuse", message, object }, foreign: [] };
}
