import { type EpochMillis, formatMicroTime, type Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Effect, ObjectKey, ReportedEvent } from "../plan/effects.ts";
import type { PlannedEvent } from "../plan/plan.ts";
import { createReportedEvent } from "./jobset-event.ts";

/** The request for one Event. */
export interface EventReport {
  readonly event: ReportedEvent;
  readonly effect: Effect;
  /** The effect to send if the API server responds with `NotFound`, because a counted Event may have expired. */
  readonly onNotFound?: Effect;
}

/** If the same occurrence does not repeat for this time, the next one is a new Event. */
const SERIES_EXPIRY_MS = 6 * 60_000;
/** How often the correlator sends the count of a series that continues. This also keeps the Event from expiring. */
const COUNT_INTERVAL_MS = 30 * 60_000;

interface Series {
  /** The Event as it was first reported. */
  readonly event: ReportedEvent;
  count: number;
  lastAt: EpochMillis;
  sentCount: number;
  sentAt: EpochMillis;
}

/**
 * Decides which Events to send. Repeated occurrences become one Event with a count, which needs few requests. Events
 * belong to one series if they differ only in time and message. The message may change each time, for example by a UID
 * or a quota's usage. The Event keeps the first message. An Event about another version of the object starts another
 * series. The second occurrence is sent at once, and later counts every 30 minutes. The last count is sent after six
 * minutes without a repeat, and the series is forgotten. Send the reports about one Event in order. The next count
 * makes up for a lost one.
 *
 * @see client-go `tools/events`, `eventBroadcasterImpl`; ours has a bound, and a clock for each series rather than one
 * for all
 * @example new EventCorrelator({ reportingInstance: "jobset-0" }).nextDue // => undefined
 */
export class EventCorrelator {
  readonly #reportingInstance: string;
  readonly #maxSeries: number;
  /** By series key, the least recent first. */
  readonly #series = new Map<string, Series>();
  #reported = 0;

  constructor({
    reportingInstance,
    maxSeries = 4096,
  }: {
    /** The replica of the controller that reports the Events. */
    readonly reportingInstance: string;
    /** The maximum number of series. If there are more, the least recent one is dropped. Default: 4096. */
    readonly maxSeries?: number;
  }) {
    this.#reportingInstance = reportingInstance;
    this.#maxSeries = maxSeries;
  }

  /**
   * Records an occurrence, and returns the requests to send now.
   *
   * @param regarding - with `apiVersion`, `kind` and the current resourceVersion; for an Event that follows a status
   * write, use the JobSet that the write returned
   */
  report(
    regarding: Unvalidated<KubernetesObject>,
    planned: PlannedEvent,
    now: EpochMillis,
  ): readonly EventReport[] {
    // A counter distinguishes names that are generated within one millisecond.
    const count = (this.#reported % 65_536).toString(16).padStart(4, "0");
    this.#reported += 1;
    const suffix = `${Math.floor(now).toString(16)}${count}`;
    const reportingInstance = this.#reportingInstance;
    const event = createReportedEvent(regarding, planned, { now, reportingInstance, suffix });
    const key = seriesKey(event);
    const known = this.#series.get(key);
    this.#series.delete(key);
    if (known === undefined || isSeriesOver(known, now)) {
      this.#series.set(key, { event, count: 1, lastAt: now, sentCount: 1, sentAt: now });
      return [
        ...(known === undefined ? [] : takeUnsent(known, now)),
        { event, effect: createEffect(event) },
        ...this.#removeExcessSeries(now),
      ];
    }
    known.count += 1;
    known.lastAt = now;
    this.#series.set(key, known);
    return known.count === 2 || isToBeCounted(known, now) ? takeUnsent(known, now) : [];
  }

  /**
   * Returns the requests that are due: counts of series that continue, and final counts of those that have
   * ended.
   */
  due(now: EpochMillis): readonly EventReport[] {
    return [...this.#series].flatMap(([key, series]) => {
      if (isSeriesOver(series, now)) this.#series.delete(key);
      else if (!isToBeCounted(series, now)) return [];
      return takeUnsent(series, now);
    });
  }

  /**
   * The time at which {@link EventCorrelator.due} has the next request to send, if nothing else happens. Undefined
   * without series.
   */
  get nextDue(): EpochMillis | undefined {
    let next: EpochMillis | undefined;
    for (const { count, lastAt, sentCount, sentAt } of this.#series.values()) {
      const over = lastAt + SERIES_EXPIRY_MS;
      const due = count > sentCount ? Math.min(over, sentAt + COUNT_INTERVAL_MS) : over;
      if (next === undefined || due < next) next = due;
    }
    return next;
  }

  #removeExcessSeries(now: EpochMillis): readonly EventReport[] {
    const reports: EventReport[] = [];
    for (const [key, series] of this.#series) {
      if (this.#series.size <= this.#maxSeries) break;
      this.#series.delete(key);
      reports.push(...takeUnsent(series, now));
    }
    return reports;
  }
}

/**
 * Returns the common part of the Events in one series: everything except names, times, counts and
 * messages.
 */
function seriesKey(event: ReportedEvent): string {
  const { type, action, reason, reportingController, reportingInstance, regarding } = event;
  return JSON.stringify([type, action, reason, reportingController, reportingInstance, regarding]);
}

function isSeriesOver({ lastAt }: Series, now: EpochMillis): boolean {
  return now - lastAt >= SERIES_EXPIRY_MS;
}

function isToBeCounted({ count, sentCount, sentAt }: Series, now: EpochMillis): boolean {
  return count > sentCount && now - sentAt >= COUNT_INTERVAL_MS;
}

/** Returns the report of a count that was not yet sent, and marks it as sent. */
function takeUnsent(series: Series, now: EpochMillis): readonly EventReport[] {
  const { event: first, count, lastAt, sentCount } = series;
  if (count === sentCount) return [];
  series.sentCount = count;
  series.sentAt = now;
  const event = { ...first, series: { count, lastObservedTime: formatMicroTime(lastAt) } };
  const counted: Effect = {
    verb: "patch",
    target: eventKey(event),
    patch: { series: event.series },
  };
  return [{ event, effect: counted, onNotFound: createEffect(event) }];
}

function createEffect(event: ReportedEvent): Effect {
  // An Event with this name is this one: the response to an earlier attempt was lost.
  return { verb: "create", target: eventKey(event), object: { ...event }, onExists: "Succeed" };
}

function eventKey({ apiVersion, kind, metadata }: ReportedEvent): ObjectKey {
  const { namespace = "", name = "" } = metadata;
  return { apiVersion, kind, namespace, name };
}
