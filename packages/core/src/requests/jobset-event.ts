import { type EpochMillis, formatMicroTime, type Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { truncateUtf8 } from "@jobset-ts/api/text";
import { asString, getName, getNamespace, getUid } from "../jobset-members.ts";
import type { ReportedEvent } from "../plan/effects.ts";
import type { PlannedEvent } from "../plan/plan.ts";

/** The maximum length of a note in bytes. */
const MAX_NOTE_BYTES = 1024;

/**
 * Returns an Event for the first occurrence about an object.
 *
 * @param regarding - the JobSet, with `apiVersion` and `kind`
 * @param settings.reportingInstance - the replica of the controller that reports the Event
 * @param settings.suffix - what makes the name unique among the object's Events, such as a time and a count
 */
export function createReportedEvent(
  regarding: Unvalidated<KubernetesObject>,
  { type, reason, message }: PlannedEvent,
  settings: {
    readonly now: EpochMillis;
    readonly reportingInstance: string;
    readonly suffix: string;
  },
): ReportedEvent {
  const namespace = getNamespace(regarding);
  const name = getName(regarding);
  const uid = getUid(regarding);
  const resourceVersion = asString(regarding?.metadata?.resourceVersion);
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: `${name}.${settings.suffix}`, namespace },
    eventTime: formatMicroTime(settings.now),
    reportingController: "jobset",
    reportingInstance: settings.reportingInstance,
    action: "Reconciling",
    reason,
    regarding: {
      apiVersion: asString(regarding?.apiVersion),
      kind: asString(regarding?.kind),
      namespace,
      name,
      ...(uid !== "" && { uid }),
      ...(resourceVersion !== "" && { resourceVersion }),
    },
    note: truncateUtf8(message, MAX_NOTE_BYTES),
    type,
  };
}
