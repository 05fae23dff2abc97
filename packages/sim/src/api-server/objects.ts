import { type KubernetesObject, keyOf, listOf } from "@jobset-ts/api/kubernetes";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";

/** An object as the store holds it: frozen, and with a name, a UID and a resourceVersion. */
export type Stored = KubernetesObject & Readonly<Record<string, unknown>>;

type Group = Trie<Stored>;

/** All objects of a cluster, as an immutable value: by kind and name, and by the UIDs of their owners. */
export class Objects {
  readonly #byKind: Trie<Group>;
  readonly #byOwner: Trie<Group>;

  private constructor(byKind: Trie<Group>, byOwner: Trie<Group>) {
    this.#byKind = byKind;
    this.#byOwner = byOwner;
  }

  static readonly none = new Objects(emptyTrie(), emptyTrie());

  get<Item = Stored>(kind: string, namespace: string, name: string): Item | undefined {
    return this.#byKind.get(kind)?.get(`${namespace}/${name}`) as Item | undefined;
  }

  /** The object as it is now; `undefined` where it is gone, or another one has its name. */
  current<Item extends KubernetesObject>(object: Item): Item | undefined {
    const { kind = "", metadata } = object;
    const found = this.#byKind.get(kind)?.get(keyOf(object));
    return found?.metadata.uid === metadata.uid ? (found as unknown as Item) : undefined;
  }

  /** All objects of a kind, in an order that depends on their names alone. */
  ofKind<Item = Stored>(kind: string): readonly Item[] {
    return valuesOf(this.#byKind.get(kind)) as readonly Item[];
  }

  /** The objects with the UID among their owners, whether it controls them or not. */
  ownedBy(uid: string): readonly Stored[] {
    return valuesOf(this.#byOwner.get(uid));
  }

  *all(): Generator<Stored, void, undefined> {
    for (const [, group] of this.#byKind.entries()) {
      for (const [, object] of group.entries()) yield object;
    }
  }

  /** After one object came, changed (`before` and `after`) or went. */
  with(before: Stored | undefined, after: Stored | undefined): Objects {
    const object = after ?? before;
    if (object === undefined) return this;
    const { kind = "" } = object;
    const key = keyOf(object);
    const byKind = changed(this.#byKind, kind, key, after);
    const [from, to] = [ownersOf(before), ownersOf(after)];
    let byOwner = this.#byOwner;
    for (const uid of from) {
      if (!to.includes(uid)) byOwner = changed(byOwner, uid, `${kind}/${key}`, undefined);
    }
    for (const uid of to) byOwner = changed(byOwner, uid, `${kind}/${key}`, after);
    return new Objects(byKind, byOwner);
  }
}

function ownersOf(object: Stored | undefined): readonly string[] {
  return listOf(object?.metadata.ownerReferences).map(({ uid }) => uid);
}

function changed(
  groups: Trie<Group>,
  name: string,
  key: string,
  object: Stored | undefined,
): Trie<Group> {
  const group = groups.get(name) ?? emptyTrie<Stored>();
  const next = object === undefined ? group.delete(key) : group.set(key, object);
  return next.size === 0 ? groups.delete(name) : groups.set(name, next);
}

function valuesOf(group: Group | undefined): readonly Stored[] {
  return group === undefined ? [] : Array.from(group.entries(), ([, object]) => object);
}
