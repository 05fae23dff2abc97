/**
 * Returns a number from 0 to 1 (exclusive) that depends only on the arguments.
 *
 * Each use has its own stream, such as `("kubelet-start", podUid)`. So the draws of one component or fault do not shift
 * those of others, and a run with one fault less is otherwise the same.
 *
 * @example draw(1, "start", "pod-a") === draw(1, "start", "pod-a") // => true
 */
export function draw(seed: number, ...stream: readonly (string | number)[]): number {
  return mixBits(stream.reduce(hashPart, hashSeed(seed))) / 2 ** 32;
}

/**
 * Returns a function that draws several numbers of one stream. It hashes their common parts once.
 *
 * @example createStream(1, "start")("pod-a") === draw(1, "start", "pod-a") // => true
 */
export function createStream(
  seed: number,
  ...stream: readonly (string | number)[]
): (last: string | number) => number {
  const hash = stream.reduce(hashPart, hashSeed(seed));
  return (last) => mixBits(hashPart(hash, last)) / 2 ** 32;
}

function hashSeed(seed: number): number {
  return Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
}

function hashPart(start: number, part: string | number): number {
  const text = String(part);
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // Separates the parts, so ("a", "bc") and ("ab", "c") are different streams.
  return Math.imul(hash ^ 0x5bd1e995, 0x01000193);
}

/** Mixes the bits of a hash, as the last steps of MurmurHash3 do. */
function mixBits(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
