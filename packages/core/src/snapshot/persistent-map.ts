import { compareBytes } from "@jobset-ts/api/text";

/**
 * An immutable map with string keys. Setting a key returns a new map that shares all but a few small nodes, at a cost
 * proportional to the length of the key.
 *
 * A hash array mapped trie: five bits of the key's hash select the branch at each level.
 */
export interface PersistentMap<Value> {
  readonly size: number;
  /** Returns the value of a key. */
  get(key: string): Value | undefined;
  /** Returns the map with another value for a key. This map does not change. */
  set(key: string, value: Value): PersistentMap<Value>;
  /** Returns the map without a key, or the same map if it has no such key. */
  delete(key: string): PersistentMap<Value>;
  /** Yields the entries in an order that depends only on the keys. */
  entries(): Generator<readonly [string, Value], void, undefined>;
}

interface Leaf<Value> {
  readonly hash: number;
  readonly key: string;
  readonly value: Value;
  /** The next key with the same hash, which is rare, in key order. */
  readonly next: Leaf<Value> | undefined;
  /** The number of leaves from here on. */
  readonly size: number;
}

interface Branch<Value> {
  /** The number of leaves below. */
  readonly size: number;
  /** Bit i is set if chunk i has a child. */
  readonly bitmap: number;
  readonly children: readonly Node<Value>[];
}

type Node<Value> = Leaf<Value> | Branch<Value>;

const chunkBits = 5;
const chunkMask = 31;

/** Returns the empty map, always the same one. */
export function emptyMap<Value>(): PersistentMap<Value> {
  return empty;
}

/** A class, because method closures would cost each version of a map as much as the change. */
class HashTrie<Value> implements PersistentMap<Value> {
  readonly #root: Node<Value> | undefined;

  constructor(root: Node<Value> | undefined) {
    this.#root = root;
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  get(key: string): Value | undefined {
    return this.#root === undefined ? undefined : find(this.#root, key, computeHash(key));
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const leaf = { hash: computeHash(key), key, value, next: undefined, size: 1 };
    return new HashTrie(this.#root === undefined ? leaf : insert(this.#root, leaf, 0));
  }

  delete(key: string): PersistentMap<Value> {
    const rest = this.#root && removeFromNode(this.#root, key, computeHash(key), 0);
    return rest === this.#root ? this : new HashTrie(rest);
  }

  *entries(): Generator<readonly [string, Value], void, undefined> {
    // Recursive generators would pass each entry up through every level.
    const pending = this.#root === undefined ? [] : [this.#root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if ("bitmap" in node) pending.push(...node.children.toReversed());
      else {
        for (let leaf: Leaf<Value> | undefined = node; leaf !== undefined; leaf = leaf.next) {
          yield [leaf.key, leaf.value];
        }
      }
    }
  }
}

const empty: PersistentMap<never> = new HashTrie<never>(undefined);

function find<Value>(root: Node<Value>, key: string, hash: number): Value | undefined {
  let node = root;
  for (let shift = 0; "bitmap" in node; shift += chunkBits) {
    const bit = getBit(hash, shift);
    const child = (node.bitmap & bit) === 0 ? undefined : node.children[findSlot(node, bit)];
    if (child === undefined) return undefined;
    node = child;
  }
  for (let leaf: Leaf<Value> | undefined = node; leaf !== undefined; leaf = leaf.next) {
    if (leaf.key === key) return leaf.value;
  }
  return undefined;
}

function insert<Value>(node: Node<Value>, leaf: Leaf<Value>, shift: number): Node<Value> {
  if (!("bitmap" in node)) {
    return node.hash === leaf.hash ? withLeaf(node, leaf) : splitLeaves(node, leaf, shift);
  }
  const { size, bitmap, children } = node;
  const bit = getBit(leaf.hash, shift);
  const slot = findSlot(node, bit);
  const child = children[slot];
  if ((bitmap & bit) === 0 || child === undefined) {
    return { size: size + 1, bitmap: bitmap | bit, children: children.toSpliced(slot, 0, leaf) };
  }
  const next = insert(child, leaf, shift + chunkBits);
  return { size: size - child.size + next.size, bitmap, children: withChild(children, slot, next) };
}

function withChild<Value>(
  children: readonly Node<Value>[],
  slot: number,
  child: Node<Value>,
): readonly Node<Value>[] {
  const next = children.slice();
  next[slot] = child;
  return next;
}

/** Returns the leaves of one hash with a leaf added or replaced. */
function withLeaf<Value>(first: Leaf<Value> | undefined, leaf: Leaf<Value>): Leaf<Value> {
  if (first === undefined) return leaf;
  if (first.key === leaf.key) return first.next === undefined ? leaf : linkLeaf(leaf, first.next);
  return compareBytes(first.key, leaf.key) < 0
    ? linkLeaf(first, withLeaf(first.next, leaf))
    : linkLeaf(leaf, first);
}

/** Returns the leaves of one hash without a key, or the same leaves if none has it. */
function withoutLeaf<Value>(first: Leaf<Value>, removed: string): Leaf<Value> | undefined {
  const { key, next } = first;
  if (key === removed || next === undefined) return key === removed ? next : first;
  const rest = withoutLeaf(next, removed);
  return rest === next ? first : linkLeaf(first, rest);
}

function linkLeaf<Value>(
  { hash, key, value }: Leaf<Value>,
  next: Leaf<Value> | undefined,
): Leaf<Value> {
  return { hash, key, value, next, size: 1 + (next?.size ?? 0) };
}

/** Returns a branch over two leaves whose hashes differ somewhere. */
function splitLeaves<Value>(one: Leaf<Value>, other: Leaf<Value>, shift: number): Branch<Value> {
  const size = one.size + other.size;
  const [bit, otherBit] = [getBit(one.hash, shift), getBit(other.hash, shift)];
  if (bit === otherBit) {
    return { size, bitmap: bit, children: [splitLeaves(one, other, shift + chunkBits)] };
  }
  const inOrder = bit >>> 0 < otherBit >>> 0;
  return { size, bitmap: bit | otherBit, children: inOrder ? [one, other] : [other, one] };
}

/**
 * Returns a node without a key, or the same node if it lacks the key. A branch with one remaining leaf becomes that
 * leaf.
 */
function removeFromNode<Value>(
  node: Node<Value>,
  key: string,
  hash: number,
  shift: number,
): Node<Value> | undefined {
  if (!("bitmap" in node)) return withoutLeaf(node, key);
  const { size, bitmap, children } = node;
  const bit = getBit(hash, shift);
  const slot = findSlot(node, bit);
  const child = (bitmap & bit) === 0 ? undefined : children[slot];
  if (child === undefined) return node;
  const rest = removeFromNode(child, key, hash, shift + chunkBits);
  if (rest === child) return node;
  const left = rest === undefined ? children.toSpliced(slot, 1) : withChild(children, slot, rest);
  const [only] = left;
  if (only === undefined) return undefined;
  if (left.length === 1 && !("bitmap" in only)) return only;
  return {
    size: size - child.size + (rest?.size ?? 0),
    bitmap: rest === undefined ? bitmap & ~bit : bitmap,
    children: left,
  };
}

function getBit(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & chunkMask);
}

/** Returns the index of a bit's child: after the children of all lower bits. */
function findSlot(branch: Branch<unknown>, bit: number): number {
  return bitCount(branch.bitmap & (bit - 1));
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** FNV-1a over UTF-16 code units, with a final mix so that the low bits depend on all of the text: 32 bits. */
export function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
