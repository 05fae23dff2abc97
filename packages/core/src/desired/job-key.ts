import { _SHA1 } from "@noble/hashes/legacy.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Returns the key of a Job: lower-case hex SHA-1, 40 characters, of `<namespace>/<Job name>` in UTF-8.
 *
 * It depends on nothing else, so it is the same across restarts. JobSet's API comments say SHA-256; its code says
 * SHA-1.
 *
 * @example jobKey("default", "js-rjob-0") // => "594cb5c93756409379daf5f78db3fa5c78663cd1"
 */
export function jobKey(namespace: string, jobName: string): string {
  return jobKeysIn(namespace)(jobName);
}

/** A SHA-1 that exposes its digest. A copy would take a sixth of the memory for building a Job. */
class HexSha1 extends _SHA1 {
  hexInto(characters: number[]): string {
    this.digestInto(this.buffer);
    return flatHex(this.buffer, characters);
  }
}

/** Never used. An instance keeps V8 from discarding the compiled code of the class. */
const empty = /* @__PURE__ */ new HexSha1();

/**
 * Returns the keys of many Jobs in one namespace. Computing the digest is the largest part of building a Job, and
 * half of that would be spent on creating buffers and states. Here, they are created only once.
 */
export function jobKeysIn(namespace: string): (jobName: string) => string {
  const start = new HexSha1().update(utf8ToBytes(`${namespace}/`));
  const state = new HexSha1();
  const characters = new Array<number>(2 * empty.outputLen).fill(0);
  // Exactly as long as the name, because a view of a part is an extra object. Consecutive names usually have the
  // same length.
  let bytes = new Uint8Array(0);
  return (jobName) => {
    if (bytes.length !== jobName.length) bytes = new Uint8Array(jobName.length);
    const name = writeAscii(bytes, jobName) ? bytes : utf8ToBytes(jobName);
    start._cloneInto(state);
    state.update(name);
    return state.hexInto(characters);
  };
}

/** Writes text as bytes. Returns whether it was all ASCII, as Job names are. */
function writeAscii(bytes: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    bytes[index] = unit;
  }
  return true;
}

const hexDigits: readonly number[] = /* @__PURE__ */ Array.from("0123456789abcdef", (digit) =>
  digit.charCodeAt(0),
);

/**
 * Returns bytes as lower-case hex, in one flat string. A string that is concatenated character by character remains
 * a tree of pieces, ten times its size, until it is read. A controller keeps thousands of keys.
 */
function flatHex(bytes: Uint8Array, characters: number[]): string {
  for (let index = 0; index < characters.length; index += 2) {
    const byte = bytes[index / 2] ?? 0;
    characters[index] = hexDigits[byte >> 4] ?? 0;
    characters[index + 1] = hexDigits[byte & 0xf] ?? 0;
  }
  return String.fromCharCode(...characters);
}
