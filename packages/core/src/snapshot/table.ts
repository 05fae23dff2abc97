import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { getName, getNamespace } from "../jobset-members.ts";
import { LayeredMap } from "./layered-map.ts";
import { SortedItems } from "./sorted-items.ts";

/** Returns the key of an object in an index, or `undefined` to omit the object. */
export type IndexKey<Item> = (item: Item) => string | undefined;

/** The indexes of one kind, by name. */
export type IndexKeys<Item, Index extends string> = Readonly<Record<Index, IndexKey<Item>>>;

/** A change of a table. */
export interface TableChange<Item> {
  /** An object with the name to change. */
  readonly at: Item;
  /** The new object. Absent to remove it. */
  readonly item?: Item;
}

/** Objects by namespace and name. */
type ItemsByName<Item extends object> = LayeredMap<LayeredMap<Item>>;

/**
 * The objects of one kind, by name and in any number of indexes. Immutable. Each index is built on first use, and later
 * versions of the table inherit it.
 */
export class Table<Item extends Unvalidated<KubernetesObject>, Index extends string> {
  readonly #keys: IndexKeys<Item, Index>;
  /**
   * The objects that the table was created from, if nothing has changed since. If two have the same name,
   * the later one counts.
   */
  readonly #listed: readonly Item[];
  #items: ItemsByName<Item> | undefined;
  readonly #indexes: Map<Index, LayeredMap<SortedItems<Item>>>;
  #sorted: SortedItems<Item> | undefined;

  private constructor(
    keys: IndexKeys<Item, Index>,
    listed: readonly Item[],
    items: ItemsByName<Item> | undefined,
    indexes: Map<Index, LayeredMap<SortedItems<Item>>>,
    sorted: SortedItems<Item> | undefined,
  ) {
    this.#keys = keys;
    this.#listed = listed;
    this.#items = items;
    this.#indexes = indexes;
    this.#sorted = sorted;
  }

  /**
   * Creates a table. If two objects have the same name and namespace, the later one counts.
   *
   * @param items - objects that do not change anymore
   */
  static of<Item extends Unvalidated<KubernetesObject>, Index extends string>(
    keys: IndexKeys<Item, Index>,
    items: readonly Item[],
  ): Table<Item, Index> {
    return new Table(keys, items, undefined, new Map(), undefined);
  }

  get(namespace: string, name: string): Item | undefined {
    return this.#byName().get(namespace)?.get(name);
  }

  /** Returns all objects by name, then by namespace. */
  all(): readonly Item[] {
    this.#sorted ??=
      this.#items === undefined
        ? SortedItems.fromListed(this.#listed)
        : SortedItems.of(this.#items.values().flatMap((byName) => byName.values()));
    return this.#sorted.list();
  }

  /** Returns the objects with a key in an index, by name, then by namespace, or `undefined`. */
  group(index: Index, key: string): SortedItems<Item> | undefined {
    return this.#index(index).get(key);
  }

  /** Returns the table after changes. `this` does not change. */
  with(changes: readonly TableChange<Item>[]): Table<Item, Index> {
    let items = this.#byName();
    let sorted = this.#sorted;
    const indexes = new Map(this.#indexes);
    for (const { at, item } of changes) {
      const [namespace, name] = [getNamespace(at), getName(at)];
      const named = items.get(namespace) ?? LayeredMap.empty<Item>();
      const old = named.get(name);
      const changed = named.with(name, item, old);
      items = items.with(namespace, changed.size === 0 ? undefined : changed);
      // A list that was not read over many changes is sorted again on the next read.
      sorted = sorted?.isFarBehind ? undefined : sorted?.with(old, item);
      for (const [index, groups] of indexes) {
        indexes.set(index, moveInIndex(groups, this.#keys[index], old, item));
      }
    }
    return new Table(this.#keys, [], items, indexes, sorted);
  }

  #index(name: Index): LayeredMap<SortedItems<Item>> {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = LayeredMap.of(groupItems(this.all(), this.#keys[name]));
      this.#indexes.set(name, index);
    }
    return index;
  }

  #byName(): ItemsByName<Item> {
    this.#items ??= byNamespaceAndName(this.#listed);
    return this.#items;
  }
}

function byNamespaceAndName<Item extends Unvalidated<KubernetesObject>>(
  items: readonly Item[],
): ItemsByName<Item> {
  const byNamespace = new Map<string, Map<string, Item>>();
  for (const item of items) {
    const namespace = getNamespace(item);
    let byName = byNamespace.get(namespace);
    if (byName === undefined) {
      byName = new Map();
      byNamespace.set(namespace, byName);
    }
    byName.set(getName(item), item);
  }
  return LayeredMap.of(new Map([...byNamespace].map(([name, map]) => [name, LayeredMap.of(map)])));
}

/** Updates an index after one object was changed, added or removed. */
function moveInIndex<Item extends Unvalidated<KubernetesObject>>(
  index: LayeredMap<SortedItems<Item>>,
  keyOf: IndexKey<Item>,
  old: Item | undefined,
  item: Item | undefined,
): LayeredMap<SortedItems<Item>> {
  const from = old === undefined ? undefined : keyOf(old);
  const to = item === undefined ? undefined : keyOf(item);
  let next = index;
  if (from !== undefined && from !== to) {
    const group = next.get(from);
    const left = group?.with(old, undefined);
    next = next.with(from, left?.size === 0 ? undefined : left, group);
  }
  if (to !== undefined) {
    const group = next.get(to);
    const own = group ?? SortedItems.of<Item>([]);
    next = next.with(to, own.with(from === to ? old : undefined, item), group);
  }
  return next;
}

function groupItems<Item extends Unvalidated<KubernetesObject>>(
  items: readonly Item[],
  keyOf: IndexKey<Item>,
): ReadonlyMap<string, SortedItems<Item>> {
  const members = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = members.get(key);
    if (group === undefined) members.set(key, [item]);
    else group.push(item);
  }
  return new Map([...members].map(([key, group]) => [key, SortedItems.of(group)]));
}
