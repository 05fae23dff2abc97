import { formatMicroTime, type Instant, type Observed } from "@jobset-ts/api";
import { EVENT_ACTION_RECONCILING } from "@jobset-ts/api/conditions";
import type { KubernetesObject, ObjectMeta, ObjectReference } from "@jobset-ts/api/kubernetes";
import { firstBytes } from "@jobset-ts/api/text";
import { nameOf, namespaceOf, textOf, uidOf } from "../jobset-members.ts";
import type { PlannedEvent } from "../plan.ts";

/**
 * Something that happened to an object, in the form in which controllers report it.
 *
 * @see Kubernetes `events.k8s.io/v1` `Event`
 */
export interface ReportedEvent {
  apiVersion: "events.k8s.io/v1";
  kind: "Event";
  metadata: ObjectMeta;
  /** When it was first seen, with microseconds. */
  eventTime: string;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  /** With the resourceVersion that the object had then. */
  regarding: ObjectReference;
  /** A sentence for a person, of at most 1024 bytes. */
  note: string;
  type: "Normal" | "Warning";
  /** Present from the second time on; the API server takes no count below 2. */
  series?: { count: number; lastObservedTime: string };
}

/** The longest note that the API server takes, in bytes. */
const MAX_NOTE_BYTES = 1024;

/**
 * An Event for the first time that something happens to an object.
 *
 * @param regarding - the JobSet, with `apiVersion` and `kind`
 * @param settings.reportingInstance - which replica of the controller speaks
 * @param settings.suffix - what makes the name unique among the object's Events, such as a time and a count
 */
export function reportedEvent(
  regarding: Observed<KubernetesObject>,
  { type, reason, message }: PlannedEvent,
  settings: {
    readonly now: Instant;
    readonly reportingInstance: string;
    readonly suffix: string;
  },
): ReportedEvent {
  const namespace = namespaceOf(regarding);
  const name = nameOf(regarding);
  const uid = uidOf(regarding);
  const resourceVersion = textOf(regarding?.metadata?.resourceVersion);
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: `${name}.${settings.suffix}`, namespace },
    eventTime: formatMicroTime(settings.now),
    reportingController: "jobset",
    reportingInstance: settings.reportingInstance,
    action: EVENT_ACTION_RECONCILING,
    reason,
    regarding: {
      apiVersion: textOf(regarding?.apiVersion),
      kind: textOf(regarding?.kind),
      namespace,
      name,
      ...(uid !== "" && { uid }),
      ...(resourceVersion !== "" && { resourceVersion }),
    },
    note: firstBytes(message, MAX_NOTE_BYTES),
    type,
  };
}
