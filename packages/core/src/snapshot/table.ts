import type { Observed } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { nameOf, namespaceOf, textOf } from "../jobset-members.ts";
import { LayeredMap } from "./layered-map.ts";
import { SortedItems } from "./sorted-items.ts";

/** The key of an object under one index; `undefined` leaves it out. */
export type IndexKey<Item> = (item: Item) => string | undefined;

/** The indexes of one kind of object by name. */
export type IndexKeys<Item, Index extends string> = Readonly<Record<Index, IndexKey<Item>>>;

/** What changes in a table: objects put in place of those of the same name, and objects taken out. */
export interface TableChange<Item> {
  readonly key: string;
  /** Absent: taken out. */
  readonly item?: Item;
}

/**
 * The objects of one kind, by name and by the keys of any number of indexes. Immutable. An index is built, and a list
 * sorted, when it is first asked, and later versions of the table carry both on.
 */
export class Table<Item extends Observed<KubernetesObject>, Index extends string> {
  readonly #keys: IndexKeys<Item, Index>;
  readonly #items: LayeredMap<Item>;
  readonly #indexes = new Map<Index, LayeredMap<Group<Item>>>();
  #sorted: SortedItems<Item> | undefined;

  constructor(
    keys: IndexKeys<Item, Index>,
    items: LayeredMap<Item>,
    indexes: Iterable<readonly [Index, LayeredMap<Group<Item>>]> = [],
    sorted?: SortedItems<Item>,
  ) {
    this.#keys = keys;
    this.#items = items;
    this.#indexes = new Map(indexes);
    this.#sorted = sorted;
  }

  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  /** All objects by name, then by namespace. */
  all(): readonly Item[] {
    this.#sorted ??= SortedItems.of(this.#items.values());
    return this.#sorted.list();
  }

  /** The objects with a key under an index, by name, then by namespace. */
  group(index: Index, key: string): readonly Item[] {
    return this.#index(index).get(key)?.list() ?? [];
  }

  /** The table after changes; `this` stays as it is. */
  with(changes: readonly TableChange<Item>[]): Table<Item, Index> {
    let items = this.#items;
    let sorted = this.#sorted;
    const indexes = new Map(this.#indexes);
    for (const { key, item } of changes) {
      const old = items.get(key);
      items = items.with(key, item);
      sorted = sorted?.with(old, item);
      for (const [name, index] of indexes) {
        indexes.set(name, moved(index, key, { old, item, keyOf: this.#keys[name] }));
      }
    }
    return new Table(this.#keys, items, indexes, sorted);
  }

  #index(name: Index): LayeredMap<Group<Item>> {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = new LayeredMap(grouped(this.#items.entries(), this.#keys[name]));
      this.#indexes.set(name, index);
    }
    return index;
  }
}

/** An index after one object has changed, appeared or gone. */
function moved<Item extends Observed<KubernetesObject>>(
  index: LayeredMap<Group<Item>>,
  key: string,
  change: {
    readonly old: Item | undefined;
    readonly item: Item | undefined;
    readonly keyOf: IndexKey<Item>;
  },
): LayeredMap<Group<Item>> {
  const { old, item, keyOf } = change;
  const from = old === undefined ? undefined : keyOf(old);
  const to = item === undefined ? undefined : keyOf(item);
  let next = index;
  if (from !== undefined && from !== to) {
    next = next.with(from, next.get(from)?.with(key, undefined).unlessEmpty());
  }
  if (to !== undefined) {
    next = next.with(
      to,
      (next.get(to) ?? new Group<Item>(new LayeredMap(new Map()), 0)).with(key, item),
    );
  }
  return next;
}

function grouped<Item extends Observed<KubernetesObject>>(
  items: Iterable<readonly [key: string, item: Item]>,
  keyOfGroup: IndexKey<Item>,
): ReadonlyMap<string, Group<Item>> {
  const members = new Map<string, Map<string, Item>>();
  for (const [key, item] of items) {
    const group = keyOfGroup(item);
    if (group === undefined) continue;
    let map = members.get(group);
    if (map === undefined) {
      map = new Map();
      members.set(group, map);
    }
    map.set(key, item);
  }
  const groups = new Map<string, Group<Item>>();
  for (const [group, map] of members) groups.set(group, new Group(new LayeredMap(map), map.size));
  return groups;
}

/** The objects with one key under an index. */
class Group<Item extends Observed<KubernetesObject>> {
  readonly #items: LayeredMap<Item>;
  readonly #size: number;
  #sorted: SortedItems<Item> | undefined;

  constructor(items: LayeredMap<Item>, size: number, sorted?: SortedItems<Item>) {
    this.#items = items;
    this.#size = size;
    this.#sorted = sorted;
  }

  with(key: string, item: Item | undefined): Group<Item> {
    const old = this.#items.get(key);
    const size = this.#size - (old === undefined ? 0 : 1) + (item === undefined ? 0 : 1);
    return new Group(this.#items.with(key, item), size, this.#sorted?.with(old, item));
  }

  unlessEmpty(): Group<Item> | undefined {
    return this.#size === 0 ? undefined : this;
  }

  list(): readonly Item[] {
    this.#sorted ??= SortedItems.of(this.#items.values());
    return this.#sorted.list();
  }
}

/** What names an object among those of its kind. */
export function keyOf(object: Observed<KubernetesObject>): string {
  return namedKey(namespaceOf(object), nameOf(object));
}

/** {@link keyOf} of the object with that name; no name contains a slash. */
export function namedKey(namespace: string, name: string): string {
  return `${textOf(namespace)}/${textOf(name)}`;
}
