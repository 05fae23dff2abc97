import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_KEY_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import {
  getAnnotation,
  getControllerOf,
  getLabel,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { listPods, type Objects } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";
import type { Change } from "../kernel/component.ts";
import { isByManager, type SafetyLaw } from "./law.ts";
import { isFollower, isLeader, isPlacedExclusively } from "./pod-roles.ts";

/** Pods by UID, grouped by the topology domains that they occupy, as `key=value`. */
type Groups = PersistentMap<PersistentMap<Pod>>;

interface Residents {
  /** All Pods with a job key, in every domain given by the labels of their node. */
  readonly pods: Groups;
  /** The leaders under exclusive placement, in the domain that they reserve for their Job. */
  readonly leaders: Groups;
}

export const domainsBelongToOneJob: SafetyLaw<Residents> = {
  name: "domainsBelongToOneJob",
  sentence:
    "If a leader under exclusive placement runs in a topology domain, no Pod of another Job with the same priority runs there, whether that Pod is placed exclusively or not. Pods that the node-selector strategy places are exempt.",
  validUnder: "NodesKeepLabels",
  memory: { pods: emptyMap(), leaders: emptyMap() },
  kinds: ["Pod"],
  onChange: (change, context) => {
    const { before, after } = podVersions(change);
    if (before && after && occupiesSameDomains(before, after)) return undefined;
    // Both versions are evaluated with the current nodes, so only differences between the Pods matter.
    const [from, to] = [before, after].map((pod) => getResidences(pod, context.objects));
    let message: string | undefined;
    for (const domain of from?.all ?? []) {
      if (before) context.memory = removePod(context.memory, domain, before);
    }
    if (to === undefined || after === undefined) return undefined;
    for (const domain of to.all) {
      const { pods, leaders } = context.memory;
      const isLed = domain === to.led;
      // A leader is compared with all Pods in the domain, and other Pods only with leaders.
      if (!from?.all.includes(domain) || isLed !== (domain === from.led)) {
        const others = (isLed ? pods : leaders).get(domain);
        for (const [, other] of others?.entries() ?? []) {
          if (conflict(after, other) && isStillInDomain(domain, other, context.objects)) {
            message ??= `Pods ${after.metadata.name} and ${other.metadata.name} of different Jobs are both in ${domain}`;
          }
        }
      }
      context.memory = {
        pods: movePod(pods, domain, after, after),
        leaders: isLed ? movePod(leaders, domain, after, after) : leaders,
      };
    }
    return message;
  },
};

/** Reports whether two versions of a Pod occupy the same domains: same node, same completion, same placement. */
function occupiesSameDomains(one: Pod, other: Pod): boolean {
  return (
    one.spec === other.spec &&
    isPodFinished(one) === isPodFinished(other) &&
    hasSameKeys(one, other)
  );
}

/** Reports whether all labels and annotations are equal, because a leader's affinity uses them to exclude Jobs. */
function hasSameKeys({ metadata: one }: Pod, { metadata: other }: Pod): boolean {
  return one.labels === other.labels && one.annotations === other.annotations;
}

/** A Pod whose node is gone remains recorded for longer than it occupies the domain. */
function isStillInDomain(domain: string, pod: Pod, objects: Objects): boolean {
  return getResidences(objects.current(pod), objects)?.all.includes(domain) ?? false;
}

function conflict(one: Pod, other: Pod): boolean {
  return (
    getLabel(one, JOB_KEY_KEY) !== getLabel(other, JOB_KEY_KEY) &&
    getLabel(one, PRIORITY_KEY) === getLabel(other, PRIORITY_KEY)
  );
}

function podVersions({ before, after }: Change): { readonly before?: Pod; readonly after?: Pod } {
  return {
    ...(before?.kind === "Pod" && { before: before as unknown as Pod }),
    ...(after?.kind === "Pod" && { after: after as unknown as Pod }),
  };
}

/**
 * Returns the domains that a Pod occupies and the one that it leads. Only for a bound, unfinished Pod with a job key.
 */
function getResidences(
  pod: Pod | undefined,
  objects: Objects,
): { readonly all: readonly string[]; readonly led: string | undefined } | undefined {
  if (!pod?.spec.nodeName || getLabel(pod, JOB_KEY_KEY) === undefined || isPodFinished(pod))
    return undefined;
  // These Pods have no priority label, which leaders use to exclude other Jobs.
  if (getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined) return undefined;
  const { labels = {} } = objects.get<Node>("Node", "", pod.spec.nodeName)?.metadata ?? {};
  const place = isLeader(pod) ? getDomain(pod, objects) : undefined;
  return {
    all: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    led: place && `${place.key}=${place.domain}`,
  };
}

/** Returns the topology domain of a Pod by the label of its node. */
export function getDomain(
  pod: Pod,
  objects: Objects,
): { readonly key: string; readonly domain: string } | undefined {
  const key = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
  const node = objects.get<Node>("Node", "", pod.spec.nodeName ?? "");
  const domain = node && getLabel(node, key);
  return domain === undefined ? undefined : { key, domain };
}

function removePod({ pods, leaders }: Residents, domain: string, pod: Pod): Residents {
  return {
    pods: movePod(pods, domain, pod, undefined),
    leaders: movePod(leaders, domain, pod, undefined),
  };
}

function movePod(groups: Groups, domain: string, pod: Pod, to: Pod | undefined): Groups {
  const group = groups.get(domain);
  if (group === undefined && to === undefined) return groups;
  const uid = pod.metadata.uid ?? "";
  const next = to === undefined ? group?.delete(uid) : (group ?? emptyMap<Pod>()).set(uid, to);
  return next === undefined || next.size === 0 ? groups.delete(domain) : groups.set(domain, next);
}

export const followersComeAfterTheirLeader: SafetyLaw = {
  name: "followersComeAfterTheirLeader",
  sentence:
    "Under exclusive placement, the webhook admits a Pod other than the leader only with the node selector of a domain.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["Pod"],
  onChange: ({ verb, after }) => {
    if (verb !== "Added" || after?.kind !== "Pod") return undefined;
    const pod = after as unknown as Pod;
    // A Pod without an index looks like a follower, but no Pod of its Job can be its leader.
    if (!isFollower(pod) || getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === undefined)
      return undefined;
    const topologyKey = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
    return pod.spec.nodeSelector?.[topologyKey] === undefined
      ? `the webhook admits Pod ${pod.metadata.name} without a node selector for ${topologyKey}`
      : undefined;
  },
};

export const onlyMisplacedFollowersAreDeleted: SafetyLaw = {
  name: "onlyMisplacedFollowersAreDeleted",
  sentence:
    "The controller deletes only Pods that are followers under exclusive placement, and only if their Job has a leader. Before the deletion, it writes the reason into a condition of the Pod.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Pod"],
  onChange: (change, { objects }) => {
    const { before, after } = podVersions(change);
    if (before === undefined || !isByManager(change)) return undefined;
    const isAsked = after === undefined || after.metadata.deletionTimestamp !== undefined;
    if (!isAsked || before.metadata.deletionTimestamp !== undefined) return undefined;
    const { name } = before.metadata;
    if (!isPlacedExclusively(before)) return `Pod ${name} is deleted, but is not a follower`;
    if (isLeader(before)) return `the leader ${name} is deleted`;
    const hasReason = before.status?.conditions?.some(
      ({ type, status }) => type === "DisruptionTarget" && status === "True",
    );
    if (!hasReason) return `Pod ${name} is deleted without a condition that gives the reason`;
    const owner = getControllerOf(before)?.uid ?? "";
    const siblings = listPods(owner, objects);
    const leader = siblings.find(isLeader);
    return leader === undefined && siblings.length > 0 && after !== undefined
      ? `Pod ${name} is deleted, but its Job has no leader`
      : undefined;
  },
};

export const placementRepairsHaveALeader: SafetyLaw = {
  name: "placementRepairsHaveALeader",
  sentence:
    "A pass deletes followers only if it sees their leader running in a domain and at least one of them assigned to another domain; all belong to the leader's Job.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("leader" in plan) || plan.steps.length === 0) return undefined;
    const { namespace, name } = plan.leader;
    const leader = snapshot.pod(namespace, name) as Pod | undefined;
    if (leader === undefined) return `followers of ${name} are deleted, but it no longer exists`;
    if (isPodFinished(leader)) return `followers of ${name} are deleted, but it has finished`;
    const key = getAnnotation(leader, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
    const node = snapshot.node(leader.spec.nodeName ?? "") as Node | undefined;
    const domain = node && getLabel(node, key);
    if (domain === undefined) return `followers of ${name} are deleted, but its domain is unknown`;
    const deleted = plan.steps
      .flatMap(({ effects }) => effects)
      .filter(({ verb }) => verb === "delete")
      .map(({ target }) => ({
        ...target,
        pod: snapshot.pod(target.namespace, target.name) as Pod | undefined,
      }));
    const owner = getControllerOf(leader)?.uid;
    const foreign = deleted.find(
      ({ pod }) => owner === undefined || (pod && getControllerOf(pod)?.uid) !== owner,
    );
    if (foreign !== undefined)
      return `${foreign.kind} ${foreign.name} is deleted, but does not belong to the Job of ${name}`;
    return deleted.some(({ pod }) => pod?.spec.nodeSelector?.[key] !== domain)
      ? undefined
      : `all deleted followers of ${name} are assigned to ${domain}, which is its domain`;
  },
};
