import { createWebhookHandler } from "@jobset-ts/admission/http";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { aTrainingJobSet } from "./fixtures.ts";
import type { MemoryBenchmark } from "./measure-memory.ts";
import { aLargeJobSet, createReview } from "./reviews.ts";

/** Sends a burst of reviews to a server with the webhook handler. `size` is the number of bytes of one review. */
export function* measureHandlerMemory(): Generator<MemoryBenchmark> {
  const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset?timeout=30s";
  const parser = { program: "handler", floorProgram: "parser", path };
  yield {
    ...parser,
    body: JSON.stringify(createReview(aLargeJobSet())),
    count: 200,
    concurrency: 20,
    floor: "a server that parses them (200, 20 at once)",
  };
  yield {
    ...parser,
    body: JSON.stringify(createReview(aTrainingJobSet(4))),
    count: 20_000,
    concurrency: 500,
    floor: "a server that parses them (20,000, 500 at once)",
  };
}

/** Long enough that no deadline passes during a measurement, because memory that depends on a deadline counts. */
const DEADLINE_MS = 600_000;

/** The request handlers of the servers, by program name. */
export const answers: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  handler: createWebhookHandler({
    context: () => createContext({ now: Date.now() }),
    deadline: () => AbortSignal.timeout(DEADLINE_MS),
    readSnapshot: () => createSnapshot([]),
  }),
  parser: async (request) => {
    const { request: reviewed } = JSON.parse(await request.text());
    return new Response(JSON.stringify({ uid: reviewed.uid }));
  },
};
