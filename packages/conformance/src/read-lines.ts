import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** One line of a file, undecoded and without its line feed. */
export interface Line {
  /** The number of the line, starting at one. */
  readonly number: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file one at a time. A file whose name ends in `.gz` is decompressed.
 *
 * Only a line feed ends a line. (`node:readline` also breaks at U+2028, which JSON strings may contain.) Only one
 * chunk and one line are in memory, for any size of the file.
 *
 * @throws errors of the file system or the decompression, after the lines that could be read
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let unfinished: Buffer[] = [];
  for await (const chunk of splitChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      number += 1;
      yield { number, bytes: joinBuffers(unfinished, chunk.subarray(start, end)) };
      unfinished = [];
      start = end + 1;
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start));
  }
  if (unfinished.length > 0) yield { number: number + 1, bytes: Buffer.concat(unfinished) };
}

function splitChunks(file: string): AsyncIterable<Buffer> {
  const packed = createReadStream(file);
  return file.endsWith(".gz") ? decompress(packed) : packed;
}

function decompress(packed: Readable): AsyncIterable<Buffer> {
  // pipeline forwards a file error to the decompression stream, and so to its reader.
  return pipeline(packed, createGunzip(), () => {});
}

function joinBuffers(unfinished: readonly Buffer[], last: Buffer): Buffer {
  return unfinished.length === 0 ? last : Buffer.concat([...unfinished, last]);
}
