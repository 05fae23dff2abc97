import type { Unvalidated } from "@jobset-ts/api";
import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import {
  asRecord,
  asString,
  getControllerOf,
  getLabel,
  getName,
  getNamespace,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import { isLeaderPod } from "@jobset-ts/core/placement";
import { getObjectKey } from "../checks/check-results.ts";
import { type ClusterIndex, occupiesItsNode } from "../view/cluster-facts.ts";
import { getTopologyKey } from "../view/create-job-view.ts";
import { createViolation, type InvariantViolation } from "./violation.ts";

/**
 * Finds Jobs that share a job key. After a restart that does not wait for Pods to terminate, two Jobs with one name
 * have Pods at the same time.
 */
export function keyViolations(snapshot: Snapshot): readonly InvariantViolation[] {
  const byKey = new Map<string, Map<string, Unvalidated<Pod>[]>>();
  for (const pod of snapshot.objects("Pod") as readonly Unvalidated<Pod>[]) {
    const jobKey = getLabel(pod, JOB_KEY_KEY);
    if (jobKey === undefined) continue;
    const at = `${getNamespace(pod)}/${jobKey}`;
    const byOwner = byKey.get(at) ?? new Map<string, Unvalidated<Pod>[]>();
    byKey.set(at, byOwner);
    const owner = asString(getControllerOf(pod)?.uid);
    const pods = byOwner.get(owner);
    if (pods === undefined) byOwner.set(owner, [pod]);
    else pods.push(pod);
  }
  return [...byKey.keys()].sort(compareBytes).flatMap((at) => {
    const byOwner = byKey.get(at) ?? new Map<string, Unvalidated<Pod>[]>();
    if (byOwner.size < 2) return [];
    const pods = [...byOwner.values()].flat().sort((a, b) => compareBytes(getName(a), getName(b)));
    const names = new Set(pods.map((pod) => asString(getControllerOf(pod)?.name)));
    const text = `Pods of ${byOwner.size} Jobs have the job key of ${[...names].sort(compareBytes).join(", ")}`;
    return [
      createViolation(
        "one-job-per-key",
        text,
        pods.map((pod) => getObjectKey("Pod", pod)),
      ),
    ];
  });
}

interface BoundPod {
  readonly pod: Unvalidated<Pod>;
  readonly jobKey: string;
  readonly isExclusiveLeader: boolean;
}

/** Each topology key of exclusive Pods is checked once. */
export function domainViolations(
  snapshot: Snapshot,
  facts: ClusterIndex,
): readonly InvariantViolation[] {
  const bound = (snapshot.objects("Pod") as readonly Unvalidated<Pod>[]).filter(
    (pod) => getLabel(pod, JOB_KEY_KEY) !== undefined && occupiesItsNode(pod),
  );
  const topologyKeys = new Set<string>();
  for (const { metadata = {} } of bound) {
    const topologyKey = getTopologyKey(metadata);
    if (topologyKey !== undefined) topologyKeys.add(topologyKey);
  }
  return [...topologyKeys]
    .sort(compareBytes)
    .flatMap((topologyKey) => [
      ...sharedDomains(snapshot, bound, topologyKey),
      ...misplacedFollowers(facts, bound, topologyKey),
    ]);
}

function sharedDomains(
  snapshot: Snapshot,
  bound: readonly Unvalidated<Pod>[],
  topologyKey: string,
): readonly InvariantViolation[] {
  const byDomain = new Map<string, BoundPod[]>();
  for (const pod of bound) {
    const domain = getDomain(snapshot, pod, topologyKey);
    if (domain === undefined) continue;
    const at = `${domain} at priority ${getLabel(pod, PRIORITY_KEY) ?? "none"}`;
    const isExclusive = getTopologyKey(pod.metadata ?? {}) === topologyKey;
    const one = {
      pod,
      jobKey: getLabel(pod, JOB_KEY_KEY) ?? "",
      isExclusiveLeader: isExclusive && isLeaderPod(pod),
    };
    const list = byDomain.get(at);
    if (list === undefined) byDomain.set(at, [one]);
    else list.push(one);
  }
  return [...byDomain.keys()].sort(compareBytes).flatMap((at) => {
    const pods = byDomain.get(at) ?? [];
    const jobKeys = new Set(pods.map(({ jobKey }) => jobKey));
    if (jobKeys.size < 2 || !pods.some(({ isExclusiveLeader }) => isExclusiveLeader)) return [];
    const jobs = new Set(
      pods.map(({ pod }) => `${getNamespace(pod)}/${asString(getControllerOf(pod)?.name)}`),
    );
    const names = [...jobs].sort(compareBytes).slice(0, MAX_NAMED).join(", ");
    const text = `${topologyKey} ${at} holds Pods of ${jobKeys.size} Jobs: ${names}`;
    return [
      createViolation(
        "domain-exclusive",
        text,
        pods.map(({ pod }) => getObjectKey("Pod", pod)),
      ),
    ];
  });
}

const MAX_NAMED = 10;

function misplacedFollowers(
  { snapshot }: ClusterIndex,
  bound: readonly Unvalidated<Pod>[],
  topologyKey: string,
): readonly InvariantViolation[] {
  const exclusive = bound.filter((pod) => getTopologyKey(pod.metadata ?? {}) === topologyKey);
  const leaders = new Map<string, Unvalidated<Pod>>();
  for (const pod of exclusive) if (isLeaderPod(pod)) leaders.set(getOwner(pod), pod);
  return exclusive.flatMap((pod) => {
    const leader = leaders.get(getOwner(pod));
    if (leader === undefined || isLeaderPod(pod) || getOwner(pod) === "") return [];
    const desired = getDomain(snapshot, leader, topologyKey);
    if (desired === undefined) return [];
    const selector = asRecord(pod.spec?.nodeSelector);
    const declared = Object.hasOwn(selector, topologyKey)
      ? asString(selector[topologyKey])
      : desired;
    const actual = getDomain(snapshot, pod, topologyKey) ?? desired;
    if (declared === desired && actual === desired) return [];
    const is = actual === desired ? `is bound to ${declared}` : `runs in ${actual}`;
    const text = `follower ${getName(pod)} ${is}, but its leader runs in ${desired}`;
    const objects = [pod, leader].map((one) => getObjectKey("Pod", one));
    return [createViolation("follower-in-leader-domain", text, objects)];
  });
}

function getOwner(pod: Unvalidated<Pod>): string {
  return asString(getControllerOf(pod)?.uid);
}

function getDomain(
  snapshot: Snapshot,
  pod: Unvalidated<Pod>,
  topologyKey: string,
): string | undefined {
  const node = snapshot.node(asString(pod.spec?.nodeName));
  return node && getLabel(node, topologyKey);
}
