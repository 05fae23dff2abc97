import type { Observed } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { nameOf, namespaceOf } from "../jobset-members.ts";
import { emptyTrie, type Trie } from "./trie.ts";

/** What has happened at one place in the order. */
interface Change<Item> {
  /** An object of that place. */
  readonly at: Item;
  /** The object that is there now; absent when there is none. */
  readonly item: Item | undefined;
}

/** What was read of a list. */
interface Read<Item> {
  readonly list: readonly Item[];
  readonly values: readonly unknown[];
}

/**
 * Objects of one kind in the byte order of their names, then of their namespaces. Immutable: a change makes a new
 * one that shares the sorted list with this one and notes what is different. When the new list is asked, the changes
 * are laid into the old one, so nothing is sorted twice.
 */
export class SortedItems<Item extends Observed<KubernetesObject>> {
  /** In any order until it is first needed in the right one. */
  #sorted: readonly Item[];
  #isSorted: boolean;
  readonly #changes: Trie<Change<Item>>;
  readonly size: number;
  #list: readonly Item[] | undefined;
  /** What was read of this list, or of the last version of it of which anything was. */
  #read: Read<Item> | undefined;

  private constructor(
    items: readonly Item[],
    isSorted: boolean,
    changes: Trie<Change<Item>>,
    size: number,
    read?: Read<Item>,
  ) {
    this.#sorted = items;
    this.#isSorted = isSorted;
    this.#changes = changes;
    this.size = size;
    this.#read = read;
  }

  /** @param items - different ones, in any order; they are sorted when somebody asks */
  static of<Item extends Observed<KubernetesObject>>(items: readonly Item[]): SortedItems<Item> {
    return new SortedItems<Item>(items, items.length < 2, emptyTrie(), items.length);
  }

  /** @param items - in any order; of those with the same name and namespace the last one counts */
  static ofListed<Item extends Observed<KubernetesObject>>(
    items: readonly Item[],
  ): SortedItems<Item> {
    const sorted = sortedByName(items);
    const distinct = sorted.filter((item, index) => {
      const next = sorted[index + 1];
      return next === undefined || compareByName(item, next) !== 0;
    });
    return new SortedItems<Item>(Object.freeze(distinct), true, emptyTrie(), distinct.length);
  }

  /** Those with another object in place of an old one, with one more, or with one less. */
  with(old: Item | undefined, item: Item | undefined): SortedItems<Item> {
    // What was asked meanwhile is the better start: it needs no change from before.
    const sorted = this.#list ?? this.#inOrder();
    let changes = this.#list === undefined ? this.#changes : emptyTrie<Change<Item>>();
    const from = old === undefined ? undefined : placeOf(old);
    const to = item === undefined ? undefined : placeOf(item);
    if (old !== undefined && from !== undefined && from !== to) {
      // What came and went since the list was sorted leaves nothing behind, or the changes would grow for ever.
      const place = lowerBound(sorted, old, 0);
      const wasThere = sorted[place] !== undefined && compareByName(sorted[place], old) === 0;
      changes = wasThere ? changes.set(from, { at: old, item: undefined }) : changes.delete(from);
    }
    if (item !== undefined && to !== undefined) changes = changes.set(to, { at: item, item });
    const size = this.size - (old === undefined ? 0 : 1) + (item === undefined ? 0 : 1);
    return new SortedItems(sorted, true, changes, size, this.#read);
  }

  list(): readonly Item[] {
    this.#list ??= this.#changes.size === 0 ? this.#inOrder() : Object.freeze(this.#merged());
    return this.#list;
  }

  /**
   * What is read of each object, in the order of the list. Objects that were read for an earlier version are not read
   * again.
   *
   * @param readOne - always the same for one list; it is told what was read of the object before
   */
  read<Value>(readOne: (item: Item, before: Value | undefined) => Value): readonly Value[] {
    const list = this.list();
    if (this.#read?.list !== list)
      this.#read = { list, values: readAnew(list, this.#read, readOne) };
    return this.#read.values as readonly Value[];
  }

  #inOrder(): readonly Item[] {
    if (!this.#isSorted) {
      this.#sorted = Object.freeze(sortedByName(this.#sorted));
      this.#isSorted = true;
    }
    return this.#sorted;
  }

  #merged(): readonly Item[] {
    const changes = [...this.#changes.entries()].map(([, change]) => change);
    changes.sort((one, other) => compareByName(one.at, other.at));
    const sorted = this.#inOrder();
    const merged: Item[] = [];
    let next = 0;
    for (const { at, item } of changes) {
      const place = lowerBound(sorted, at, next);
      append(merged, sorted, next, place);
      const old = sorted[place];
      next = old !== undefined && compareByName(old, at) === 0 ? place + 1 : place;
      if (item !== undefined) merged.push(item);
    }
    append(merged, sorted, next, sorted.length);
    return merged;
  }
}

function readAnew<Item extends Observed<KubernetesObject>, Value>(
  list: readonly Item[],
  earlier: Read<Item> | undefined,
  readOne: (item: Item, before: Value | undefined) => Value,
): readonly Value[] {
  const { list: old, values } = earlier ?? { list: [], values: [] };
  let at = 0;
  let before: Value | undefined;
  return list.map((item) => {
    // What is gone is passed over.
    for (let gone = old[at]; gone !== undefined && gone !== item; gone = old[++at]) {
      if (compareByName(gone, item) >= 0) break;
    }
    before = old[at] === item ? (values[at++] as Value) : readOne(item, before);
    return before;
  });
}

/** Names are looked up once: a sort compares each of them many times. */
function sortedByName<Item extends Observed<KubernetesObject>>(items: readonly Item[]): Item[] {
  const named = items.map((item) => ({ item, name: nameOf(item) }));
  const compare = named.every(({ name }) => !surrogate.test(name)) ? compareUnits : compareBytes;
  return named
    .sort((one, other) => compare(one.name, other.name) || compareByName(one.item, other.item))
    .map(({ item }) => item);
}

const surrogate = /[\ud800-\udfff]/;

/** The order of the bytes for texts without surrogates, as all names of a cluster are; three times as fast. */
function compareUnits(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1;
}

/** A total order: no two objects of one kind have the same name and namespace. */
function compareByName<Item extends Observed<KubernetesObject>>(one: Item, other: Item): number {
  return (
    compareBytes(nameOf(one), nameOf(other)) || compareBytes(namespaceOf(one), namespaceOf(other))
  );
}

/** One text for each place in that order, whatever characters a name that nobody has checked consists of. */
function placeOf(item: Observed<KubernetesObject>): string {
  const name = nameOf(item);
  return `${name.length}/${name}/${namespaceOf(item)}`;
}

/** The first place from `start` on whose object does not come before `item`. */
function lowerBound<Item extends Observed<KubernetesObject>>(
  sorted: readonly Item[],
  item: Item,
  start: number,
): number {
  let [low, high] = [start, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = sorted[middle];
    if (candidate !== undefined && compareByName(candidate, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function append<Item>(to: Item[], from: readonly Item[], start: number, end: number): void {
  for (let index = start; index < end; index++) to.push(from[index] as Item);
}
