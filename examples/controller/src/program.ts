import type { MessagePort } from "node:worker_threads";
import { resolveFeatureGates } from "@jobset-ts/api";
import {
  type ApiClient,
  ConditionLog,
  LeaderElection,
  logLine,
  writeLine,
} from "@jobset-ts/controller-runtime";
import { serveTextEndpoints, type TextResponse } from "@jobset-ts/controller-runtime/node";
import { clientFor } from "./kube-config.ts";
import { Metrics } from "./metrics.ts";
import type { Options } from "./options.ts";
import { servePasses } from "./passes.ts";
import {
  startWorker,
  Thread,
  type ThreadHandle,
  type ThreadName,
  type ThreadStart,
} from "./thread.ts";
import { maintainWebhookCertificate } from "./webhook-certificate.ts";
import { serveWebhooks } from "./webhooks.ts";

/** The name of the Lease of the active replica. */
const LEASE = "jobset-controller";

/**
 * The main thread. It serves probes and metrics, holds the Lease, and supervises two other threads: one for passes, one
 * for webhooks. It does no work that grows with the objects of users, so it always responds.
 */
export class Program {
  /**
   * Resolves when the caches are in sync and the webhooks can respond. Never resolves if the program is stopped before.
   */
  readonly ready: Promise<void>;
  /** Resolves with the reason why this replica must stop: the Lease is lost, or a thread has died. */
  readonly ended: Promise<string>;
  /** The ports on which it listens: the requested one, or the assigned one for 0. */
  readonly ports = new Map<"webhook" | "health" | "metrics", number>();
  readonly #client: ApiClient;
  readonly #stopping = new AbortController();
  readonly #troubles = new ConditionLog();
  readonly #metrics = new Metrics();
  readonly #election: LeaderElection | undefined;
  readonly #identity: string | undefined;
  readonly #managesCertificate: boolean;
  readonly #threads: readonly Thread[];
  readonly #servers: { close(): void }[] = [];
  #gates: Readonly<Record<string, boolean>>;
  #isReady = false;

  /**
   * @param startThread - starts a thread that calls {@link serveThread}
   * @throws Error with a message for the user if the kubeconfig is invalid or a port is in use
   */
  static async start(
    options: Options,
    startThread: (start: ThreadStart) => ThreadHandle = startWorker,
  ): Promise<Program> {
    const program = new Program(options, startThread);
    try {
      await program.#listen(options);
    } catch (error) {
      await program.stop(0);
      throw error;
    }
    return program;
  }

  private constructor(options: Options, startThread: (start: ThreadStart) => ThreadHandle) {
    const { kubeconfig, controllers, webhook, leaderElection } = options;
    const troubles = this.#troubles;
    this.#gates = options.featureGates;
    this.#client = clientFor(kubeconfig, (method) => {
      const labels = { method };
      this.#metrics.take([{ name: "jobset_sent_requests_total", labels, value: 1 }]);
    });
    this.#managesCertificate = options.managesCertificate ?? false;
    this.#identity = leaderElection?.identity;
    this.#election =
      leaderElection &&
      new LeaderElection(this.#client, { name: LEASE, ...leaderElection }, troubles);
    const names: readonly ThreadName[] = [
      ...(controllers.size > 0 ? (["passes"] as const) : []),
      ...(webhook === undefined ? [] : (["webhooks"] as const)),
    ];
    this.#threads = names.map(
      (name) => new Thread(name, options, { startThread, troubles, metrics: this.#metrics }),
    );
    this.ready = Promise.all(this.#threads.map(({ ready }) => ready)).then(() => {
      if (this.#stopping.signal.aborted) return neverSettles;
      this.#isReady = true;
      return undefined;
    });
    this.ended = Promise.race([this.#lead(), ...this.#threads.map(waitForThreadEnd)]);
  }

  /**
   * Resolves when the gates are in effect in all threads.
   *
   * @throws TypeError for an unknown gate; then no gate is switched
   */
  async switchGates(gates: Readonly<Record<string, boolean>>): Promise<void> {
    const next = { ...this.#gates, ...gates };
    resolveFeatureGates(next);
    this.#gates = next;
    await Promise.all(this.#threads.map((thread) => thread.switchGates(gates)));
  }

  /**
   * Stops the program and releases all its resources.
   *
   * @param withinMs - the grace period for requests in progress, independent of the API server
   */
  async stop(withinMs = 2_000): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(() => {
      this.#troubles.silence();
      this.#client.close();
    }, withinMs);
    await Promise.all(this.#threads.map((thread) => thread.stop(withinMs)));
    for (const server of this.#servers) server.close();
    // Release the Lease only now, because none of our requests is in progress anymore.
    await this.#election?.release();
    clearTimeout(timer);
    this.#client.close();
  }

  async #listen({ healthPort, metricsPort }: Options): Promise<void> {
    const ports = await Promise.all(this.#threads.map(({ started }) => started));
    for (const port of ports) if (port !== undefined) this.ports.set("webhook", port);
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
    responses: Readonly<Record<string, () => TextResponse | Promise<TextResponse>>>,
  ): Promise<void> {
    if (port === undefined) return;
    const server = await serveTextEndpoints(port, new Map(Object.entries(responses)));
    this.#servers.push(server);
    this.ports.set(name, server.port);
  }

  /** Starts the reconcile thread when the Lease is held and everything is ready. Resolves when the Lease is lost. */
  async #lead(): Promise<string> {
    const { signal } = this.#stopping;
    if (this.#election !== undefined) {
      if (!(await this.#election.acquire(signal))) return neverSettles;
      writeLine(logLine("info", "this replica is the leader", { identity: this.#identity }));
    }
    const leaseLost = this.#election?.renew(signal) ?? neverSettles;
    // The program may be waiting for this certificate to become ready.
    if (this.#managesCertificate) {
      void maintainWebhookCertificate(this.#client, this.#troubles, signal);
    }
    const isLost = await Promise.race([this.ready, leaseLost.then(() => true)]);
    if (!isLost) {
      for (const thread of this.#threads) thread.work();
      await leaseLost;
    }
    return signal.aborted ? neverSettles : "the Lease is lost";
  }

  #readiness(): TextResponse {
    const reasons = this.#troubles.reasonsNotReady.map((reason) => `${reason}\n`);
    if (this.#stopping.signal.aborted) return { code: 503, text: "it is stopping\n" };
    if (this.#isReady && reasons.length === 0) return { code: 200, text: "ok\n" };
    return { code: 503, text: reasons.join("") || "caches are not in sync yet\n" };
  }
}

/** Runs one of the threads other than the main thread. */
export function serveThread(port: MessagePort, start: ThreadStart): Promise<void> {
  switch (start.name) {
    case "passes":
      return servePasses(port, start);
    case "webhooks":
      return serveWebhooks(port, start);
  }
}

async function waitForThreadEnd({ name, died }: Thread): Promise<string> {
  const cause = await died;
  writeLine(logLine("error", cause, { about: `thread of the ${name}` }));
  return `the thread of the ${name} has ended`;
}

const neverSettles = new Promise<never>(() => {});
