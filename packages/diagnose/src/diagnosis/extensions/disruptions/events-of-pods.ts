import type { Unvalidated } from "@jobset-ts/api";
import { asString, type Event, getNamespace, isObject } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "../../view/cluster-facts.ts";
import { createEventFacts, type EventFacts } from "../../view/events.ts";
import { memoizeByObject } from "../../view/memoize.ts";

/** An Event about a Pod, which may no longer exist. */
export interface EventOfPod extends EventFacts {
  readonly podName: string;
}

/** Returns the Events about the Pods of a Job, by the names of the Pods. */
export function listEventsOfPods(
  facts: ClusterIndex,
  namespace: string,
  jobName: string,
): readonly EventOfPod[] {
  return eventsByJob(facts).get(`${namespace}/${jobName}`) ?? [];
}

const eventsByJob = /* @__PURE__ */ memoizeByObject(indexEvents);

function indexEvents(facts: ClusterIndex): ReadonlyMap<string, readonly EventOfPod[]> {
  const byJob = new Map<string, EventOfPod[]>();
  const events = ["", "events.k8s.io"].flatMap((group) => facts.objects<Event>("Event", group));
  for (const event of events) {
    const podName = getPodName(event);
    const found = podName === undefined ? undefined : createEventFacts(event);
    if (podName === undefined || found === undefined) continue;
    // The Job controller appends an index, if the Job is Indexed, and five random characters.
    for (const job of new Set([podName.slice(0, -6), podName.slice(0, -6).replace(/-\d+$/, "")])) {
      const key = `${getNamespace(event)}/${job}`;
      const list = byJob.get(key);
      if (list === undefined) byJob.set(key, [{ ...found, podName }]);
      else list.push({ ...found, podName });
    }
  }
  return byJob;
}

function getPodName(event: Unvalidated<Event>): string | undefined {
  const { regarding } = event as { readonly regarding?: Event["involvedObject"] };
  const object = isObject(event.involvedObject) ? event.involvedObject : regarding;
  if (!isObject(object) || object.kind !== "Pod") return undefined;
  const name = asString(object.name);
  return /-[a-z0-9]{5}$/.test(name) ? name : undefined;
}
