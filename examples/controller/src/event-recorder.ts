import { setTimeout } from "node:timers/promises";
import type { KubernetesObject } from "@jobset-ts/api";
import {
  collectionPath,
  eventSeriesKey,
  objectPath,
  type PlannedEvent,
  type ReportedEvent,
  repeatedEventPatch,
  reportedEvent,
} from "@jobset-ts/core";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import { log } from "./log.ts";

/** After that long without a repeat, the same thing is a new Event. */
const SERIES_LENGTH_MS = 6 * 60_000;
const MAX_SERIES = 4096;
const MAX_ATTEMPTS = 12;

interface Series {
  readonly name: string;
  count: number;
  lastMs: number;
  /** Requests about one Event go one after the other. */
  sent: Promise<void>;
}

/**
 * Reports Events. What happens again within six minutes is counted in the Event that exists, rather than
 * reported anew; a report that fails is tried again with growing pauses.
 */
export class EventRecorder {
  readonly #client: ApiClient;
  readonly #instance: string;
  /** By what makes Events one series; the least recent first. */
  readonly #series = new Map<string, Series>();
  #created = 0;

  constructor(client: ApiClient, instance: string) {
    this.#client = client;
    this.#instance = instance;
  }

  emit(about: KubernetesObject, planned: PlannedEvent): void {
    const nowMs = Date.now();
    this.#created += 1;
    const event = reportedEvent(about, planned, {
      now: nowMs,
      reportingInstance: this.#instance,
      suffix: `${nowMs.toString(16)}${(this.#created % 65_536).toString(16).padStart(4, "0")}`,
    });
    const key = eventSeriesKey(event);
    const known = this.#series.get(key);
    this.#series.delete(key);
    if (known !== undefined && nowMs - known.lastMs < SERIES_LENGTH_MS) {
      known.count += 1;
      known.lastMs = nowMs;
      known.sent = known.sent.then(() => this.#repeat(event, known));
      this.#series.set(key, known);
      return;
    }
    const sent = this.#create(event);
    this.#series.set(key, { name: event.metadata.name ?? "", count: 1, lastMs: nowMs, sent });
    for (const oldest of this.#series.keys()) {
      if (this.#series.size <= MAX_SERIES) break;
      this.#series.delete(oldest);
    }
  }

  /** Resolves when all that was emitted is sent. */
  async flush(): Promise<void> {
    await Promise.all([...this.#series.values()].map(({ sent }) => sent));
  }

  async #create(event: ReportedEvent): Promise<void> {
    await this.#persistently(event, () =>
      this.#client.send({
        method: "POST",
        path: collectionPath(targetOf(event)),
        contentType: "application/json",
        body: event,
      }),
    );
  }

  async #repeat(event: ReportedEvent, { name, count, lastMs }: Series): Promise<void> {
    const target = { ...targetOf(event), name };
    await this.#persistently(event, () =>
      this.#client.send({
        method: "PATCH",
        path: objectPath(target),
        contentType: "application/merge-patch+json",
        body: repeatedEventPatch(count, lastMs),
      }),
    );
  }

  async #persistently(event: ReportedEvent, send: () => Promise<ApiResponse>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await send();
      if (response.ok || response.error.reason === "AlreadyExists") return;
      const { code, message } = response.error;
      const isRefused = code !== undefined && code >= 400 && code < 500 && code !== 429;
      if (isRefused || attempt === MAX_ATTEMPTS) {
        log("warning", message, {
          about: `Event ${event.reason}`,
          regarding: event.regarding.name,
        });
        return;
      }
      await setTimeout(Math.min(1000 * 2 ** attempt, 60_000), undefined, { ref: false });
    }
  }
}

function targetOf({ apiVersion, kind, metadata: { namespace = "", name = "" } }: ReportedEvent) {
  return { apiVersion, kind, namespace, name };
}
