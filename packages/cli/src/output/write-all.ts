/** Where text goes: standard output, or what a test puts in its place. */
export interface TextSink {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** Why text could not be written: a full disk, say, and no defect of ours. */
export class WriteError extends Error {}

/** How many characters are gathered before they are written. */
const CHUNK = 1 << 16;

/**
 * Writes pieces of text one after another, no faster than they are taken, and never all of them in memory.
 *
 * @returns `false` when the reader went away before the end (`| head`): that is the reader's right, and no failure
 * @throws WriteError for whatever else goes wrong with writing
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
    // A file that is standard output is written to at once, and some versions of Node throw what goes wrong.
    try {
      sink.write(text, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function formatWriteError(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  return `cannot be written: ${code === "ENOSPC" ? "no space is left on the device" : error.message}`;
}
