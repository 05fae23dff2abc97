import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One request to a webhook on a real API server, with its reads, response and log lines. */
export interface Recording {
  /** The description, in one sentence. */
  readonly story: string;
  /** The AdmissionReview that the API server sent by POST. */
  readonly request: { readonly path: string; readonly body: unknown };
  /** The proxy's GET requests to the API server in order, with their responses. */
  readonly reads: readonly RecordedRead[];
  /** The proxy's response. */
  readonly answer: { readonly status: number; readonly body: unknown };
  /** The proxy's log lines without their time. */
  readonly log: readonly unknown[];
}

/** One request to the API server. */
export interface RecordedRead {
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** The folder of the recordings of this example. */
export const recordingsFolder: string = join(import.meta.dirname, "..", "..", "recordings");

/** Reads the recordings, by file name. */
export function readRecordings(): ReadonlyMap<string, Recording> {
  const files = readdirSync(recordingsFolder).filter((file) => file.endsWith(".json"));
  return new Map(
    files.sort().map((file) => {
      const text = readFileSync(join(recordingsFolder, file), "utf8");
      return [file.replace(/\.json$/, ""), JSON.parse(text) as Recording];
    }),
  );
}
