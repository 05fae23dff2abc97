import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";

/** A component's turn with one key: at an instant, before the turns of later components at the same one. */
export interface PendingTurn {
  /** Milliseconds of virtual time. */
  readonly at: number;
  /** The place of the component among all. */
  readonly rank: number;
  /** Counts the wakes, so that the order of two turns never hangs on anything else. */
  readonly order: number;
  readonly component: string;
  readonly key: string;
  /** What the component asked for; the key stands for it. */
  readonly turn: unknown;
}

/**
 * The pending turns, as an immutable value. Each key of a component has one turn, the earliest requested since its last
 * one, as in a work queue.
 */
export class TurnQueue {
  readonly #heap: Heap | undefined;
  /** How many turns are in the heap; those whose key has an earlier one, or none any more, do not count. */
  readonly #queued: number;
  /** The turns that count, by the place of the component and the key. */
  readonly #dues: readonly PersistentMap<PendingTurn>[];
  readonly size: number;

  /** @param heap - its first turn may be one that does not count */
  private constructor(
    heap: Heap | undefined,
    queued: number,
    dues: readonly PersistentMap<PendingTurn>[],
    size: number,
  ) {
    let [withoutFirst, left] = [heap, queued];
    while (withoutFirst !== undefined && left > size && !isCurrent(dues, withoutFirst.first)) {
      withoutFirst = mergeOthers(withoutFirst);
      left -= 1;
    }
    this.#heap = withoutFirst;
    this.#queued = left;
    this.#dues = dues;
    this.size = size;
  }

  static readonly empty = new TurnQueue(undefined, 0, [], 0);

  /** The turn that comes first. */
  get first(): PendingTurn | undefined {
    return this.#heap?.first;
  }

  /** When the turn of a component's key comes. */
  getTurnTime(rank: number, key: string): number | undefined {
    return this.#of(rank).get(key)?.at;
  }

  /** With a turn, unless the key has one no later. */
  with(due: PendingTurn): TurnQueue {
    const dues = this.#of(due.rank);
    const own = dues.get(due.key);
    if (own !== undefined && own.at <= due.at) return this;
    const heap = merge(this.#heap, { first: due, others: undefined });
    return this.#next(heap, this.#queued + 1, due.rank, dues.set(due.key, due));
  }

  /** Without the first turn. */
  rest(): TurnQueue {
    if (this.#heap === undefined) return this;
    const { rank, key } = this.#heap.first;
    return this.#next(mergeOthers(this.#heap), this.#queued - 1, rank, this.#of(rank).delete(key));
  }

  /** Without the turn of a component's key. */
  without(rank: number, key: string): TurnQueue {
    const dues = this.#of(rank);
    const left = dues.delete(key);
    return left === dues ? this : this.#next(this.#heap, this.#queued, rank, left);
  }

  #of(rank: number): PersistentMap<PendingTurn> {
    return this.#dues[rank] ?? emptyMap();
  }

  /** With another heap, and other turns of one component. */
  #next(
    heap: Heap | undefined,
    queued: number,
    rank: number,
    own: PersistentMap<PendingTurn>,
  ): TurnQueue {
    const size = this.size - this.#of(rank).size + own.size;
    const dues = this.#dues.slice();
    while (dues.length < rank) dues.push(emptyMap());
    dues[rank] = own;
    return new TurnQueue(heap, queued, dues, size);
  }
}

function isCurrent(dues: readonly PersistentMap<PendingTurn>[], due: PendingTurn): boolean {
  return dues[due.rank]?.get(due.key) === due;
}

/** A pairing heap: the first of all, and heaps of others. */
interface Heap {
  readonly first: PendingTurn;
  readonly others: List | undefined;
}

interface List {
  readonly heap: Heap;
  readonly next: List | undefined;
}

function merge(one: Heap | undefined, other: Heap | undefined): Heap | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  const isInOrder = isBefore(one.first, other.first);
  const [before, after] = isInOrder ? [one, other] : [other, one];
  return { first: before.first, others: { heap: after, next: before.others } };
}

/** Merges the heaps below the first one in pairs, then the pairs from the last to the first. */
function mergeOthers({ others }: Heap): Heap | undefined {
  const pairs: (Heap | undefined)[] = [];
  for (let list = others; list !== undefined; list = list.next?.next) {
    pairs.push(merge(list.heap, list.next?.heap));
  }
  return pairs.reduceRight<Heap | undefined>((rest, pair) => merge(rest, pair), undefined);
}

function isBefore(one: PendingTurn, other: PendingTurn): boolean {
  return (one.at - other.at || one.rank - other.rank || one.order - other.order) < 0;
}
