import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One request to a webhook, and all that came of it, as it happened with a real API server. */
export interface Recording {
  /** What happened, in one sentence. */
  readonly story: string;
  /** What the API server sent, the AdmissionReview, by POST. */
  readonly request: { readonly path: string; readonly body: unknown };
  /** What the proxy asked the API server by GET, in this order, and what it was answered. */
  readonly reads: readonly Read[];
  /** What the proxy answered. */
  readonly answer: { readonly status: number; readonly body: unknown };
  /** What it logged, without the time. */
  readonly log: readonly unknown[];
}

/** One request to the API server. */
export interface Read {
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** The folder of the recordings of this example. */
export const recordingsFolder: string = join(import.meta.dirname, "..", "..", "recordings");

/** The recordings by the name of their file. */
export function readRecordings(): ReadonlyMap<string, Recording> {
  const files = readdirSync(recordingsFolder).filter((file) => file.endsWith(".json"));
  return new Map(
    files.sort().map((file) => {
      const text = readFileSync(join(recordingsFolder, file), "utf8");
      return [file.replace(/\.json$/, ""), JSON.parse(text) as Recording];
    }),
  );
}
