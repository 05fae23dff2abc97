import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./unvalidated.ts";

/**
 * Something that happened to an object.
 *
 * @see Kubernetes `core/v1` `Event`
 */
export interface Event {
  apiVersion: "v1";
  kind: "Event";
  metadata: ObjectMeta;
  /** The object of the Event. */
  involvedObject: ObjectReference;
  /** A PascalCase word for programs. */
  reason?: string;
  /** A sentence for people, truncated at 1024 bytes. */
  message?: string;
  type?: "Normal" | "Warning";
  /** The number of occurrences between the two timestamps. */
  count?: number;
  firstTimestamp?: string;
  lastTimestamp?: string;
  eventTime?: string;
  reportingComponent?: string;
  reportingInstance?: string;
  action?: string;
  series?: EventSeries;
}

/** Repetitions of one Event. */
export interface EventSeries {
  count?: number;
  lastObservedTime?: string;
}

/** A reference to an object. */
export interface ObjectReference extends Open {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}
