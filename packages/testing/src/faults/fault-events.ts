import type { KubernetesObject, ObjectReference } from "@jobset-ts/api/kubernetes";
import { ago } from "./event-times.ts";

/** An Event of a controller, the scheduler or a kubelet about an object. */
export interface FaultEvent {
  readonly about: Pick<KubernetesObject, "apiVersion" | "kind" | "metadata">;
  readonly reason: string;
  readonly message: string;
  readonly type: "Normal" | "Warning";
  /** How long ago the Event last occurred. */
  readonly seconds: number;
  /** How often the Event occurred. */
  readonly count: number;
  readonly by: Reporter;
}

/** The reporting component. Each uses one of the two Event APIs. */
export type Reporter = "jobset" | "default-scheduler" | "job-controller" | "kubelet" | "other";

const byNewerApi: ReadonlySet<Reporter> = new Set(["jobset", "default-scheduler"]);

/** The API groups in which Events are read. Each API converts the Events of the other one. */
export type EventView = "core" | "events.k8s.io" | "both";

/** Returns an Event as one of the API groups returns it, or twice, as both return it. */
export function eventObjects(
  reports: readonly FaultEvent[],
  view: EventView,
): readonly KubernetesObject[] {
  const core = view === "events.k8s.io" ? [] : reports.map(coreEvent);
  return view === "core" ? core : [...core, ...reports.map(newerEvent)];
}

function coreEvent(event: FaultEvent, at: number): KubernetesObject {
  const { reason, message, type, count, seconds, by } = event;
  const { series, eventTime } = createSeriesTimes(event);
  const isNewer = byNewerApi.has(by);
  const object = {
    apiVersion: "v1",
    kind: "Event",
    metadata: getMetadata(event, at),
    involvedObject: referenceTo(event),
    reason,
    message,
    type,
    source: isNewer ? {} : { component: by },
    reportingComponent: by,
    firstTimestamp: isNewer ? null : ago(seconds + 10 * (count - 1)),
    lastTimestamp: isNewer ? null : ago(seconds),
    count: isNewer ? null : count,
    eventTime: isNewer ? eventTime : null,
    ...(isNewer && series !== undefined && { series }),
  };
  return object;
}

function newerEvent(event: FaultEvent, at: number): KubernetesObject {
  const { reason, message, type, count, seconds, by } = event;
  const { series, eventTime } = createSeriesTimes(event);
  const isNewer = byNewerApi.has(by);
  const object = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: getMetadata(event, at),
    regarding: referenceTo(event),
    reason,
    note: message,
    type,
    reportingController: by,
    eventTime: isNewer ? eventTime : null,
    ...(isNewer && series !== undefined && { series }),
    ...(!isNewer && {
      deprecatedCount: count,
      deprecatedFirstTimestamp: ago(seconds + 10 * (count - 1)),
      deprecatedLastTimestamp: ago(seconds),
      deprecatedSource: { component: by },
    }),
  };
  return object;
}

/** The newer API counts the repetitions in a series. */
function createSeriesTimes({ seconds, count }: FaultEvent) {
  const fraction = (time: string) => time.replace("Z", ".204118Z");
  return {
    eventTime: fraction(ago(seconds + (count - 1))),
    series: count === 1 ? undefined : { count, lastObservedTime: fraction(ago(seconds)) },
  };
}

function getMetadata({ about, seconds, count }: FaultEvent, at: number) {
  const { name = "", namespace = "default" } = about.metadata;
  const suffix = (0x18ea28f0b2e2 + at * 0x9e37).toString(16);
  const creationTimestamp = ago(seconds + 10 * (count - 1));
  return { name: `${name}.${suffix}`, namespace, uid: `event-${at}-uid`, creationTimestamp };
}

function referenceTo({ about }: FaultEvent): ObjectReference {
  const { apiVersion, kind, metadata } = about;
  const { name = "", namespace, uid } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
  };
}
