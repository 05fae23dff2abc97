import { type EpochMillis, parseTime, type Unvalidated } from "@jobset-ts/api";
import { asString, type Event, getName, getNamespace, isObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";

/** The relevant members of an Event of either API group. */
export interface EventFacts {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  /** The message without the prefix of combined Events. */
  readonly message: string;
  readonly isWarning: boolean;
  /** The time of the last occurrence, or `-Infinity` if it is unknown. */
  readonly seenAt: EpochMillis;
  /** The object of the Event: its UID, or kind, namespace and name without a UID. */
  readonly about: string;
}

/** The message prefix of an Event that stands for ten or more. */
const COMBINED = "(combined from similar events): ";

/** Parses an Event. `undefined` if it has no object. */
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

/** Returns the identifier of an object in an Event without a UID. No UID contains a slash. */
export function isAboutName(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** The fields with the last time of a repeated Event depend on the API version. The others are null. */
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

/** Returns the latest Event. Among simultaneous ones, the last by name. */
export function findLatest<Found extends EventFacts>(events: readonly Found[]): Found | undefined {
  return events.reduce<Found | undefined>(
    (latest, event) => (latest === undefined || isLater(event, latest) ? event : latest),
    undefined,
  );
}

function isLater(event: EventFacts, than: EventFacts): boolean {
  if (event.seenAt !== than.seenAt) return event.seenAt > than.seenAt;
  return compareBytes(event.name, than.name) > 0;
}
