import { handler } from "@jobset-ts/admission";
import type { Context } from "@jobset-ts/core";
import type { Handler } from "./http/webhook-server.ts";
import { type ClusterCache, cachedKinds } from "./kubernetes/cluster-cache.ts";
import type { Metrics } from "./metrics.ts";

/** An answer that comes after the API server has ceased to wait is of no use, and it has to travel. */
const PART_OF_WAIT = 0.8;

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
    deadline: (waitsMs) => AbortSignal.timeout(PART_OF_WAIT * waitsMs),
    onReview: ({ webhook: { kind, stage }, verdict }) => {
      const labels = { kind, stage, outcome: verdict.outcome };
      parts.metrics.count({ name: "jobset_reviews_total", labels });
    },
  });
}

function isCached(kind: string): boolean {
  return cachedKinds.some((cached) => cached.kind === kind);
}
