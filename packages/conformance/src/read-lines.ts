import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** One line of a file, undecoded and without its line feed. */
export interface Line {
  /** Counts from one. */
  readonly number: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a file, one at a time; a name that ends in `.gz` is unpacked on the way.
 *
 * Only a line feed ends a line. (`node:readline` also breaks at U+2028, which JSON strings may hold raw.)
 * Memory holds one chunk and one line, whatever the size of the file.
 *
 * @throws what the file system or the unpacking refuses, behind the lines that could still be read
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let unfinished: Buffer[] = [];
  for await (const chunk of splitChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      number += 1;
      yield { number, bytes: joined(unfinished, chunk.subarray(start, end)) };
      unfinished = [];
      start = end + 1;
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start));
  }
  if (unfinished.length > 0) yield { number: number + 1, bytes: Buffer.concat(unfinished) };
}

function splitChunks(file: string): AsyncIterable<Buffer> {
  const packed = createReadStream(file);
  return file.endsWith(".gz") ? unpacked(packed) : packed;
}

function unpacked(packed: Readable): AsyncIterable<Buffer> {
  // pipeline hands an error of the file on to the unpacking stream, whose reader gets it.
  return pipeline(packed, createGunzip(), () => {});
}

function joined(unfinished: readonly Buffer[], last: Buffer): Buffer {
  return unfinished.length === 0 ? last : Buffer.concat([...unfinished, last]);
}
