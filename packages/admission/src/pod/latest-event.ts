import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { asString, type Event } from "@jobset-ts/api/kubernetes";

/**
 * Returns the most recent Event with a reason. Of Events with the same time, returns the last by name.
 *
 * @param events - sorted by name, as in a snapshot
 * @param isSelected - selects Events by their message; default: all
 */
export function latestEvent(
  events: readonly Unvalidated<Event>[],
  reason: string,
  isSelected: (message: string) => boolean = () => true,
): Unvalidated<Event> | undefined {
  return events
    .filter((event) => event.reason === reason && isSelected(asString(event.message)))
    .reduce<Unvalidated<Event> | undefined>(
      (latest, event) =>
        latest !== undefined && getEventTime(event) < getEventTime(latest) ? latest : event,
      undefined,
    );
}

/** The members with the last time of a repeated Event, by API version. The others are null. */
function getEventTime({
  series,
  lastTimestamp,
  eventTime,
  firstTimestamp,
}: Unvalidated<Event>): number {
  return (
    parseTime(series?.lastObservedTime) ??
    parseTime(lastTimestamp) ??
    parseTime(eventTime) ??
    parseTime(firstTimestamp) ??
    Number.NEGATIVE_INFINITY
  );
}
