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

/** Pods by their UIDs, in groups by the topology domains that they take up, as `key=value`. */
type Groups = PersistentMap<PersistentMap<Pod>>;

interface Residents {
  /** All Pods with a job key, in every domain that their node is in by any of its labels. */
  readonly pods: Groups;
  /** The leaders under exclusive placement, in the domain that they keep for their Job. */
  readonly leaders: Groups;
}

export const domainsAreKeptForOneJob: SafetyLaw<Residents> = {
  name: "domainsAreKeptForOneJob",
  sentence:
    "No two running Pods of different Jobs of one priority share a topology domain when one of them is a leader under exclusive placement there, whether the other one is placed exclusively or not; but Pods that node labels place are not asked.",
  validUnder: "NodesKeepLabels",
  memory: { pods: emptyMap(), leaders: emptyMap() },
  kinds: ["Pod"],
  onChange: (change, sight) => {
    const { before, after } = podVersions(change);
    if (before && after && occupiesSameDomains(before, after)) return undefined;
    // Both are asked about the nodes of now, so that only what the Pod says of itself makes a difference.
    const [from, to] = [before, after].map((pod) => getResidences(pod, sight.objects));
    let message: string | undefined;
    for (const domain of from?.all ?? []) {
      if (before) sight.memory = without(sight.memory, domain, before);
    }
    if (to === undefined || after === undefined) return undefined;
    for (const domain of to.all) {
      const { pods, leaders } = sight.memory;
      const isLed = domain === to.led;
      // A leader meets all that are there, and all others meet the leaders.
      if (!from?.all.includes(domain) || isLed !== (domain === from.led)) {
        const others = (isLed ? pods : leaders).get(domain);
        for (const [, other] of others?.entries() ?? []) {
          if (clash(after, other) && isStillInDomain(domain, other, sight.objects)) {
            message ??= `Pods ${after.metadata.name} and ${other.metadata.name} of different Jobs are both in ${domain}`;
          }
        }
      }
      sight.memory = {
        pods: movePod(pods, domain, after, after),
        leaders: isLed ? movePod(leaders, domain, after, after) : leaders,
      };
    }
    return message;
  },
};

/** Whether two versions of a Pod take up the same domains: bound alike, ended alike, and placed alike. */
function occupiesSameDomains(one: Pod, other: Pod): boolean {
  return (
    one.spec === other.spec &&
    isPodFinished(one) === isPodFinished(other) &&
    hasSameKeys(one, other)
  );
}

/** Whether all labels and annotations are the very same: a Job that others may not be with is told by them. */
function hasSameKeys({ metadata: one }: Pod, { metadata: other }: Pod): boolean {
  return one.labels === other.labels && one.annotations === other.annotations;
}

/** A Pod whose node has gone is among the residents for longer than it is there. */
function isStillInDomain(domain: string, pod: Pod, objects: Objects): boolean {
  return getResidences(objects.current(pod), objects)?.all.includes(domain) ?? false;
}

function clash(one: Pod, other: Pod): boolean {
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

/** The domains in which a Pod is, if it is bound, has not ended and has a job key, and which of them it leads into. */
function getResidences(
  pod: Pod | undefined,
  objects: Objects,
): { readonly all: readonly string[]; readonly led: string | undefined } | undefined {
  if (!pod?.spec.nodeName || getLabel(pod, JOB_KEY_KEY) === undefined || isPodFinished(pod))
    return undefined;
  // They get no label of their priority, by which leaders keep others out.
  if (getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined) return undefined;
  const { labels = {} } = objects.get<Node>("Node", "", pod.spec.nodeName)?.metadata ?? {};
  const place = isLeader(pod) ? getDomain(pod, objects) : undefined;
  return {
    all: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    led: place && `${place.key}=${place.domain}`,
  };
}

/** The topology domain in which a Pod is, by the label of its node. */
export function getDomain(
  pod: Pod,
  objects: Objects,
): { readonly key: string; readonly domain: string } | undefined {
  const key = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
  const node = objects.get<Node>("Node", "", pod.spec.nodeName ?? "");
  const domain = node && getLabel(node, key);
  return domain === undefined ? undefined : { key, domain };
}

function without({ pods, leaders }: Residents, domain: string, pod: Pod): Residents {
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
    "Under exclusive placement a Pod other than the leader is let in only with the node selector of a domain.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["Pod"],
  onChange: ({ verb, after }) => {
    if (verb !== "Added" || after?.kind !== "Pod") return undefined;
    const pod = after as unknown as Pod;
    // One without an index looks like a follower, and none of its Job's Pods can be the leader that it would come after.
    if (!isFollower(pod) || getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === undefined)
      return undefined;
    const topologyKey = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
    return pod.spec.nodeSelector?.[topologyKey] === undefined
      ? `Pod ${pod.metadata.name} is let in and sent to no ${topologyKey}`
      : undefined;
  },
};

export const onlyMisplacedFollowersAreDeleted: SafetyLaw = {
  name: "onlyMisplacedFollowersAreDeleted",
  sentence:
    "The controller deletes no Pod but followers under exclusive placement, and only of a Job that has a leader; each says why first.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Pod"],
  onChange: (change, { objects }) => {
    const { before, after } = podVersions(change);
    if (before === undefined || !isByManager(change)) return undefined;
    const isAsked = after === undefined || after.metadata.deletionTimestamp !== undefined;
    if (!isAsked || before.metadata.deletionTimestamp !== undefined) return undefined;
    const { name } = before.metadata;
    if (!isPlacedExclusively(before)) return `Pod ${name} is deleted, and follows nobody`;
    if (isLeader(before)) return `the leader ${name} is deleted`;
    const told = before.status?.conditions?.some(
      ({ type, status }) => type === "DisruptionTarget" && status === "True",
    );
    if (!told) return `Pod ${name} is deleted without the condition that says why`;
    const owner = getControllerOf(before)?.uid ?? "";
    const siblings = listPods(owner, objects);
    const leader = siblings.find(isLeader);
    return leader === undefined && siblings.length > 0 && after !== undefined
      ? `Pod ${name} is deleted, and its Job has no leader`
      : undefined;
  },
};

export const repairsFollowALivingLeader: SafetyLaw = {
  name: "repairsFollowALivingLeader",
  sentence:
    "A pass deletes followers only when it sees their leader alive and in a domain, and one of them sent elsewhere; all are of the leader's own Job.",
  validUnder: "Always",
  memory: undefined,
  onPlan: ({ plan, snapshot }) => {
    if (!("leader" in plan) || plan.steps.length === 0) return undefined;
    const { namespace, name } = plan.leader;
    const leader = snapshot.pod(namespace, name) as Pod | undefined;
    if (leader === undefined) return `followers of ${name} are deleted, and it is gone`;
    if (isPodFinished(leader)) return `followers of ${name} are deleted, and it has ended`;
    const key = getAnnotation(leader, EXCLUSIVE_TOPOLOGY_KEY) ?? "";
    const node = snapshot.node(leader.spec.nodeName ?? "") as Node | undefined;
    const domain = node && getLabel(node, key);
    if (domain === undefined)
      return `followers of ${name} are deleted, and nobody knows where it is`;
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
      return `${foreign.kind} ${foreign.name} is deleted, and is none of the Job of ${name}`;
    return deleted.some(({ pod }) => pod?.spec.nodeSelector?.[key] !== domain)
      ? undefined
      : `all followers of ${name} that are deleted are sent to ${domain}, where it is`;
  },
};
