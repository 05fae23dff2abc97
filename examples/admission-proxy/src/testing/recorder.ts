import * as https from "node:https";
import type { LogLine } from "@jobset-ts/controller-runtime";
import { admissionProxy, type ProxyOptions } from "../proxy.ts";
import type { RecordedRead, Recording } from "./recording.ts";

/** A recorded exchange without its description. */
export type Exchange = Omit<Recording, "story">;

/** The type of the web `fetch`. The recorder reads each response twice. */
type WebFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Creates a proxy that records requests and responses. Each request gets its own proxy, so its reads are known. */
export function recordingProxy(
  options: Pick<ProxyOptions, "server" | "token"> & { readonly fetch: WebFetch },
  keep: (exchange: Exchange) => void,
): (request: Request) => Promise<Response> {
  const { fetch } = options;
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = omitUnreadFields(await request.clone().json());
    const reads: RecordedRead[] = [];
    const log: unknown[] = [];
    const proxy = admissionProxy({
      explainDenials: false,
      ...options,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const path = url.slice(options.server.length);
        const read = { path, status: response.status, body: await response.clone().json() };
        reads.push(omitUnreadFields(read) as RecordedRead);
        return response;
      },
      log: ({ time: _time, ...line }: LogLine) => log.push(line),
    });
    const response = await proxy(request);
    const answer = { status: response.status, body: await response.clone().json() };
    keep({ request: { path: pathname + search, body }, reads, answer, log });
    return response;
  };
}

/** Fields that no webhook reads and that only clutter a recording. */
const noise = new Set(["managedFields", "extra", "reportingInstance"]);

function omitUnreadFields(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member) => (noise.has(key) ? undefined : member));
}

/** Creates a `fetch` that trusts a CA that was unknown when Node started. */
export function fetchTrusting(ca: string): WebFetch {
  return (url, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const options = {
        method,
        headers: headers as Record<string, string>,
        ca,
        ...(signal && { signal }),
      };
      const request = https.request(url, options, async (incoming) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk);
        const { statusCode = 0 } = incoming;
        resolve(new Response(Buffer.concat(chunks), { status: statusCode }));
      });
      request.on("error", reject);
      request.end(body);
    });
}
