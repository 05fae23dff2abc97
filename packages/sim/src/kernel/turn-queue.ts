import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";

/** A component's turn to look after one key: at an instant, before the turns of later components at the same one. */
export interface Due {
  /** Milliseconds of virtual time. */
  readonly at: number;
  /** The place of the component among all. */
  readonly rank: number;
  /** Counts the wakes, so that the order of two turns never hangs on anything else. */
  readonly order: number;
  readonly component: string;
  readonly key: string;
}

/** A turn, and what names its key among those of all components. */
interface Queued {
  readonly due: Due;
  readonly name: string;
}

/**
 * The turns that are still to come, as an immutable value. A key of a component has one turn: the earliest one that was
 * asked for since it last had it, as in a work queue.
 */
export class TurnQueue {
  readonly #heap: Heap | undefined;
  readonly #due: Trie<Queued>;

  private constructor(heap: Heap | undefined, due: Trie<Queued>) {
    this.#heap = heap;
    this.#due = due;
  }

  static readonly empty = new TurnQueue(undefined, emptyTrie());

  get size(): number {
    return this.#due.size;
  }

  /** The turn that comes first. */
  get first(): Due | undefined {
    return this.#heap?.first.due;
  }

  /** When a key's turn comes. */
  dueAt(component: string, key: string): number | undefined {
    return this.#due.get(turnKey(component, key))?.due.at;
  }

  /** With a turn, unless the key has one no later. */
  with(due: Due): TurnQueue {
    const name = turnKey(due.component, due.key);
    const own = this.#due.get(name);
    if (own !== undefined && own.due.at <= due.at) return this;
    const first = { due, name };
    return new TurnQueue(
      merge(this.#heap, { first, others: undefined }),
      this.#due.set(name, first),
    );
  }

  /** Without the first turn. */
  rest(): TurnQueue {
    if (this.#heap === undefined) return this;
    return TurnQueue.#withoutOvertaken(restOf(this.#heap), this.#due.delete(this.#heap.first.name));
  }

  /** Without the turn of a key. */
  without(component: string, key: string): TurnQueue {
    const due = this.#due.delete(turnKey(component, key));
    return due === this.#due ? this : TurnQueue.#withoutOvertaken(this.#heap, due);
  }

  /** Lets turns go whose key has an earlier one or none any more, so that the first of the heap is one that counts. */
  static #withoutOvertaken(heap: Heap | undefined, due: Trie<Queued>): TurnQueue {
    let rest = heap;
    while (rest !== undefined && due.get(rest.first.name) !== rest.first) {
      rest = restOf(rest);
    }
    return new TurnQueue(rest, due);
  }
}

/** A pairing heap: the first of all, and heaps of others. */
interface Heap {
  readonly first: Queued;
  readonly others: List | undefined;
}

interface List {
  readonly heap: Heap;
  readonly next: List | undefined;
}

function merge(one: Heap | undefined, other: Heap | undefined): Heap | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  const isInOrder = comesBefore(one.first.due, other.first.due);
  const [before, after] = isInOrder ? [one, other] : [other, one];
  return { first: before.first, others: { heap: after, next: before.others } };
}

/** Merges the heaps below the first one in pairs, then the pairs from the last to the first. */
function restOf({ others }: Heap): Heap | undefined {
  const pairs: (Heap | undefined)[] = [];
  for (let list = others; list !== undefined; list = list.next?.next) {
    pairs.push(merge(list.heap, list.next?.heap));
  }
  return pairs.reduceRight<Heap | undefined>((rest, pair) => merge(rest, pair), undefined);
}

function comesBefore(one: Due, other: Due): boolean {
  return (one.at - other.at || one.rank - other.rank || one.order - other.order) < 0;
}

/** Names of components hold no line break. */
function turnKey(component: string, key: string): string {
  return `${component}\n${key}`;
}
