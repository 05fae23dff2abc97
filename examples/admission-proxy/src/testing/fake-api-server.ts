import type { Fetch } from "@jobset-ts/controller-runtime";
import type { RecordedRead, Recording } from "./recording.ts";

/** The address of the fake API server. */
export const SERVER = "https://api-server.example";

/** Returns the response to a GET of a path. The function may also hang or throw. */
export type RespondToRead = (path: string, init: RequestInit) => Response | Promise<Response>;

/** A `fetch` for a simulated API server, and the requests that it received. */
export function fakeFetch(respond: RespondToRead): {
  readonly fetch: Fetch;
  readonly paths: string[];
} {
  const paths: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const path = url.slice(SERVER.length);
    paths.push(path);
    return respond(path, init);
  };
  return { fetch, paths };
}

/** Returns the recorded response to a read. Any other read returns an error. */
export function findRecordedRead({ reads }: Recording, path: string): RecordedRead {
  const unknown = { kind: "Status", message: `${path} was not asked when this was recorded` };
  return reads.find((read) => read.path === path) ?? { path, status: 500, body: unknown };
}

/** Replays a recording. */
export function replayRecording(recording: Recording): RespondToRead {
  return (path) => {
    const { status, body } = findRecordedRead(recording, path);
    return jsonResponse(status, body);
  };
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** Returns an error Status of the API server. */
export function statusResponse(
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, reason, code };
  return jsonResponse(code, status, headers);
}
