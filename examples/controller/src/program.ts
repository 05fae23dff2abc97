import { setTimeout } from "node:timers/promises";
import type { Features } from "@jobset-ts/api";
import { contextOf } from "@jobset-ts/core";
import { KubeConfig } from "@kubernetes/client-node";
import { ApiClient } from "./api-client.ts";
import { ClusterCache } from "./cluster-cache.ts";
import { EventRecorder } from "./event-recorder.ts";
import { serveText } from "./http-servers.ts";
import { JobSetController } from "./jobset-controller.ts";
import { LeaderElection } from "./leader-election.ts";
import { TroubleLog } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { featuresFrom, type Options } from "./options.ts";
import { WebhookServer } from "./webhook-server.ts";
import { webhooks } from "./webhooks.ts";

/** The parts, put together and running. */
export class Program {
  /** Resolves when the caches are in sync and the webhooks listen. */
  readonly ready: Promise<void>;
  /** Resolves when this replica has to stop because another one leads. */
  readonly leadershipLost: Promise<void>;
  readonly #stopping = new AbortController();
  readonly #troubles = new TroubleLog();
  readonly #metrics = new Metrics();
  readonly #client: ApiClient;
  readonly #cache: ClusterCache;
  readonly #events: EventRecorder;
  readonly #controller: JobSetController;
  readonly #election: LeaderElection | undefined;
  readonly #servers: { close(): void }[] = [];
  #gates: Readonly<Record<string, boolean>>;
  #features: Features;
  #isReady = false;

  /** @throws Error with a sentence for the user when the kubeconfig cannot be used or a port is taken */
  static async start(options: Options): Promise<Program> {
    const kubeConfig = new KubeConfig();
    try {
      kubeConfig.loadFromFile(options.kubeconfig);
    } catch (error) {
      throw new Error(`${options.kubeconfig}: ${error instanceof Error ? error.message : error}`);
    }
    const program = new Program(new ApiClient(kubeConfig), options);
    await program.#listen(options);
    return program;
  }

  private constructor(client: ApiClient, options: Options) {
    this.#client = client;
    this.#gates = options.featureGates;
    this.#features = featuresFrom(options.featureGates);
    this.#cache = new ClusterCache(client, this.#troubles, (change) =>
      this.#controller.saw(change),
    );
    const { leaderElection } = options;
    this.#events = new EventRecorder(client, leaderElection?.identity ?? `jobset-${process.pid}`);
    this.#controller = new JobSetController(
      {
        client,
        cache: this.#cache,
        events: this.#events,
        metrics: this.#metrics,
        troubles: this.#troubles,
        context: () => this.#context(),
      },
      options.controllers,
    );
    this.#election = leaderElection && new LeaderElection(client, leaderElection, this.#troubles);
    void this.#cache.run(this.#stopping.signal);
    this.ready = this.#synced();
    this.leadershipLost = this.#lead();
  }

  /** @throws TypeError for an unknown gate; then none is switched */
  switchGates(gates: Readonly<Record<string, boolean>>): void {
    const next = { ...this.#gates, ...gates };
    this.#features = featuresFrom(next);
    this.#gates = next;
    this.#controller.lookAtEverything();
  }

  /** Ends what is under way, and leaves nothing behind. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#controller.stop();
    for (const server of this.#servers) server.close();
    await Promise.all([this.#events.flush(), this.#election?.release()]);
  }

  #context() {
    const features = Object.fromEntries([...this.#features].map((name) => [name, true]));
    return contextOf({ now: Date.now(), features });
  }

  async #listen({ webhook, healthPort, metricsPort }: Options): Promise<void> {
    if (webhook !== undefined) {
      const handler = webhooks({
        cache: this.#cache,
        metrics: this.#metrics,
        context: () => this.#context(),
      });
      const server = new WebhookServer(handler, webhook.certDir, this.#troubles);
      await server.listen(webhook.host, webhook.port);
      this.#servers.push(server);
    }
    if (healthPort !== undefined) {
      this.#servers.push(
        await serveText(healthPort, {
          "/healthz": () => ({ code: 200, text: "ok\n" }),
          "/readyz": () => this.#readiness(),
        }),
      );
    }
    if (metricsPort !== undefined) {
      const type = "text/plain; version=0.0.4; charset=utf-8";
      this.#servers.push(
        await serveText(metricsPort, {
          "/metrics": () => ({ code: 200, text: this.#metrics.text(this.#gauges()), type }),
        }),
      );
    }
  }

  async #synced(): Promise<void> {
    while (!this.#cache.isSynced) await setTimeout(20);
    this.#isReady = true;
  }

  async #lead(): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#election !== undefined && !(await this.#election.acquire(signal))) {
      return new Promise(() => {});
    }
    await this.ready;
    this.#controller.start();
    if (this.#election === undefined) return new Promise(() => {});
    await this.#election.keep(signal);
    return signal.aborted ? new Promise(() => {}) : undefined;
  }

  #readiness() {
    // A JobSet in trouble is a matter for its owner; what stops the program from working makes it not ready.
    const troubles = [...this.#troubles.current].filter(
      ([what]) => !/^(JobSet|placement) /.test(what),
    );
    if (this.#isReady && troubles.length === 0) return { code: 200, text: "ok\n" };
    const lines = troubles.map(([what, message]) => `${what}: ${message}\n`);
    return { code: 503, text: lines.join("") || "caches are not in sync yet\n" };
  }

  #gauges() {
    const depths = this.#controller.depths().map(([controller, value]) => ({
      metric: { name: "jobset_queue_depth", labels: { controller } },
      value,
    }));
    const sent = [...this.#client.sent].map(([method, value]) => ({
      metric: { name: "jobset_sent_requests_total", labels: { method } },
      value,
    }));
    return [...depths, ...sent];
  }
}
