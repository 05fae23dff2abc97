import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";

/** A component's turn for one key. At the same instant, turns of earlier components come first. */
export interface PendingTurn {
  /** Milliseconds in virtual time. */
  readonly at: number;
  /** The position of the component among all components. */
  readonly rank: number;
  /** The number of the wake call. It makes the order of turns total. */
  readonly order: number;
  readonly component: string;
  readonly key: string;
  /** The turn that the component requested, which the key identifies. */
  readonly turn: unknown;
}

/**
 * The pending turns, as an immutable value. Each key of a component has one turn, the earliest requested since its last
 * one, as in a work queue.
 */
export class TurnQueue {
  readonly #heap: Heap | undefined;
  /** The number of turns in the heap, including canceled turns and turns that were replaced by an earlier one. */
  readonly #queued: number;
  /** The current turns, by component rank and key. */
  readonly #turns: readonly PersistentMap<PendingTurn>[];
  readonly size: number;

  /** @param heap - its first turn must be a current one */
  private constructor(
    heap: Heap | undefined,
    queued: number,
    turns: readonly PersistentMap<PendingTurn>[],
    size: number,
  ) {
    let [top, left] = [heap, queued];
    while (top !== undefined && left > size && !isCurrent(turns, top.first)) {
      top = mergeOthers(top);
      left -= 1;
    }
    this.#heap = top;
    this.#queued = left;
    this.#turns = turns;
    this.size = size;
  }

  static readonly empty = new TurnQueue(undefined, 0, [], 0);

  /** The next turn. */
  get first(): PendingTurn | undefined {
    return this.#heap?.first;
  }

  /** Returns when the turn of a component's key is due. */
  getTurnTime(rank: number, key: string): number | undefined {
    return this.#of(rank).get(key)?.at;
  }

  /** Adds a turn, unless the key has one that is not later. */
  with(turn: PendingTurn): TurnQueue {
    const turns = this.#of(turn.rank);
    const own = turns.get(turn.key);
    if (own !== undefined && own.at <= turn.at) return this;
    const heap = merge(this.#heap, { first: turn, others: undefined });
    return this.#next(heap, this.#queued + 1, turn.rank, turns.set(turn.key, turn));
  }

  /** Removes the next turn. */
  withoutFirst(): TurnQueue {
    if (this.#heap === undefined) return this;
    const { rank, key } = this.#heap.first;
    return this.#next(mergeOthers(this.#heap), this.#queued - 1, rank, this.#of(rank).delete(key));
  }

  /** Removes the turn of a component's key. */
  without(rank: number, key: string): TurnQueue {
    const turns = this.#of(rank);
    const left = turns.delete(key);
    return left === turns ? this : this.#next(this.#heap, this.#queued, rank, left);
  }

  #of(rank: number): PersistentMap<PendingTurn> {
    return this.#turns[rank] ?? emptyMap();
  }

  /** Returns a queue with another heap and other turns of one component. */
  #next(
    heap: Heap | undefined,
    queued: number,
    rank: number,
    own: PersistentMap<PendingTurn>,
  ): TurnQueue {
    const size = this.size - this.#of(rank).size + own.size;
    const turns = this.#turns.slice();
    while (turns.length < rank) turns.push(emptyMap());
    turns[rank] = own;
    return new TurnQueue(heap, queued, turns, size);
  }
}

function isCurrent(turns: readonly PersistentMap<PendingTurn>[], turn: PendingTurn): boolean {
  return turns[turn.rank]?.get(turn.key) === turn;
}

/** A pairing heap: the smallest element and its subheaps. */
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

/** Merges the subheaps in pairs, then the pairs from last to first. */
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
