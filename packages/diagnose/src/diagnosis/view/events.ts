import { type EpochMillis, parseTime, type Unvalidated } from "@jobset-ts/api";
import { asString, type Event, getName, getNamespace, isObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";

/** What is read of an Event, whichever of the two API groups wrote it. */
export interface EventFacts {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  /** Without the prefix that an Event gets which stands for several. */
  readonly message: string;
  readonly isWarning: boolean;
  /** When it was last seen; `-Infinity` when it does not say. */
  readonly seenAt: EpochMillis;
  /** The object that it is about: its UID, or kind, namespace and name where it has none. */
  readonly about: string;
}

/** Put before the message of an Event that stands for ten and more. */
const COMBINED = "(combined from similar events): ";

/** Reads an Event; `undefined` when it does not say what it is about. */
export function createEventFacts(event: Unvalidated<Event>): EventFacts | undefined {
  const newer = event as { readonly regarding?: Event["involvedObject"]; readonly note?: string };
  const involved = isObject(event.involvedObject) ? event.involvedObject : newer.regarding;
  if (!isObject(involved)) return undefined;
  const message = asString(event.message) || asString(newer.note);
  return {
    namespace: getNamespace(event),
    name: getName(event),
    reason: asString(event.reason),
    message: message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message,
    isWarning: event.type === "Warning",
    seenAt: getEventTime(event),
    about:
      asString(involved.uid) ||
      isAboutName(asString(involved.kind), asString(involved.namespace), asString(involved.name)),
  };
}

/** What stands for an object of which an Event gives no UID; no UID holds a slash. */
export function isAboutName(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** The members in which a repeated Event holds its last time, by API version; the others are null. */
function getEventTime(event: Unvalidated<Event>): EpochMillis {
  const last = (event as { readonly deprecatedLastTimestamp?: string }).deprecatedLastTimestamp;
  return (
    parseTime(event.series?.lastObservedTime) ??
    parseTime(event.lastTimestamp ?? last) ??
    parseTime(event.eventTime) ??
    parseTime(event.metadata?.creationTimestamp) ??
    Number.NEGATIVE_INFINITY
  );
}

/** The one that was seen last; of those seen at the same time, the last by name. */
export function findLatest(events: readonly EventFacts[]): EventFacts | undefined {
  return events.reduce<EventFacts | undefined>(
    (latest, event) => (latest === undefined || isLater(event, latest) ? event : latest),
    undefined,
  );
}

function isLater(event: EventFacts, than: EventFacts): boolean {
  if (event.seenAt !== than.seenAt) return event.seenAt > than.seenAt;
  return compareBytes(event.name, than.name) > 0;
}
