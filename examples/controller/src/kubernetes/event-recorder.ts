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
import type { TroubleLog } from "../log.ts";
import type { AnyRequest, ApiClient } from "./api-client.ts";

/** After that long without a repeat, the same thing is a new Event. */
const SERIES_LENGTH_MS = 6 * 60_000;
const MAX_SERIES = 4096;
const MAX_ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 60_000;

interface Series {
  /** As it was first reported. */
  readonly event: ReportedEvent;
  count: number;
  lastMs: number;
  /** As many as the API server knows of. */
  sentCount: number;
  /** While requests about it are under way, which go one after the other. */
  sending: Promise<void> | undefined;
}

/**
 * Reports Events. What happens again within six minutes is counted in the Event that exists, rather than
 * reported anew; a report that fails is tried again with growing pauses, and is given up in the end.
 */
export class EventRecorder {
  readonly #client: ApiClient;
  readonly #instance: string;
  readonly #troubles: TroubleLog;
  readonly #firstPauseMs: number;
  /** By what makes Events one series; the least recent first. */
  readonly #series = new Map<string, Series>();
  readonly #sending = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #created = 0;

  constructor(client: ApiClient, instance: string, troubles: TroubleLog, firstPauseMs = 1_000) {
    this.#client = client;
    this.#instance = instance;
    this.#troubles = troubles;
    this.#firstPauseMs = firstPauseMs;
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
    const goesOn = known !== undefined && nowMs - known.lastMs < SERIES_LENGTH_MS;
    const series = goesOn
      ? known
      : { event, count: 0, lastMs: nowMs, sentCount: 0, sending: undefined };
    series.count += 1;
    series.lastMs = nowMs;
    this.#series.delete(key);
    this.#series.set(key, series);
    for (const oldest of this.#series.keys()) {
      if (this.#series.size <= MAX_SERIES) break;
      this.#series.delete(oldest);
    }
    this.#startSending(series);
  }

  /** Resolves when what was emitted is sent; what fails from now on is not tried again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#sending);
  }

  #startSending(series: Series): void {
    if (series.sending !== undefined) return;
    const sending = this.#send(series).finally(() => {
      series.sending = undefined;
      this.#sending.delete(sending);
    });
    series.sending = sending;
    this.#sending.add(sending);
  }

  /** However often it happened meanwhile, it takes one request to say so. */
  async #send(series: Series): Promise<void> {
    while (series.sentCount < series.count) {
      const { count, sentCount } = series;
      const isSent = await this.#persistently(series.event, () => requestFor(series));
      if (!isSent) {
        // One that could not be reported, or is no longer there, is reported anew when it happens again.
        series.sentCount = 0;
        return;
      }
      series.sentCount = sentCount === 0 ? 1 : count;
    }
  }

  async #persistently(event: ReportedEvent, request: () => AnyRequest): Promise<boolean> {
    const { signal } = this.#stopping;
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#client.send(request());
      if (response.ok || response.error.reason === "AlreadyExists") {
        this.#troubles.ends("Events");
        return true;
      }
      const { code = 0, message, isOfServer } = response.error;
      const isRefused = !isOfServer && code >= 400 && code < 500;
      if (isRefused || attempt + 1 === MAX_ATTEMPTS || signal.aborted) {
        const { reason, regarding, metadata } = event;
        const fields = { reason, regarding: `${regarding.kind} ${regarding.name}` };
        // Each Event has a name of its own; the cause is the same without.
        const cause = message.replaceAll(metadata.name ?? "", "…");
        this.#troubles.begins("Events", cause, { fields });
        return false;
      }
      const pauseMs = Math.min(this.#firstPauseMs * 2 ** attempt, LONGEST_PAUSE_MS);
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}

/** The report of a series, or of how often it has repeated itself. */
function requestFor({ event, count, lastMs, sentCount }: Series): AnyRequest {
  const { apiVersion, kind, metadata } = event;
  const { namespace = "", name = "" } = metadata;
  const target = { apiVersion, kind, namespace, name };
  return sentCount === 0
    ? { method: "POST", path: collectionPath(target), contentType: "application/json", body: event }
    : {
        method: "PATCH",
        path: objectPath(target),
        contentType: "application/merge-patch+json",
        body: repeatedEventPatch(count, lastMs),
      };
}
