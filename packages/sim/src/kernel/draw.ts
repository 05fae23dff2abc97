/**
 * Returns a number from 0 to 1 (exclusive) that depends only on the arguments.
 *
 * Each use has its own stream, such as `("kubelet-start", podUid)`. So the draws of one component or fault do not shift
 * those of others, and a run with one fault less is otherwise the same.
 *
 * @example draw(1, "start", "pod-a") === draw(1, "start", "pod-a") // => true
 */
export function draw(seed: number, ...stream: readonly (string | number)[]): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (const part of stream) {
    const text = String(part);
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
    // Separates the parts, so ("a", "bc") and ("ab", "c") are different streams.
    hash = Math.imul(hash ^ 0x5bd1e995, 0x01000193);
  }
  return mixBits(hash) / 2 ** 32;
}

/** Mixes the bits of a hash, as the last steps of MurmurHash3 do. */
function mixBits(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
