/** The destination of text: standard output, or its replacement in tests. */
export interface TextSink {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** An error while writing text, such as a full disk. It is not an internal error. */
export class WriteError extends Error {}

/** The number of characters that are buffered before a write. */
const CHUNK = 1 << 16;

/**
 * Writes chunks of text one after another. Respects backpressure, and never holds all of them in memory.
 *
 * @returns `false` if the reader closes the pipe before the end (`| head`), which is not an error
 * @throws WriteError for other write errors
 */
export async function writeAll(pieces: Iterable<string>, sink: TextSink): Promise<boolean> {
  let gathered = "";
  for (const piece of pieces) {
    gathered += piece;
    if (gathered.length < CHUNK) continue;
    if (!(await writeText(gathered, sink))) return false;
    gathered = "";
  }
  return gathered === "" || (await writeText(gathered, sink));
}

function writeText(text: string, sink: TextSink): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => {
      if (error === undefined || error === null) resolve(true);
      else if ("code" in error && error.code === "EPIPE") resolve(false);
      else reject(new WriteError(formatWriteError(error), { cause: error }));
    };
    // Writes to a file are synchronous, and some versions of Node throw their errors.
    try {
      sink.write(text, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function formatWriteError(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  return `cannot be written: ${code === "ENOSPC" ? "no space left on the device" : error.message}`;
}
