import { compareBytes } from "@jobset-ts/api/text";

/**
 * An immutable map with text keys. Setting a key makes a new map and costs about as much as the key is long: the
 * new map shares all but a few small nodes with the old one.
 *
 * A hash array mapped trie: five bits of the key's hash choose the branch at each level.
 */
export interface Trie<Value> {
  readonly size: number;
  /** The value of a key. */
  get(key: string): Value | undefined;
  /** The same map with another value; this one stays as it is. */
  set(key: string, value: Value): Trie<Value>;
  /** The same map when it has no such key. */
  delete(key: string): Trie<Value>;
  /** In an order that depends on the keys alone. */
  entries(): Generator<readonly [string, Value], void, undefined>;
}

interface Leaf<Value> {
  readonly hash: number;
  readonly key: string;
  readonly value: Value;
  /** Another key with the same hash, which is rare; in the order of the keys. */
  readonly next: Leaf<Value> | undefined;
}

interface Branch<Value> {
  /** Bit i is set when there is a child for the chunk i. */
  readonly bitmap: number;
  readonly children: readonly Node<Value>[];
}

type Node<Value> = Leaf<Value> | Branch<Value>;

const chunkBits = 5;
const chunkMask = 31;

/** A map without keys: always the same one. */
export function emptyTrie<Value>(): Trie<Value> {
  return empty;
}

/** A class, since methods of its own would cost each version of a map as much as the change. */
class HashTrie<Value> implements Trie<Value> {
  readonly size: number;
  readonly #root: Node<Value> | undefined;

  constructor(root: Node<Value> | undefined, size: number) {
    this.#root = root;
    this.size = size;
  }

  get(key: string): Value | undefined {
    return this.#root === undefined ? undefined : find(this.#root, key, hashOf(key));
  }

  set(key: string, value: Value): Trie<Value> {
    const hash = hashOf(key);
    const leaf = { hash, key, value, next: undefined };
    if (this.#root === undefined) return new HashTrie<Value>(leaf, 1);
    const isNew = find(this.#root, key, hash) === undefined;
    return new HashTrie(insert(this.#root, leaf, 0), this.size + (isNew ? 1 : 0));
  }

  delete(key: string): Trie<Value> {
    const hash = hashOf(key);
    if (this.#root === undefined || find(this.#root, key, hash) === undefined) return this;
    return new HashTrie(without(this.#root, key, hash, 0), this.size - 1);
  }

  *entries(): Generator<readonly [string, Value], void, undefined> {
    // A generator for each branch would hand every entry on as often as it lies deep.
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

const empty: Trie<never> = new HashTrie<never>(undefined, 0);

function find<Value>(root: Node<Value>, key: string, hash: number): Value | undefined {
  let node = root;
  for (let shift = 0; "bitmap" in node; shift += chunkBits) {
    const bit = bitOf(hash, shift);
    const child = (node.bitmap & bit) === 0 ? undefined : node.children[slotOf(node, bit)];
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
    return node.hash === leaf.hash ? withLeaf(node, leaf) : split(node, leaf, shift);
  }
  const bit = bitOf(leaf.hash, shift);
  const slot = slotOf(node, bit);
  const children = [...node.children];
  const child = children[slot];
  if ((node.bitmap & bit) === 0 || child === undefined) {
    children.splice(slot, 0, leaf);
    return { bitmap: node.bitmap | bit, children };
  }
  children[slot] = insert(child, leaf, shift + chunkBits);
  return { bitmap: node.bitmap, children };
}

/** Leaves of one hash, with one more or another value. */
function withLeaf<Value>(first: Leaf<Value> | undefined, leaf: Leaf<Value>): Leaf<Value> {
  if (first === undefined) return leaf;
  const { hash, key, value, next } = first;
  if (key === leaf.key) return { hash, key, value: leaf.value, next };
  return compareBytes(key, leaf.key) < 0
    ? { hash, key, value, next: withLeaf(next, leaf) }
    : { hash, key: leaf.key, value: leaf.value, next: first };
}

/** Leaves of one hash, without a key that one of them has. */
function withoutLeaf<Value>(first: Leaf<Value>, gone: string): Leaf<Value> | undefined {
  const { hash, key, value, next } = first;
  if (key === gone || next === undefined) return next;
  return { hash, key, value, next: withoutLeaf(next, gone) };
}

/** A branch over two leaves whose hashes differ somewhere. */
function split<Value>(one: Leaf<Value>, other: Leaf<Value>, shift: number): Branch<Value> {
  const [bit, otherBit] = [bitOf(one.hash, shift), bitOf(other.hash, shift)];
  if (bit === otherBit) return { bitmap: bit, children: [split(one, other, shift + chunkBits)] };
  const inOrder = bit >>> 0 < otherBit >>> 0;
  return { bitmap: bit | otherBit, children: inOrder ? [one, other] : [other, one] };
}

/** A node without a key that it holds; a branch with one leaf left becomes that leaf. */
function without<Value>(
  node: Node<Value>,
  key: string,
  hash: number,
  shift: number,
): Node<Value> | undefined {
  if (!("bitmap" in node)) {
    return withoutLeaf(node, key);
  }
  const bit = bitOf(hash, shift);
  const slot = slotOf(node, bit);
  const children = [...node.children];
  const child = children[slot];
  if (child === undefined) return node;
  const rest = without(child, key, hash, shift + chunkBits);
  if (rest === undefined) children.splice(slot, 1);
  else children[slot] = rest;
  const only = children.length === 1 ? children[0] : undefined;
  if (only !== undefined && !("bitmap" in only)) return only;
  const bitmap = rest === undefined ? node.bitmap & ~bit : node.bitmap;
  return children.length === 0 ? undefined : { bitmap, children };
}

function bitOf(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & chunkMask);
}

/** Where the child of a bit stands: behind the children of all lower bits. */
function slotOf(branch: Branch<unknown>, bit: number): number {
  return bitCount(branch.bitmap & (bit - 1));
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** FNV-1a over UTF-16 code units, with a final mix so that the low bits depend on all of the text: 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
