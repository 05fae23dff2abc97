import {
  asArray,
  asString,
  type KubernetesObject,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";

/** A stored object: frozen, with a name, a UID and a resourceVersion. */
export type Stored = KubernetesObject & Readonly<Record<string, unknown>>;

type Group = PersistentMap<Stored>;

/** The key of one object. */
interface Member {
  readonly kind: string;
  readonly key: string;
}

/**
 * All objects of a cluster, as an immutable value. They are indexed by kind and name, by the UIDs of their owners, and
 * (Pods) by node.
 */
export class Objects {
  /** There are about ten kinds, so a search in a list is the cheapest look-up, and a copy of it the cheapest update. */
  readonly #kinds: readonly string[];
  /** The objects of each kind, in the order of the kinds. */
  readonly #groups: readonly Group[];
  readonly #byOwner: PersistentMap<PersistentMap<Member>>;
  /** The keys of the Pods that are bound to each node, even if the node does not exist. */
  readonly #podsByNode: PersistentMap<PersistentMap<true>>;
  /** The number of objects. */
  readonly count: number;

  private constructor(
    kinds: readonly string[],
    groups: readonly Group[],
    byOwner: PersistentMap<PersistentMap<Member>>,
    podsByNode: PersistentMap<PersistentMap<true>>,
    count: number,
  ) {
    this.#kinds = kinds;
    this.#groups = groups;
    this.#byOwner = byOwner;
    this.#podsByNode = podsByNode;
    this.count = count;
  }

  static readonly none = new Objects([], [], emptyMap(), emptyMap(), 0);

  get<Item = Stored>(kind: string, namespace: string, name: string): Item | undefined {
    return this.#getGroup(kind)?.get(`${namespace}/${name}`) as Item | undefined;
  }

  /** Returns the stored version of an object. `undefined` if it is gone or if another object has its name. */
  current<Item extends KubernetesObject>(object: Item): Item | undefined {
    const { kind = "", metadata } = object;
    const found = this.#getGroup(kind)?.get(namespacedName(object));
    return found?.metadata.uid === metadata.uid ? (found as unknown as Item) : undefined;
  }

  /** Returns all objects of a kind, in an order that depends only on their names. */
  ofKind<Item = Stored>(kind: string): readonly Item[] {
    return listValues(this.#getGroup(kind)) as readonly Item[];
  }

  /** Returns the objects that have this UID among their owners, controller or not. */
  ownedBy(uid: string): readonly Stored[] {
    const owned: Stored[] = [];
    for (const [, { kind, key }] of this.#byOwner.get(uid)?.entries() ?? []) {
      const object = this.#getGroup(kind)?.get(key);
      if (object !== undefined) owned.push(object);
    }
    return owned;
  }

  /** Returns the Pods that are bound to a node. */
  podsOn(node: string): readonly Pod[] {
    const pods = this.#getGroup("Pod");
    const keys = this.#podsByNode.get(node);
    return keys === undefined
      ? []
      : Array.from(keys.entries(), ([key]) => pods?.get(key) as unknown as Pod);
  }

  *all(): Generator<Stored, void, undefined> {
    for (const kind of this.#kinds.toSorted()) {
      yield* this.ofKind(kind);
    }
  }

  /** Returns the objects after one was added, changed (`before` and `after`) or deleted. */
  with(before: Stored | undefined, after: Stored | undefined): Objects {
    const object = after ?? before;
    if (object === undefined) return this;
    const { kind = "" } = object;
    const key = namespacedName(object);
    const place = this.#kinds.indexOf(kind);
    const group = this.#groups[place] ?? emptyMap<Stored>();
    const next = after === undefined ? group.delete(key) : group.set(key, after);
    const isKnown = place >= 0;
    const kinds = isKnown ? this.#kinds : [...this.#kinds, kind];
    const groups = isKnown ? this.#groups.with(place, next) : [...this.#groups, next];
    const byOwner = this.#updateOwners({ kind, key }, before, after);
    const podsByNode =
      kind === "Pod" ? this.#updatePodsByNode(key, before, after) : this.#podsByNode;
    const count = this.count - group.size + next.size;
    return new Objects(kinds, groups, byOwner, podsByNode, count);
  }

  #getGroup(kind: string): Group | undefined {
    return this.#groups[this.#kinds.indexOf(kind)];
  }

  #updateOwners(
    member: Member,
    before: Stored | undefined,
    after: Stored | undefined,
  ): PersistentMap<PersistentMap<Member>> {
    const [from, to] = [before?.metadata.ownerReferences, after?.metadata.ownerReferences];
    if (from === to) return this.#byOwner;
    const name = `${member.kind}/${member.key}`;
    let byOwner = this.#byOwner;
    for (const { uid } of asArray(from)) byOwner = updateGroup(byOwner, uid, name, undefined);
    for (const { uid } of asArray(to)) byOwner = updateGroup(byOwner, uid, name, member);
    return byOwner;
  }

  #updatePodsByNode(
    key: string,
    before: Stored | undefined,
    after: Stored | undefined,
  ): PersistentMap<PersistentMap<true>> {
    const [from, to] = [getNodeName(before), getNodeName(after)];
    if (from === to) return this.#podsByNode;
    const left = updateGroup(this.#podsByNode, from, key, undefined);
    return to === "" ? left : updateGroup(left, to, key, true);
  }
}

function getNodeName(pod: Stored | undefined): string {
  return asString((pod as unknown as Pod | undefined)?.spec?.nodeName);
}

function updateGroup<Value>(
  groups: PersistentMap<PersistentMap<Value>>,
  name: string,
  key: string,
  member: Value | undefined,
): PersistentMap<PersistentMap<Value>> {
  const group = groups.get(name) ?? emptyMap<Value>();
  const next = member === undefined ? group.delete(key) : group.set(key, member);
  return next.size === 0 ? groups.delete(name) : groups.set(name, next);
}

function listValues(group: Group | undefined): readonly Stored[] {
  const values: Stored[] = [];
  if (group !== undefined) for (const [, object] of group.entries()) values.push(object);
  return values;
}

/** Returns the Pods of a Job. */
export function listPods(jobUid: string, objects: Objects): readonly Pod[] {
  return objects.ownedBy(jobUid).filter(({ kind }) => kind === "Pod") as unknown as readonly Pod[];
}
