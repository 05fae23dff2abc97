import { handler } from "@jobset-ts/admission";
import type { Context } from "@jobset-ts/core";
import type { ClusterCache } from "./cluster-cache.ts";
import type { Metrics } from "./metrics.ts";
import type { Handler } from "./webhook-server.ts";

/** The API server waits ten seconds; an answer that comes later is of no use. */
const DEADLINE_MS = 8_000;

/** The four webhooks over the cache. */
export function webhooks(parts: {
  readonly cache: ClusterCache;
  readonly metrics: Metrics;
  context(): Context;
}): Handler {
  return handler({
    snapshotFor: () => parts.cache.snapshot,
    context: () => parts.context(),
    deadline: () => AbortSignal.timeout(DEADLINE_MS),
    onReview: ({ webhook: { kind, stage }, verdict }) => {
      const labels = { kind, stage, outcome: verdict.outcome };
      parts.metrics.count({ name: "jobset_reviews_total", labels });
    },
  });
}
