import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** The maximum number of bytes of a file, because no string can be longer. */
export const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** The error code for a larger file. Node uses it for files that it cannot hold at all. */
export const TOO_LARGE = "ERR_FS_FILE_TOO_LARGE";

/** Called while a file is read, with the number of bytes so far. */
export type OnBytesRead = (length: number) => void;

/** Reads a file. A file that is too large is not opened. A pipe or device is read up to the limit. */
export async function readFileLimited(
  path: string,
  onBytesRead?: OnBytesRead,
): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw createTooLargeError();
  return readStreamLimited(createReadStream(path), { onBytesRead, expected: size });
}

/**
 * Reads a stream.
 *
 * @throws an error with the code {@link TOO_LARGE} if there are more than `maxBytes`; the rest is not read
 * @param options.expected - the likely number of bytes
 */
export async function readStreamLimited(
  chunks: AsyncIterable<Uint8Array>,
  {
    maxBytes = MAX_BYTES,
    expected = 0,
    onBytesRead,
  }: {
    readonly maxBytes?: number;
    readonly expected?: number;
    readonly onBytesRead?: OnBytesRead;
  } = {},
): Promise<Uint8Array> {
  // Expected chunks are copied at once, which avoids a second copy of all of them.
  const whole = Buffer.allocUnsafe(expected);
  const beyond: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > maxBytes) throw createTooLargeError();
    if (beyond.length === 0 && length + chunk.length <= expected) whole.set(chunk, length);
    else beyond.push(chunk);
    length += chunk.length;
    onBytesRead?.(length);
  }
  const remaining = beyond.reduce((left, chunk) => left - chunk.length, length);
  const start = whole.subarray(0, remaining);
  return beyond.length === 0 ? start : Buffer.concat([start, ...beyond], length);
}

function createTooLargeError(): Error {
  return Object.assign(new Error("too large"), { code: TOO_LARGE });
}
