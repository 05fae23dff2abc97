import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** The most bytes that are read of one file: no text can be longer. */
export const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** The code of the error with which a larger file is refused, as Node has it for files that it cannot hold at all. */
export const TOO_LARGE = "ERR_FS_FILE_TOO_LARGE";

/** Called while a file is read, with the number of bytes that have come so far. */
export type OnBytesRead = (length: number) => void;

/** A file's bytes. A file that is too large is not even opened; a pipe or device is read up to the limit. */
export async function readFileLimited(path: string, took?: OnBytesRead): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw createTooLargeError();
  return readStreamLimited(createReadStream(path), { took, expected: size });
}

/**
 * The bytes of a stream.
 *
 * @throws an error with the code {@link TOO_LARGE} once there are more than `maxBytes`; what follows is not read
 * @param options.expected - how many are likely to come
 */
export async function readStreamLimited(
  chunks: AsyncIterable<Uint8Array>,
  {
    maxBytes = MAX_BYTES,
    expected = 0,
    took,
  }: { readonly maxBytes?: number; readonly expected?: number; readonly took?: OnBytesRead } = {},
): Promise<Uint8Array> {
  // What comes as expected is copied at once, so that no second copy of all of it is needed.
  const whole = Buffer.allocUnsafe(expected);
  const beyond: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > maxBytes) throw createTooLargeError();
    if (beyond.length === 0 && length + chunk.length <= expected) whole.set(chunk, length);
    else beyond.push(chunk);
    length += chunk.length;
    took?.(length);
  }
  const kept = beyond.reduce((left, chunk) => left - chunk.length, length);
  const start = whole.subarray(0, kept);
  return beyond.length === 0 ? start : Buffer.concat([start, ...beyond], length);
}

function createTooLargeError(): Error {
  return Object.assign(new Error("too large"), { code: TOO_LARGE });
}
