import type { Unvalidated } from "@jobset-ts/api";
import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import {
  asString,
  type Condition,
  type Event,
  findCondition,
  getControllerOf,
  getLabel,
  getName,
  getNamespace,
  getUid,
  type KubernetesObject,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { createEventFacts, type EventFacts, isAboutName } from "./events.ts";
import { lazily, memoize, memoizeByObject } from "./memoize.ts";

/** An object of any kind with conditions. */
export interface ObjectWithConditions extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/**
 * Facts about the whole cluster that every diagnosis needs, each computed on first use. Created by {@link
 * indexCluster}. Keep it if you diagnose several JobSets of one snapshot.
 */
export interface ClusterIndex {
  readonly snapshot: Snapshot;
  /** Whether the objects of a kind were read. Otherwise they are unknown, not absent. */
  wasRead(kind: string): boolean;
  /** The job indexes in a namespace, by the part of the Job name before the index, such as `train-workers-`. */
  jobIndexes(namespace: string, stem: string): readonly number[];
  /** The Events about an object, by UID, or by name if they have no UID. */
  eventsAbout(object: Unvalidated<KubernetesObject>, kind: string): readonly EventFacts[];
  /** The objects of a kind and an API group, in any version. The core group is empty. */
  objects<Item extends KubernetesObject = ObjectWithConditions>(
    kind: string,
    group: string,
  ): readonly Unvalidated<Item>[];
  /** The objects of a kind and an API group that the object with a UID controls. */
  controlledBy<Item extends KubernetesObject = ObjectWithConditions>(
    uid: string,
    kind: string,
    group: string,
  ): readonly Unvalidated<Item>[];
  /** The domains of a topology key: the values of the node label, each with its nodes. */
  domains(topologyKey: string): ReadonlyMap<string, readonly Unvalidated<Node>[]>;
  /**
   * Whether every domain of a topology key contains a Pod of another Job with the leader's priority label. False
   * without domains.
   */
  areAllDomainsOccupied(topologyKey: string, leader: Unvalidated<Pod>): boolean;
  /** The number of Jobs with a Pod in a domain, among those with the leader's priority label. */
  jobCountInDomain(topologyKey: string, domain: string, leader: Unvalidated<Pod>): number;
  /** Whether a node of this name exists and is ready or has no Ready condition. */
  isReadyNode(name: string): boolean;
  /** The nodes that accept no new Pods. */
  readonly cordoned: readonly Unvalidated<Node>[];
}

/**
 * Returns the facts of a snapshot for {@link diagnose}. The same snapshot has the same facts, so nothing is computed
 * twice.
 *
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * const snapshot = createSnapshot([{ apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: { rack: "r1" } } }]);
 * [...indexCluster(snapshot).domains("rack").keys()] // => ["r1"]
 */
export function indexCluster(snapshot: Snapshot): ClusterIndex {
  return indexOf(snapshot);
}

/** A snapshot is immutable, so its facts stay valid. */
const indexOf = /* @__PURE__ */ memoizeByObject(createIndex);

function createIndex(snapshot: Snapshot): ClusterIndex {
  const events = lazily(() => eventsByObject(snapshot));
  const jobIndexes = lazily(() => collectJobIndexes(snapshot));
  const cordoned = lazily(() => snapshot.nodes.filter(({ spec }) => spec?.unschedulable === true));
  const objectsOf = memoize((key: string) => {
    const [kind = "", group = ""] = key.split("/");
    return listTables(kind, group)
      .flatMap((table) => snapshot.objects(table))
      .filter((object) => isOfGroup(object, group));
  });
  const controlledOf = memoize((key: string) => groupByController(objectsOf(key)));
  const domainsOf = memoize((key: string) => collectDomains(snapshot.nodes, key));
  const holdersOf = memoize((key: string) => collectHolders(snapshot, key));
  return {
    snapshot,
    wasRead: (kind) =>
      (kind === "Event" ? eventKinds : [kind]).some(
        (one) => snapshot.kindStatus(one).outcome === "Read",
      ),
    jobIndexes: (namespace, stem) => jobIndexes().get(namespace)?.get(stem) ?? noIndexes,
    eventsAbout: (object, kind) => {
      const { byUid, byName } = events();
      const uid = getUid(object);
      const own = (uid === "" ? undefined : byUid.get(uid)) ?? none;
      // Few Events have no UID, and the identifier of an object is costly.
      if (byName.size === 0) return own;
      const named = byName.get(isAboutName(kind, getNamespace(object), getName(object)));
      return named === undefined ? own : [...own, ...named];
    },
    objects: <Item extends KubernetesObject>(kind: string, group: string) =>
      objectsOf(`${kind}/${group}`) as unknown as readonly Unvalidated<Item>[],
    controlledBy: <Item extends KubernetesObject>(uid: string, kind: string, group: string) =>
      (controlledOf(`${kind}/${group}`).get(uid) ?? noObjects) as readonly Unvalidated<Item>[],
    domains: domainsOf,
    isReadyNode: memoize((name: string) => {
      const node = snapshot.node(name);
      if (node === undefined) return false;
      return (findCondition(node.status?.conditions, "Ready")?.status ?? "True") === "True";
    }),
    areAllDomainsOccupied: (topologyKey, leader) => {
      const domains = domainsOf(topologyKey);
      const ownKey = getLabel(leader, JOB_KEY_KEY);
      const priority = getLabel(leader, PRIORITY_KEY);
      const isHeld = (domain: string) => {
        const holders = holdersOf(topologyKey).get(formatHolderKey(domain, priority));
        return holders !== undefined && (holders.size > 1 || !holders.has(ownKey ?? ""));
      };
      return domains.size > 0 && [...domains.keys()].every(isHeld);
    },
    jobCountInDomain: (topologyKey, domain, leader) => {
      const at = formatHolderKey(domain, getLabel(leader, PRIORITY_KEY));
      return holdersOf(topologyKey).get(at)?.size ?? 0;
    },
    get cordoned() {
      return cordoned();
    },
  };
}

/**
 * Returns an object of a kind and an API group, in any version.
 *
 * @param namespace - empty for a cluster-scoped kind
 */
export function findObject<Item extends KubernetesObject = ObjectWithConditions>(
  { snapshot }: ClusterIndex,
  kind: string,
  group: string,
  { namespace = "", name }: { readonly namespace?: string; readonly name: string },
): Unvalidated<Item> | undefined {
  const found = listTables(kind, group)
    .flatMap((table) => snapshot.object(table, namespace, name) ?? [])
    .find((object) => isOfGroup(object, group));
  return found as Unvalidated<Item> | undefined;
}

/** Returns the names under which a snapshot may hold the objects of a kind. */
function listTables(kind: string, group: string): readonly string[] {
  return [kind, `${kind}.${group}`];
}

function isOfGroup({ apiVersion }: Unvalidated<KubernetesObject>, group: string): boolean {
  return getGroup(asString(apiVersion)) === group;
}

function groupByController(
  objects: readonly Unvalidated<KubernetesObject>[],
): ReadonlyMap<string, readonly Unvalidated<KubernetesObject>[]> {
  const groups = new Map<string, Unvalidated<KubernetesObject>[]>();
  for (const object of objects) {
    const uid = asString(getControllerOf(object)?.uid);
    const group = groups.get(uid);
    if (group === undefined) groups.set(uid, [object]);
    else group.push(object);
  }
  return groups;
}

/** Returns the API group of an API version. */
function getGroup(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

const noObjects: readonly Unvalidated<KubernetesObject>[] = [];
const none: readonly EventFacts[] = [];
const noIndexes: readonly number[] = [];

/** Two API groups serve Events. A snapshot stores the newer one under its full name. */
const eventKinds = ["Event", "Event.events.k8s.io"];

function eventsByObject(snapshot: Snapshot) {
  const byUid = new Map<string, EventFacts[]>();
  const byName = new Map<string, EventFacts[]>();
  for (const kind of eventKinds) {
    for (const event of snapshot.objects(kind) as readonly Unvalidated<Event>[]) {
      const facts = createEventFacts(event);
      if (facts === undefined) continue;
      const byObject = facts.about.includes("/") ? byName : byUid;
      const about = byObject.get(facts.about);
      if (about === undefined) byObject.set(facts.about, [facts]);
      else about.push(facts);
    }
  }
  return { byUid, byName };
}

function collectJobIndexes(
  snapshot: Snapshot,
): ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> {
  const byNamespace = new Map<string, Map<string, number[]>>();
  for (const job of snapshot.objects("Job")) {
    const namespace = getNamespace(job);
    const byStem = byNamespace.get(namespace) ?? new Map<string, number[]>();
    byNamespace.set(namespace, byStem);
    addIndex(getName(job), byStem);
  }
  return byNamespace;
}

/** Adds the index at the end of a Job name to the stem before it. A name without an index is ignored. */
export function addIndex(name: string, byStem: Map<string, number[]>): void {
  const stem = name.slice(0, name.lastIndexOf("-") + 1);
  const text = name.slice(stem.length);
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return;
  const indexes = byStem.get(stem);
  if (indexes === undefined) byStem.set(stem, [Number(text)]);
  else indexes.push(Number(text));
}

function collectDomains(
  nodes: readonly Unvalidated<Node>[],
  topologyKey: string,
): ReadonlyMap<string, readonly Unvalidated<Node>[]> {
  const domains = new Map<string, Unvalidated<Node>[]>();
  for (const node of nodes) {
    const domain = getLabel(node, topologyKey);
    if (domain === undefined) continue;
    const members = domains.get(domain);
    if (members === undefined) domains.set(domain, [node]);
    else members.push(node);
  }
  return domains;
}

/** Returns the job keys of the Pods in each domain, by domain and priority label. */
function collectHolders(
  snapshot: Snapshot,
  topologyKey: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const pod of snapshot.objects("Pod") as readonly Unvalidated<Pod>[]) {
    const jobKey = getLabel(pod, JOB_KEY_KEY);
    if (jobKey === undefined || !occupiesItsNode(pod)) continue;
    const node = snapshot.node(asString(pod.spec?.nodeName));
    const domain = node && getLabel(node, topologyKey);
    if (domain === undefined) continue;
    const at = formatHolderKey(domain, getLabel(pod, PRIORITY_KEY));
    const keys = holders.get(at);
    if (keys === undefined) holders.set(at, new Set([jobKey]));
    else keys.add(jobKey);
  }
  return holders;
}

/** Reports whether a Pod has a node and has not finished. */
export function occupiesItsNode(pod: Unvalidated<Pod>): boolean {
  const phase = pod.status?.phase;
  return asString(pod.spec?.nodeName) !== "" && phase !== "Succeeded" && phase !== "Failed";
}

/** Label values contain no slash. */
function formatHolderKey(domain: string, priority: string | undefined): string {
  return priority === undefined ? domain : `${domain}/${priority}`;
}
