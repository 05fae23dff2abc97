import { setTimeout as sleep } from "node:timers/promises";
import { type Features, featuresOf } from "@jobset-ts/api";
import type { Context, Quirks } from "@jobset-ts/core";
import { type Answer, serveText } from "./http/text-server.ts";
import { WebhookServer } from "./http/webhook-server.ts";
import { JobSetController } from "./jobset-controller.ts";
import { ApiClient } from "./kubernetes/api-client.ts";
import { ClusterCache } from "./kubernetes/cluster-cache.ts";
import { EventRecorder } from "./kubernetes/event-recorder.ts";
import { loadKubeConfig } from "./kubernetes/kube-config.ts";
import { LeaderElection } from "./kubernetes/leader-election.ts";
import { TroubleLog } from "./log.ts";
import { Metrics } from "./metrics.ts";
import type { Options } from "./options.ts";
import { webhooks } from "./webhooks.ts";

/** The parts, put together and running. */
export class Program {
  /** Resolves when the caches are in sync and the webhooks can answer; never when it is stopped before. */
  readonly ready: Promise<void>;
  /** Resolves when this replica has to stop because it no longer holds the Lease. */
  readonly leadershipLost: Promise<void>;
  /** Where it listens, by what for: the port that was asked for, or the one that it got for 0. */
  readonly ports = new Map<"webhook" | "health" | "metrics", number>();
  readonly #client: ApiClient;
  readonly #stopping = new AbortController();
  readonly #troubles = new TroubleLog();
  readonly #metrics = new Metrics();
  readonly #cache: ClusterCache;
  readonly #events: EventRecorder;
  readonly #controller: JobSetController;
  readonly #election: LeaderElection | undefined;
  readonly #webhooks: WebhookServer | undefined;
  readonly #servers: { close(): void }[] = [];
  readonly #quirks: Quirks;
  #gates: Readonly<Record<string, boolean>>;
  #features: Features;
  #isReady = false;

  /** @throws Error with a sentence for the user when the kubeconfig cannot be used or a port is taken */
  static async start(options: Options): Promise<Program> {
    const program = new Program(options);
    try {
      await program.#listen(options);
    } catch (error) {
      await program.stop();
      throw error;
    }
    return program;
  }

  private constructor(options: Options) {
    const { kubeconfig, controllers, webhook, leaderElection } = options;
    this.#gates = options.featureGates;
    this.#features = featuresOf(options.featureGates);
    this.#quirks = options.quirks;
    const troubles = this.#troubles;
    const metrics = this.#metrics;
    const client = new ApiClient(
      () => loadKubeConfig(kubeconfig),
      (method) => metrics.count({ name: "jobset_sent_requests_total", labels: { method } }),
    );
    const cache = new ClusterCache(client, troubles, (change) => this.#controller.saw(change));
    const instance = leaderElection?.identity ?? `jobset-${process.pid}`;
    const events = new EventRecorder(client, instance, troubles);
    const context = () => this.#context();
    const parts = { client, cache, events, metrics, troubles, context };
    this.#client = client;
    this.#cache = cache;
    this.#events = events;
    this.#controller = new JobSetController(parts, controllers);
    this.#election = leaderElection && new LeaderElection(client, leaderElection, troubles);
    this.#webhooks = webhook && new WebhookServer(webhooks(parts), webhook.certDir, troubles);
    metrics.watchQueues(() => this.#controller.depths());
    void cache.run(this.#stopping.signal);
    this.ready = this.#synced();
    this.leadershipLost = this.#lead();
  }

  /** @throws TypeError for an unknown gate; then none is switched */
  switchGates(gates: Readonly<Record<string, boolean>>): void {
    const next = { ...this.#gates, ...gates };
    this.#features = featuresOf(next);
    this.#gates = next;
    this.#controller.lookAtEverything();
  }

  /**
   * Ends, and leaves nothing behind.
   *
   * @param withinMs - how long requests that are under way may take, whatever the API server does
   */
  async stop(withinMs = 2_000): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(() => {
      this.#troubles.silence();
      this.#client.close();
    }, withinMs);
    await this.#controller.stop();
    for (const server of this.#servers) server.close();
    await Promise.all([this.#events.stop(), this.#election?.release()]);
    clearTimeout(timer);
    this.#client.close();
  }

  #context(): Context {
    return { now: Date.now(), features: this.#features, quirks: this.#quirks };
  }

  async #listen({ webhook, healthPort, metricsPort }: Options): Promise<void> {
    if (this.#webhooks !== undefined && webhook !== undefined) {
      this.#servers.push(this.#webhooks);
      this.ports.set("webhook", await this.#webhooks.listen(webhook.host, webhook.port));
    }
    await this.#serve("health", healthPort, {
      "/healthz": () => ({ code: 200, text: "ok\n" }),
      "/readyz": () => this.#readiness(),
    });
    const { contentType: type } = this.#metrics;
    await this.#serve("metrics", metricsPort, {
      "/metrics": async () => ({ code: 200, text: await this.#metrics.text(), type }),
    });
  }

  async #serve(
    name: "health" | "metrics",
    port: number | undefined,
    answers: Readonly<Record<string, () => Answer | Promise<Answer>>>,
  ): Promise<void> {
    if (port === undefined) return;
    const server = await serveText(port, new Map(Object.entries(answers)));
    this.#servers.push(server);
    this.ports.set(name, server.port);
  }

  async #synced(): Promise<void> {
    while (!this.#cache.isSynced || this.#webhooks?.hasCertificate === false) {
      await sleep(20);
      if (this.#stopping.signal.aborted) return never;
    }
    this.#isReady = true;
  }

  async #lead(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#election !== undefined && !(await this.#election.acquire(signal))) return never;
    const kept = this.#election?.keep(signal) ?? never;
    const isLost = await Promise.race([this.ready, kept.then(() => true)]);
    if (!isLost) {
      this.#controller.start();
      await kept;
    }
    return signal.aborted ? never : undefined;
  }

  #readiness(): Answer {
    const reasons = this.#troubles.reasonsNotReady.map((reason) => `${reason}\n`);
    if (this.#stopping.signal.aborted) return { code: 503, text: "it is stopping\n" };
    if (this.#isReady && reasons.length === 0) return { code: 200, text: "ok\n" };
    return { code: 503, text: reasons.join("") || "caches are not in sync yet\n" };
  }
}

const never = new Promise<never>(() => {});
