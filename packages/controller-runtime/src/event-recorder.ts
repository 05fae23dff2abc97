import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { PlannedEvent } from "@jobset-ts/core";
import { EventCorrelator, type EventReport } from "@jobset-ts/core/requests";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import type { ApiError } from "./api-error.ts";
import type { ConditionReporter } from "./condition-log.ts";
import { Sleeper } from "./sleep.ts";

const MAX_ATTEMPTS = 12;
/** The maximum number of requests if permission is missing. A starting server may not have loaded its roles yet. */
const MAX_FORBIDDEN = 6;
const MAX_PAUSE_MS = 60_000;

/**
 * Sends Events when the library's correlator reports that they are due. A failed request is retried with growing
 * delays. The recorder gives up after six requests if permission is missing, and at once if the request is rejected
 * for another reason. Call {@link EventRecorder.stop} when the program ends, because a request may be due minutes
 * later.
 *
 * @example
 * const sent: string[] = [];
 * const fetch: Fetch = async (url, { body }) => {
 * sent.push(new URL(url).pathname);
 * return new Response(body, { status: 201 });
 * };
 * const client = new ApiClient({ server: "https://10.0.0.1", fetch });
 * const events = new EventRecorder(client, "my-controller-0", new ConditionLog());
 * const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a", namespace: "ml", uid: "u-1" } };
 * events.emit(job, { type: "Normal", reason: "Started", message: "it has started" });
 * await events.stop();
 * sent // => ["/apis/events.k8s.io/v1/namespaces/ml/events"]
 */
export class EventRecorder {
  readonly #client: ApiClient;
  readonly #conditions: ConditionReporter;
  readonly #firstPauseMs: number;
  readonly #correlator: EventCorrelator;
  /** The last open request of each Event, by name. Requests about one Event run one after the other. */
  readonly #sending = new Map<string, Promise<void>>();
  readonly #pauses = new Sleeper();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    client: ApiClient,
    instance: string,
    conditions: ConditionReporter,
    firstPauseMs = 1_000,
  ) {
    this.#client = client;
    this.#conditions = conditions;
    this.#firstPauseMs = firstPauseMs;
    this.#correlator = new EventCorrelator({ reportingInstance: instance });
  }

  /** Records an Event about an object and sends it if it is due. */
  emit(about: Unvalidated<KubernetesObject>, planned: PlannedEvent): void {
    this.#take(this.#correlator.report(about, planned, Date.now()));
  }

  /** Resolves when open requests have finished. Later failures are not retried, and pending counts are lost. */
  async stop(): Promise<void> {
    this.#pauses.end();
    clearTimeout(this.#timer);
    await Promise.all(this.#sending.values());
  }

  #take(reports: readonly EventReport[]): void {
    for (const report of reports) {
      const { name = "" } = report.event.metadata;
      const before = this.#sending.get(name) ?? Promise.resolve();
      const sending = before.then(async () => {
        await this.#send(report);
        if (this.#sending.get(name) === sending) this.#sending.delete(name);
      });
      this.#sending.set(name, sending);
    }
    this.#awaitDue();
  }

  #awaitDue(): void {
    // A later occurrence can only delay the next request.
    if (this.#timer !== undefined || this.#pauses.areOver) return;
    const { nextDue } = this.#correlator;
    if (nextDue === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#take(this.#correlator.due(Date.now()));
    }, nextDue - Date.now());
  }

  async #send(report: EventReport): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#sendOnce(report);
      if (response.ok || response.error.reason === "AlreadyExists") {
        this.#conditions.resolve("Events");
        return;
      }
      const { code = 0, message } = response.error;
      if (attempt >= maxAttempts(response.error) || this.#pauses.areOver) {
        const { reason, regarding } = report.event;
        const fields = { reason, regarding: `${regarding.kind} ${regarding.name}` };
        // Each Event has its own name, which is part of the message.
        this.#conditions.raise("Events", message, { kind: `${code}`, fields });
        return;
      }
      const pauseMs = Math.min(this.#firstPauseMs * 2 ** (attempt - 1), MAX_PAUSE_MS);
      await this.#pauses.sleep(pauseMs);
    }
  }

  async #sendOnce({ effect, onNotFound }: EventReport): Promise<ApiResponse> {
    const response = await this.#client.perform(effect);
    const isGone = !response.ok && response.error.reason === "NotFound";
    return isGone && onNotFound !== undefined ? this.#client.perform(onNotFound) : response;
  }
}

/** Returns the maximum number of requests for an error. */
function maxAttempts({ code = 0, isServerResponse }: ApiError): number {
  if (code === 401 || code === 403) return MAX_FORBIDDEN;
  return isServerResponse || code < 400 || code >= 500 ? MAX_ATTEMPTS : 1;
}
