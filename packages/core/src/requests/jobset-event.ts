import { formatMicroTime, type Instant, type Observed } from "@jobset-ts/api";
import { EVENT_ACTION_RECONCILING } from "@jobset-ts/api/conditions";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { firstBytes } from "@jobset-ts/api/text";
import { nameOf, namespaceOf, textOf, uidOf } from "../jobset-members.ts";
import type { ReportedEvent } from "../plan/effects.ts";
import type { PlannedEvent } from "../plan/plan.ts";

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
