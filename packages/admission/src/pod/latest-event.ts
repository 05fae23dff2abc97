import { type Observed, parseTime } from "@jobset-ts/api";
import { type Event, textOf } from "@jobset-ts/api/kubernetes";

/**
 * The Event of a reason that was seen last; of those that were seen at the same time, the last by name.
 *
 * @param events - by name, as a snapshot lists them
 * @param isMeant - which of them to look at, by their message; by default all
 */
export function latestEvent(
  events: readonly Observed<Event>[],
  reason: string,
  isMeant: (message: string) => boolean = () => true,
): Observed<Event> | undefined {
  return events
    .filter((event) => event.reason === reason && isMeant(textOf(event.message)))
    .reduce<Observed<Event> | undefined>(
      (latest, event) => (latest !== undefined && seenAt(event) < seenAt(latest) ? latest : event),
      undefined,
    );
}

/** Who repeats an Event writes the time into one of these, by its generation; the others are null. */
function seenAt({ series, lastTimestamp, eventTime, firstTimestamp }: Observed<Event>): number {
  return (
    parseTime(series?.lastObservedTime) ??
    parseTime(lastTimestamp) ??
    parseTime(eventTime) ??
    parseTime(firstTimestamp) ??
    Number.NEGATIVE_INFINITY
  );
}
