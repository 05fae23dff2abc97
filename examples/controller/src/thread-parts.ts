import type { MessagePort } from "node:worker_threads";
import { type FeatureGates, resolveFeatureGates } from "@jobset-ts/api";
import {
  type ApiClient,
  type ConditionOptions,
  type ConditionReporter,
  errorMessage,
} from "@jobset-ts/controller-runtime";
import type { Context, Quirks } from "@jobset-ts/core";
import { clientFor } from "./kube-config.ts";
import { Tally } from "./metrics.ts";
import type { Options } from "./options.ts";
import type { ThreadCommand, ThreadReport } from "./thread.ts";

/** The work of a thread, as the main thread controls it. */
export interface ThreadWork {
  /** Starts the thread's work. Resolves with the data for the main thread. */
  start(): Promise<{ readonly port?: number }>;
  /** Resolves when it is ready. */
  readonly ready: Promise<void>;
  /** Starts the work that only the leader does. */
  lead?(): void;
  gatesSwitched?(): void;
  /** Stops all work in progress. */
  stop(): Promise<void>;
}

/** The dependencies of a worker thread: its own client, a context, and a channel to the main thread. */
export class ThreadParts {
  readonly client: ApiClient;
  readonly troubles: ReportedTroubles;
  readonly tally: Tally;
  /** Aborted when the thread must end. */
  readonly signal: AbortSignal;
  readonly #port: MessagePort;
  readonly #stopping = new AbortController();
  readonly #quirks: Quirks;
  #gates: Readonly<Record<string, boolean>>;
  #features: FeatureGates;

  constructor(port: MessagePort, { kubeconfig, featureGates, quirks }: Options) {
    this.#port = port;
    this.#quirks = quirks;
    this.#gates = featureGates;
    this.#features = resolveFeatureGates(featureGates);
    this.signal = this.#stopping.signal;
    this.troubles = new ReportedTroubles((report) => this.sendReport(report));
    this.tally = new Tally((samples) => this.sendReport({ kind: "Counted", samples }));
    this.client = clientFor(kubeconfig, (method) =>
      this.tally.count({ name: "jobset_sent_requests_total", labels: { method } }),
    );
  }

  /** Returns a context with the current time, the feature gates and the quirks. */
  context(): Context {
    return { now: Date.now(), features: this.#features, quirks: this.#quirks };
  }

  sendReport(report: ThreadReport): void {
    this.#port.postMessage(report);
  }

  /** Starts the work, then handles messages from the main thread. */
  async serve(work: ThreadWork): Promise<void> {
    this.#port.on("message", (order: ThreadCommand) => this.#runCommand(order, work));
    try {
      this.sendReport({ kind: "Started", ...(await work.start()) });
    } catch (error) {
      this.sendReport({ kind: "CannotStart", message: errorMessage(error) });
      return;
    }
    await work.ready;
    this.sendReport({ kind: "Ready" });
  }

  #runCommand(order: ThreadCommand, work: ThreadWork): void {
    switch (order.kind) {
      case "Work":
        work.lead?.();
        break;
      case "SwitchGates":
        this.#gates = { ...this.#gates, ...order.gates };
        this.#features = resolveFeatureGates(this.#gates);
        work.gatesSwitched?.();
        this.sendReport({ kind: "Switched" });
        break;
      case "Answer":
        this.sendReport({ kind: "Alive" });
        break;
      case "Stop":
        void this.#stop(order.withinMs, work);
    }
  }

  async #stop(withinMs: number, work: ThreadWork): Promise<void> {
    this.#stopping.abort();
    // The grace period for requests in progress, independent of the API server.
    const timer = setTimeout(() => {
      this.troubles.silence();
      this.client.close();
    }, withinMs);
    await work.stop();
    clearTimeout(timer);
    this.client.close();
    this.tally.flush();
    this.sendReport({ kind: "Stopped" });
    this.#port.close();
  }
}

/** Forwards changes of conditions to the main thread. The same condition can be raised many times. */
class ReportedTroubles implements ConditionReporter {
  readonly #report: (report: ThreadReport) => void;
  /** The reported cause of each condition. */
  readonly #reportedCauses = new Map<string, string>();
  #isSilent = false;

  constructor(sendReport: (report: ThreadReport) => void) {
    this.#report = sendReport;
  }

  raise(condition: string, cause: string, options: ConditionOptions = {}): void {
    const text = `${options.affectsReadiness === true} ${cause}`;
    if (this.#isSilent || this.#reportedCauses.get(condition) === text) return;
    this.#reportedCauses.set(condition, text);
    this.#report({ kind: "TroubleBegins", what: condition, cause, options });
  }

  resolve(condition: string): void {
    if (this.#isSilent || !this.#reportedCauses.delete(condition)) return;
    this.#report({ kind: "TroubleEnds", what: condition });
  }

  /** Stops reporting. Later failures are caused by the shutdown of the program. */
  silence(): void {
    this.#isSilent = true;
  }
}
