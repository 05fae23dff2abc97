import { type Instant, type Observed, parseTime } from "@jobset-ts/api";
import { type Event, isObject, nameOf, namespaceOf, textOf } from "@jobset-ts/api/kubernetes";
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
  readonly seenAt: Instant;
  /** The object that it is about: its UID, or kind, namespace and name where it has none. */
  readonly about: string;
}

/** Put before the message of an Event that stands for ten and more. */
const COMBINED = "(combined from similar events): ";

/** Reads an Event; `undefined` when it does not say what it is about. */
export function eventFactsOf(event: Observed<Event>): EventFacts | undefined {
  const newer = event as { readonly regarding?: Event["involvedObject"]; readonly note?: string };
  const involved = isObject(event.involvedObject) ? event.involvedObject : newer.regarding;
  if (!isObject(involved)) return undefined;
  const message = textOf(event.message) || textOf(newer.note);
  return {
    namespace: namespaceOf(event),
    name: nameOf(event),
    reason: textOf(event.reason),
    message: message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message,
    isWarning: event.type === "Warning",
    seenAt: seenAt(event),
    about:
      textOf(involved.uid) ||
      aboutName(textOf(involved.kind), textOf(involved.namespace), textOf(involved.name)),
  };
}

/** What stands for an object of which an Event gives no UID; no UID holds a slash. */
export function aboutName(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** Whoever repeats an Event writes the time into one of these, by its generation; the others are null. */
function seenAt(event: Observed<Event>): Instant {
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
export function latestOf(events: readonly EventFacts[]): EventFacts | undefined {
  return events.reduce<EventFacts | undefined>(
    (latest, event) => (latest === undefined || isLater(event, latest) ? event : latest),
    undefined,
  );
}

function isLater(event: EventFacts, than: EventFacts): boolean {
  if (event.seenAt !== than.seenAt) return event.seenAt > than.seenAt;
  return compareBytes(event.name, than.name) > 0;
}
