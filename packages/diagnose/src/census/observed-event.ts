import { type EpochMillis, parseTime, type Unvalidated } from "@jobset-ts/api";
import {
  asRecord,
  asString,
  isObject,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";

/** An Event of API group `v1` or `events.k8s.io/v1`, which name the same fields differently. */
export interface ObservedEvent {
  readonly reason: string;
  readonly message: string;
  /** The object that the Event is about. Absent fields are empty. */
  readonly about: {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  /** The number of occurrences, at least 1. */
  readonly count: number;
  /** The time of the last occurrence. Absent if the Event does not have it. */
  readonly lastAt?: EpochMillis;
}

/** The kinds under which a snapshot stores Events of the two API groups. */
const eventKinds = ["Event", "Event.events.k8s.io"] as const;

/** Returns why a snapshot does not contain Events, or `undefined` if it does. */
export function missingEventsReason(snapshot: Snapshot): string | undefined {
  const readings = eventKinds.map((kind) => snapshot.kindStatus(kind));
  if (readings.some(({ outcome }) => outcome === "Read")) return undefined;
  const failed = readings.find(({ outcome }) => outcome === "Failed") ?? readings[0];
  return failed !== undefined && "message" in failed ? failed.message : undefined;
}

/**
 * Yields the Events of a snapshot. A server returns each Event in both API groups. An Event that was read twice is
 * yielded once.
 */
export function* observedEvents(snapshot: Snapshot): Generator<ObservedEvent, void, undefined> {
  const [kind, otherKind] = eventKinds;
  const events = snapshot.objects(kind);
  const others = snapshot.objects(otherKind);
  const seen = others.length === 0 ? undefined : new Set(events.map(namespacedName));
  for (const event of events) yield observedEvent(event);
  for (const event of others) if (!seen?.has(namespacedName(event))) yield observedEvent(event);
}

/** The members of both forms of an Event, with unvalidated values. */
type EventOfAnyVersion = Partial<
  Record<
    | "involvedObject"
    | "regarding"
    | "reason"
    | "message"
    | "note"
    | "series"
    | "count"
    | "deprecatedCount"
    | "lastTimestamp"
    | "deprecatedLastTimestamp"
    | "eventTime",
    unknown
  >
>;

function observedEvent(event: Unvalidated<KubernetesObject>): ObservedEvent {
  const either = event as EventOfAnyVersion;
  const series = createObject(either.series);
  const about = createObject(either.involvedObject ?? either.regarding);
  const lastAt =
    getInstant(series.lastObservedTime) ??
    getInstant(either.lastTimestamp ?? either.deprecatedLastTimestamp) ??
    getInstant(either.eventTime) ??
    getInstant(event.metadata?.creationTimestamp);
  return {
    reason: text(either.reason),
    message: text(either.message ?? either.note),
    about: {
      kind: text(about.kind),
      namespace: text(about.namespace),
      name: text(about.name),
      uid: text(about.uid),
    },
    count: Math.max(
      1,
      ...[series.count, either.count, either.deprecatedCount].filter(isCount).slice(0, 1),
    ),
    ...(lastAt !== undefined && { lastAt }),
  };
}

function createObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value as object | null) ? asRecord(value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return asString(value as string);
}

function getInstant(value: unknown): EpochMillis | undefined {
  return parseTime(value as string | Date | undefined);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
