import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { getName, getNamespace } from "../jobset-members.ts";

/**
 * Reads consecutive objects.
 *
 * @param before - the earlier result, before objects were added, changed or removed
 * @param preceding - the result for the preceding objects
 */
export type ReadAll<Item, Reading> = (
  items: readonly Item[],
  before: Reading | undefined,
  preceding: Reading | undefined,
) => Reading;

/** Consecutive objects in sort order, and the result of reading them. */
class Block<Item> {
  readonly items: readonly Item[];
  /** The result of the last reading of these objects, or of their earlier version. */
  #reading: unknown;
  #isRead = false;

  constructor(items: readonly Item[], before?: Block<Item>) {
    this.items = items;
    if (before !== undefined) this.#reading = before.#reading;
  }

  read<Reading>(readAll: ReadAll<Item, Reading>, preceding: Reading | undefined): Reading {
    if (!this.#isRead) {
      this.#reading = readAll(this.items, this.#reading as Reading | undefined, preceding);
      this.#isRead = true;
    }
    return this.#reading as Reading;
  }
}

/** The maximum number of objects in a block. A larger block is split. */
export const MAX_BLOCK = 1024;
/**
 * Returns how many changes may wait until the list is read: few compared to the objects, because each keeps a removed
 * object alive.
 */
export function maxPendingChanges(size: number): number {
  return Math.max(4, size >>> 3);
}

/** A change that turned an earlier version into a later one. */
interface Change<Item extends Unvalidated<KubernetesObject>> {
  readonly earlier: SortedItems<Item>;
  /** The removed object. */
  readonly old: Item | undefined;
  /** The added object. */
  readonly item: Item | undefined;
  /** The number of changes between this version and one with known blocks or without order. */
  readonly count: number;
}

/**
 * Objects of one kind in the byte order of their names, then of their namespaces, in blocks. Immutable: a change
 * returns a new version that shares all blocks but one. Changes wait and are applied together on the next read, because
 * a busy cluster has many more changes than reads.
 */
export class SortedItems<Item extends Unvalidated<KubernetesObject>> {
  readonly size: number;
  /** The objects in any order, if the sorted order was not needed yet. */
  readonly #unsorted: readonly Item[];
  #list: readonly Item[] | undefined;
  #blocks: readonly Block<Item>[] | undefined;
  /** A change that is not applied yet. Undefined once it is applied. */
  #change: Change<Item> | undefined;

  private constructor(
    size: number,
    unsorted: readonly Item[],
    list?: readonly Item[],
    change?: Change<Item>,
  ) {
    this.size = size;
    this.#unsorted = unsorted;
    this.#list = list;
    this.#change = change;
  }

  /** @param items - distinct items in any order; they are sorted on demand */
  static of<Item extends Unvalidated<KubernetesObject>>(items: readonly Item[]): SortedItems<Item> {
    return new SortedItems<Item>(items.length, items);
  }

  /** @param items - in any order; of those with the same name and namespace the last one counts */
  static fromListed<Item extends Unvalidated<KubernetesObject>>(
    items: readonly Item[],
  ): SortedItems<Item> {
    const sorted = sortByName(items);
    const distinct = sorted.filter((item, index) => {
      const next = sorted[index + 1];
      return next === undefined || compareByName(item, next) !== 0;
    });
    return new SortedItems<Item>(distinct.length, [], Object.freeze(distinct));
  }

  /** Whether the maximum number of changes is waiting: the next one applies them. */
  get isFarBehind(): boolean {
    return this.#change !== undefined && this.#change.count >= maxPendingChanges(this.size);
  }

  /** Returns the items with one object replaced, added or removed. */
  with(old: Item | undefined, item: Item | undefined): SortedItems<Item> {
    if (this.size === 1 && old !== undefined && item !== undefined) return SortedItems.of([item]);
    if (this.isFarBehind) this.#inBlocks();
    const size = this.size - (old === undefined ? 0 : 1) + (item === undefined ? 0 : 1);
    const count = (this.#change?.count ?? 0) + 1;
    return new SortedItems(size, [], undefined, { earlier: this, old, item, count });
  }

  list(): readonly Item[] {
    this.#list ??= Object.freeze(
      this.#blocks === undefined && this.#change === undefined
        ? sortByName(this.#unsorted)
        : joinBlocks(this.#inBlocks()),
    );
    return this.#list;
  }

  /**
   * Returns the readings of all blocks in list order. A block that was read for an earlier version is not read again.
   *
   * @param readAll - must be the same function for all versions of a list
   */
  read<Reading>(readAll: ReadAll<Item, Reading>): readonly Reading[] {
    let preceding: Reading | undefined;
    return this.#inBlocks().map((block) => {
      preceding = block.read(readAll, preceding);
      return preceding;
    });
  }

  #inBlocks(): readonly Block<Item>[] {
    if (this.#blocks === undefined) {
      const changes: Change<Item>[] = [];
      let earlier: SortedItems<Item> = this;
      for (let change = this.#change; change !== undefined; change = earlier.#change) {
        changes.push(change);
        earlier = change.earlier;
      }
      this.#blocks =
        changes.length === 0
          ? splitBlocks(this.list()).map((items) => new Block(items))
          : changeBlocks(earlier.#inBlocks(), changes.reverse());
      this.#change = undefined;
    }
    return this.#blocks;
  }
}

function joinBlocks<Item>(blocks: readonly Block<Item>[]): Item[] {
  const list: Item[] = [];
  for (const { items } of blocks) for (const item of items) list.push(item);
  return list;
}

/** A block that is being changed. */
interface OpenBlock<Item> {
  /** The objects of the block. Copied at the first change. */
  items: Item[] | undefined;
  readonly block: Block<Item>;
}

/** Returns the blocks after changes, the oldest first. */
function changeBlocks<Item extends Unvalidated<KubernetesObject>>(
  blocks: readonly Block<Item>[],
  changes: readonly Change<Item>[],
): readonly Block<Item>[] {
  const open: OpenBlock<Item>[] = blocks.map((block) => ({ items: undefined, block }));
  for (const { old, item } of changes) {
    if (old !== undefined && (item === undefined || compareByName(old, item) !== 0)) {
      change(open, old, undefined);
    }
    if (item !== undefined) change(open, item, item);
  }
  return open.flatMap(({ items, block }) => {
    if (items === undefined) return [block];
    const parts = items.length > MAX_BLOCK ? splitBlocks(items) : [items];
    return parts.map((part) => new Block(part, block));
  });
}

/** Replaces, adds or removes an object. */
function change<Item extends Unvalidated<KubernetesObject>>(
  blocks: OpenBlock<Item>[],
  at: Item,
  item: Item | undefined,
): void {
  // The last block that starts at or before this position, or the first block.
  const later = countBefore(blocks, ({ items, block }) => {
    const [first] = items ?? block.items;
    return first === undefined || compareByName(first, at) <= 0;
  });
  const index = Math.max(0, later - 1);
  const open = blocks[index] ?? { items: [], block: new Block<Item>([]) };
  blocks[index] = open;
  open.items ??= [...open.block.items];
  const { items } = open;
  const place = countBefore(items, (one) => compareByName(one, at) < 0);
  const existing = items[place];
  const isThere = existing !== undefined && compareByName(existing, at) === 0;
  if (isThere && item !== undefined) items[place] = item;
  else items.splice(place, isThere ? 1 : 0, ...(item === undefined ? [] : [item]));
  if (items.length === 0) blocks.splice(index, 1);
}

/** Splits items into parts of at most half a block, so that each has room for more. */
function splitBlocks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const half = MAX_BLOCK / 2;
  return Array.from({ length: Math.ceil(items.length / half) }, (_, index) =>
    items.slice(index * half, (index + 1) * half),
  );
}

/** Names are read once, because a sort compares each of them many times. */
function sortByName<Item extends Unvalidated<KubernetesObject>>(items: readonly Item[]): Item[] {
  const named = items.map((item) => ({ item, name: getName(item) }));
  const compare = named.every(({ name }) => !surrogate.test(name)) ? compareUnits : compareBytes;
  return named
    .sort((one, other) => compare(one.name, other.name) || compareByName(one.item, other.item))
    .map(({ item }) => item);
}

const surrogate = /[\ud800-\udfff]/;

/** Compares texts by UTF-16 unit, which equals byte order without surrogates and is three times as fast. */
function compareUnits(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1;
}

/** A total order, because no two objects of one kind have the same name and namespace. */
function compareByName<Item extends Unvalidated<KubernetesObject>>(one: Item, other: Item): number {
  return (
    compareBytes(getName(one), getName(other)) ||
    compareBytes(getNamespace(one), getNamespace(other))
  );
}

/** Returns the length of the prefix whose elements satisfy a predicate. No later element satisfies it. */
function countBefore<Element>(
  elements: readonly Element[],
  isBefore: (element: Element) => boolean,
): number {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(elements[middle] as Element)) low = middle + 1;
    else high = middle;
  }
  return low;
}
