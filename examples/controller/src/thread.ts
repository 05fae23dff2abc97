import { EventEmitter, once } from "node:events";
import { Worker } from "node:worker_threads";
import {
  type ConditionLog,
  type ConditionOptions,
  errorMessage,
} from "@jobset-ts/controller-runtime";
import type { Metrics, Sample } from "./metrics.ts";
import type { Options } from "./options.ts";

/** The threads other than the main thread. */
export type ThreadName = "passes" | "webhooks";

/** The start parameters of a thread. */
export interface ThreadStart {
  readonly name: ThreadName;
  readonly options: Options;
  /**
   * Shared memory in which the thread notes its current work. The main thread reads it if the thread does not respond.
   */
  readonly slate: SharedText;
}

/** A short text that one thread writes and another reads without a message. */
export type SharedText = SharedArrayBuffer;

const SHARED_TEXT_BYTES = 1024;

/** @param text - truncated if it is too long */
export function write(slate: SharedText, text: string): void {
  const bytes = new Uint8Array(slate);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  bytes.fill(0, written);
}

function readSharedText(slate: SharedText): string {
  // TextDecoder does not accept shared memory.
  return new TextDecoder().decode(new Uint8Array(slate).slice()).replaceAll("\0", "");
}

/** A message from the main thread to another thread. */
export type ThreadCommand =
  /** Start reconciling: this replica holds the Lease, or none is needed. */
  | { readonly kind: "Work" }
  /** The response is `Switched`. */
  | { readonly kind: "SwitchGates"; readonly gates: Readonly<Record<string, boolean>> }
  /** The response is `Alive`, as soon as the thread reads the message. */
  | { readonly kind: "Answer" }
  /** The response is `Stopped`. */
  | { readonly kind: "Stop"; readonly withinMs: number };

/** A message from another thread to the main thread. */
export type ThreadReport =
  /** The thread runs. The webhooks listen on the port. */
  | { readonly kind: "Started"; readonly port?: number }
  | { readonly kind: "CannotStart"; readonly message: string }
  /** Its caches are in sync, and the webhooks have a certificate. */
  | { readonly kind: "Ready" }
  | { readonly kind: "Switched" }
  | { readonly kind: "Alive" }
  | {
      readonly kind: "TroubleBegins";
      readonly what: string;
      readonly cause: string;
      readonly options: ConditionOptions;
    }
  | { readonly kind: "TroubleEnds"; readonly what: string }
  | { readonly kind: "Counted"; readonly samples: readonly Sample[] }
  | { readonly kind: "Stopped" };

/** The handle of a thread: a `Worker`, or a stand-in in tests. */
export interface ThreadHandle {
  postMessage(order: ThreadCommand): void;
  // biome-ignore lint/suspicious/noExplicitAny: each event has another argument type
  on(event: "message" | "error" | "exit", listener: (value: any) => void): unknown;
  terminate(): Promise<unknown>;
}

/** Starts a thread that runs this file, the bundled program. */
export function startWorker(start: ThreadStart): ThreadHandle {
  return new Worker(new URL(import.meta.url), { workerData: start });
}

/** How often a thread is pinged, and how many consecutive pings it may miss before that is logged. */
const CHECK_INTERVAL_MS = 5_000;
const MAX_MISSED_CHECKS = 6;

/** The additional time for a thread to stop after its grace period. */
const GRACE_MS = 300;

/** The dependencies that the main thread provides for another thread. */
export interface MainParts {
  readonly startThread: (start: ThreadStart) => ThreadHandle;
  readonly troubles: ConditionLog;
  readonly metrics: Metrics;
}

/** The main thread's handle of another thread. */
export class Thread {
  readonly name: ThreadName;
  /** Resolves with the webhook port when the thread runs. Rejects with a message for the user. */
  readonly started: Promise<number | undefined>;
  readonly ready: Promise<unknown>;
  /** Resolves with the reason if the thread ends unexpectedly. */
  readonly died: Promise<string>;
  readonly #handle: ThreadHandle;
  readonly #troubles: ConditionLog;
  /** Emits each report under its kind. */
  readonly #reports = new EventEmitter();
  readonly #slate: SharedText = new SharedArrayBuffer(SHARED_TEXT_BYTES);
  readonly #timer: NodeJS.Timeout;
  #isStopping = false;
  #unanswered = 0;

  constructor(name: ThreadName, options: Options, parts: MainParts) {
    const { startThread, troubles, metrics } = parts;
    const handle = startThread({ name, options, slate: this.#slate });
    this.name = name;
    this.#handle = handle;
    this.#troubles = troubles;
    this.died = new Promise((resolve) => {
      handle.on("error", (error: unknown) => resolve(errorMessage(error)));
      handle.on("exit", () => !this.#isStopping && resolve("the thread ended unexpectedly"));
    });
    this.started = this.#start();
    this.ready = once(this.#reports, "Ready");
    handle.on("message", (report: ThreadReport) => this.#take(report, metrics));
    this.#timer = setInterval(() => this.#checkResponse(), CHECK_INTERVAL_MS);
  }

  /** Starts the work of the reconcile thread. */
  work(): void {
    this.#send({ kind: "Work" });
  }

  /** Resolves when the gates are in effect in that thread. */
  async switchGates(gates: Readonly<Record<string, boolean>>): Promise<void> {
    const switched = once(this.#reports, "Switched");
    this.#send({ kind: "SwitchGates", gates });
    await switched;
  }

  /** Stops the thread, and terminates it if it does not stop in time. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    const stopped = Promise.race([once(this.#reports, "Stopped"), this.died]);
    this.#send({ kind: "Stop", withinMs });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, withinMs + GRACE_MS);
    });
    await Promise.race([stopped, late]);
    clearTimeout(timer);
    await this.#handle.terminate();
  }

  async #start(): Promise<number | undefined> {
    const started = once(this.#reports, "Started");
    const rejected = once(this.#reports, "CannotStart").then(([{ message }]) => {
      throw new Error(message);
    });
    const died = this.died.then((cause) => {
      throw new Error(cause);
    });
    const [{ port }] = await Promise.race([started, rejected, died]);
    return port;
  }

  #take(report: ThreadReport, metrics: Metrics): void {
    switch (report.kind) {
      case "TroubleBegins":
        this.#troubles.raise(report.what, report.cause, {
          ...report.options,
          thread: this.name,
        });
        break;
      case "TroubleEnds":
        this.#troubles.resolve(report.what, this.name);
        break;
      case "Counted":
        metrics.take(report.samples);
        break;
      case "Alive":
        this.#unanswered = 0;
        this.#troubles.resolve(this.#about);
        break;
      default:
        this.#reports.emit(report.kind, report);
    }
  }

  /**
   * Checks whether the thread responds. It counts missed checks instead of time, because this thread itself may have
   * been paused.
   */
  #checkResponse(): void {
    if (this.#unanswered === 0) this.#send({ kind: "Answer" });
    if (this.#unanswered >= MAX_MISSED_CHECKS) {
      const seconds = (MAX_MISSED_CHECKS * CHECK_INTERVAL_MS) / 1000;
      const about = readSharedText(this.#slate);
      const cause = `it has not responded for ${seconds} s${about && `; its last pass is over ${about}`}`;
      // A slow pass affects only its own JobSets. If webhooks do not respond, their requests must be routed
      // elsewhere.
      this.#troubles.raise(this.#about, cause, { affectsReadiness: this.name === "webhooks" });
    }
    this.#unanswered += 1;
  }

  get #about(): string {
    return `thread of the ${this.name}`;
  }

  #send(order: ThreadCommand): void {
    this.#handle.postMessage(order);
  }
}
