import type { MessagePort } from "node:worker_threads";
import { createWebhookHandler } from "@jobset-ts/admission/http";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { ClusterCache } from "@jobset-ts/controller-runtime";
import { type WebhookHandler, WebhookServer } from "@jobset-ts/controller-runtime/node";
import { type Context, SNAPSHOT_KINDS } from "@jobset-ts/core";
import type { Tally } from "./metrics.ts";
import type { ThreadStart } from "./thread.ts";
import { ThreadParts } from "./thread-parts.ts";

/** Leave time for the response to travel. The API server ignores it after its timeout. */
const RESPONSE_TIME_SHARE = 0.8;

/**
 * The kinds that the webhooks read, as a test checks. They could also read Events, which only explain why a leader is
 * stuck.
 */
const webhookKinds = ["Pod", "Node", "PersistentVolumeClaim"];

/** Runs the webhook thread: a cache of the kinds that the webhooks read, and the server. */
export async function serveWebhooks(port: MessagePort, { options }: ThreadStart): Promise<void> {
  const { webhook } = options;
  if (webhook === undefined) throw new TypeError("the port for the webhooks is missing");
  const parts = new ThreadParts(port, options);
  const { client, troubles, tally, signal } = parts;
  const cache = new ClusterCache(client, troubles, {
    kinds: [...SNAPSHOT_KINDS.values()].filter(({ kind }) => webhookKinds.includes(kind)),
    keeps: isReadByWebhooks,
  });
  const { explainDenials = true } = webhook;
  const handle = webhooks({ cache, tally, context: () => parts.context(), explainDenials });
  const server = new WebhookServer(handle, webhook.certDir, troubles);
  await parts.serve({
    async start() {
      const listening = await server.listen(webhook.host, webhook.port);
      void cache.run(signal);
      return { port: listening };
    },
    ready: Promise.all([cache.synced, server.certified]).then(() => {}),
    stop: () => server.close(),
  });
}

/** Webhooks read only the Pods under exclusive placement, to find leaders. */
function isReadByWebhooks({ kind, metadata }: KubernetesObject): boolean {
  return kind !== "Pod" || metadata.annotations?.[EXCLUSIVE_TOPOLOGY_KEY] !== undefined;
}

/** Creates the handler of the four webhooks over a cache. */
function webhooks(parts: {
  readonly cache: ClusterCache;
  readonly tally: Tally;
  readonly explainDenials: boolean;
  context(): Context;
}): WebhookHandler {
  return createWebhookHandler({
    readSnapshot: (_, required) => {
      const { snapshot } = parts.cache;
      const unread = required.find(
        ({ kind }) =>
          webhookKinds.includes(kind) && snapshot.kindStatus(kind).outcome === "NotRead",
      );
      // A decision that treats unlisted objects as absent would be incorrect.
      if (unread !== undefined) throw new Error(`${unread.kind}s are not listed yet`);
      return snapshot;
    },
    context: () => parts.context(),
    redact: true,
    explainDenials: parts.explainDenials,
    deadline: (waitsMs) => AbortSignal.timeout(RESPONSE_TIME_SHARE * waitsMs),
    onReview: ({ webhook: { kind, stage }, outcome }) => {
      const labels = { kind, stage, outcome };
      parts.tally.count({ name: "jobset_reviews_total", labels });
    },
  });
}
