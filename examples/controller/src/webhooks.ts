import { handler } from "@jobset-ts/admission";
import type { Context } from "@jobset-ts/core";
import type { Handler } from "./http/webhook-server.ts";
import { type ClusterCache, cachedKinds } from "./kubernetes/cluster-cache.ts";
import type { Metrics } from "./metrics.ts";

/** The API server waits ten seconds; an answer that comes later is of no use. */
const DEADLINE_MS = 8_000;

/** The four webhooks over the cache. */
export function webhooks(parts: {
  readonly cache: ClusterCache;
  readonly metrics: Metrics;
  context(): Context;
}): Handler {
  return handler({
    snapshotFor: (_, required) => {
      const { snapshot } = parts.cache;
      const unread = required.find(({ kind }) => isCached(kind) && !snapshot.knows(kind));
      // An answer that takes what has not been listed yet for absent would be wrong.
      if (unread !== undefined) throw new Error(`${unread.kind}s are not listed yet`);
      return snapshot;
    },
    context: () => parts.context(),
    deadline: () => AbortSignal.timeout(DEADLINE_MS),
    onReview: ({ webhook: { kind, stage }, verdict }) => {
      const labels = { kind, stage, outcome: verdict.outcome };
      parts.metrics.count({ name: "jobset_reviews_total", labels });
    },
  });
}

function isCached(kind: string): boolean {
  return cachedKinds.some((cached) => cached.kind === kind);
}
