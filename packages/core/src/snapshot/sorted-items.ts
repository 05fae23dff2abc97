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

/**
 * Objects of one kind in the byte order of their names, then of their namespaces. Immutable: a change makes a new
 * one that shares the sorted list with this one and notes what is different. When the new list is asked, the changes
 * are laid into the old one, so nothing is sorted twice.
 */
export class SortedItems<Item extends Observed<KubernetesObject>> {
  readonly #sorted: readonly Item[];
  readonly #changes: Trie<Change<Item>>;
  #list: readonly Item[] | undefined;

  private constructor(sorted: readonly Item[], changes: Trie<Change<Item>>) {
    this.#sorted = sorted;
    this.#changes = changes;
  }

  static of<Item extends Observed<KubernetesObject>>(items: readonly Item[]): SortedItems<Item> {
    return new SortedItems<Item>(Object.freeze(items.toSorted(compareByName)), emptyTrie());
  }

  /** Those with another object in place of an old one, with one more, or with one less. */
  with(old: Item | undefined, item: Item | undefined): SortedItems<Item> {
    // What was asked meanwhile is the better start: it needs no change from before.
    const sorted = this.#list ?? this.#sorted;
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
    return new SortedItems(sorted, changes);
  }

  list(): readonly Item[] {
    this.#list ??= this.#changes.size === 0 ? this.#sorted : Object.freeze(this.#merged());
    return this.#list;
  }

  #merged(): readonly Item[] {
    const changes = [...this.#changes.entries()].map(([, change]) => change);
    changes.sort((one, other) => compareByName(one.at, other.at));
    const merged: Item[] = [];
    let next = 0;
    for (const { at, item } of changes) {
      const place = lowerBound(this.#sorted, at, next);
      append(merged, this.#sorted, next, place);
      const old = this.#sorted[place];
      next = old !== undefined && compareByName(old, at) === 0 ? place + 1 : place;
      if (item !== undefined) merged.push(item);
    }
    append(merged, this.#sorted, next, this.#sorted.length);
    return merged;
  }
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
