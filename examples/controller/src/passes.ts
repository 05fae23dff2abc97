import type { MessagePort } from "node:worker_threads";
import { ClusterCache, cachedKinds, EventRecorder } from "@jobset-ts/controller-runtime";
import { JobSetController } from "./jobset-controller.ts";
import { type ThreadStart, write } from "./thread.ts";
import { ThreadParts } from "./thread-parts.ts";

/** Runs the reconcile thread: a cache of all kinds that the library reads, the controllers and their reports. */
export async function servePasses(
  port: MessagePort,
  { options, slate }: ThreadStart,
): Promise<void> {
  const parts = new ThreadParts(port, options);
  const { client, troubles, tally, signal } = parts;
  const cache: ClusterCache = new ClusterCache(client, troubles, {
    kinds: cachedKinds,
    onChange: (change) => controller.handleChange(change),
  });
  const instance = options.leaderElection?.identity ?? `jobset-${process.pid}`;
  const events = new EventRecorder(client, instance, troubles);
  const controller = new JobSetController(
    {
      ...{ client, cache, events, tally, troubles },
      context: () => parts.context(),
      passesOver: (about) => write(slate, about),
    },
    options.controllers,
  );
  tally.watchQueues(() => controller.depths());
  await parts.serve({
    async start() {
      void cache.run(signal);
      return {};
    },
    ready: cache.synced,
    lead: () => controller.start(),
    gatesSwitched: () => controller.reconcileAll(),
    async stop() {
      await controller.stop();
      await events.stop();
    },
  });
}
