/** Where text goes: standard output, or what a test puts in its place. */
export interface TextSink {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** How many characters are gathered before they are written. */
const CHUNK = 1 << 16;

/**
 * Writes pieces of text one after another, no faster than they are taken, and never all of them in memory.
 *
 * @returns `false` when the reader went away before the end (`| head`): that is the reader's right, and no failure
 * @throws whatever else goes wrong with writing, such as a full disk
 */
export async function pump(pieces: Iterable<string>, sink: TextSink): Promise<boolean> {
  let gathered = "";
  for (const piece of pieces) {
    gathered += piece;
    if (gathered.length < CHUNK) continue;
    if (!(await written(gathered, sink))) return false;
    gathered = "";
  }
  return gathered === "" || (await written(gathered, sink));
}

function written(text: string, sink: TextSink): Promise<boolean> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => {
      if (error === undefined || error === null) resolve(true);
      else if ("code" in error && error.code === "EPIPE") resolve(false);
      else reject(error);
    });
  });
}
