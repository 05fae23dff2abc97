import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./observed.ts";

/**
 * Something that happened to an object.
 *
 * @see Kubernetes `core/v1` `Event`
 */
export interface Event {
  apiVersion: "v1";
  kind: "Event";
  metadata: ObjectMeta;
  /** The object that it happened to. */
  involvedObject: ObjectReference;
  /** One PascalCase word for programs. */
  reason?: string;
  /** A sentence for a person, cut at 1024 bytes. */
  message?: string;
  type?: "Normal" | "Warning";
  /** How often it was seen between the two timestamps. */
  count?: number;
  firstTimestamp?: string;
  lastTimestamp?: string;
  eventTime?: string;
  reportingComponent?: string;
  reportingInstance?: string;
  action?: string;
  series?: EventSeries;
}

/** Repeats of one Event. */
export interface EventSeries {
  count?: number;
  lastObservedTime?: string;
}

/** Points at an object. */
export interface ObjectReference extends Open {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}
