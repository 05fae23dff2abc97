import { pass, unknown } from "../../checks/check-results.ts";
import type { ClusterIndex } from "../../view/cluster-facts.ts";
import { memoize, memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import {
  type NodeRefusal,
  parseSchedulerMessage,
  type SchedulerMessage,
} from "./scheduler-message.ts";

/** Returns the scheduler's message about the Pod. Absent if the scheduler has not rejected it. */
export function getMessage(view: PodInJob): SchedulerMessage | undefined {
  const state = view.jobSet.schedulingOf(view.pod);
  return state.outcome === "Unschedulable" ? parserOf(view.facts)(state.text) : undefined;
}

/** Many Pods have the same message, and every check reads it. */
const parserOf = /* @__PURE__ */ memoizeByObject((_: ClusterIndex) =>
  memoize(parseSchedulerMessage),
);

/** Returns the scheduler's reasons of a class. */
export function listRefusals(view: PodInJob, of: NodeRefusal["class"]): readonly NodeRefusal[] {
  const isMeant = (refusal: NodeRefusal) => refusal.class === of;
  const refusals = getMessage(view)?.refusals ?? noRefusals;
  return refusals.some(isMeant) ? refusals.filter(isMeant) : noRefusals;
}

const noRefusals: readonly NodeRefusal[] = [];

/** Returns the unknown result if only Events, which were not read, would show a rejection. */
export function unknownWithoutEvents(view: PodInJob) {
  return view.jobSet.schedulingOf(view.pod).outcome === "Unknown" ? unknown("Event") : pass;
}
