import { ageOf } from "../../view/age.ts";
import { getCreationTime, type PodInJob } from "../../view/pod-view.ts";
import {
  absenceEvidence,
  conditionEvidence,
  type DiagnosisCheck,
  failTransiently,
  failWaiting,
  fieldEvidence,
  pass,
  podKey,
  sinceTime,
  unknown,
} from "../check-results.ts";
import type { FindingId } from "../finding-ids.ts";

const placementFaults: readonly FindingId[] = ["scheduling-gated", "scheduler-not-tried"];

/** The checks of an active Pod that has no node and is not being deleted. Why the scheduler rejects it is an extension. */
export const unscheduledPodChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "scheduling-gated",
    causes: [],
    texts: { advice: ["check the controller that sets these gates"] },
    run: (view) => {
      const state = view.jobSet.schedulingOf(view.pod);
      if (state.outcome !== "Gated") return pass;
      const gates = state.gates.join(", ");
      const evidence = [fieldEvidence(podKey(view), "spec.schedulingGates", gates)];
      const text = `${view.pod.name} is held by scheduling gates ${gates}`;
      return failWaiting(text, {
        objects: [podKey(view)],
        evidence,
        ...sinceTime(getCreationTime(view)),
      });
    },
  },
  {
    id: "scheduler-not-tried",
    causes: [],
    texts: { advice: ["if this persists, check that the scheduler runs"] },
    run: (view) => {
      const { outcome } = view.jobSet.schedulingOf(view.pod);
      if (outcome === "Unknown") return unknown("Event");
      if (outcome !== "Untried") return pass;
      const evidence = [
        absenceEvidence(podKey(view), "the scheduler has not reported on the Pod", "status"),
      ];
      const text = `scheduler has not tried ${view.pod.name} yet`;
      const age = ageOf(
        view.jobSet,
        getCreationTime(view),
        view.jobSet.thresholds.schedulingSeconds,
      );
      return failTransiently(text, { objects: [podKey(view)], evidence, ...age });
    },
  },
  {
    id: "leader-unscheduled",
    causes: placementFaults,
    texts: { advice: ["check the scheduler's message for the leader Pod"] },
    run: (view) =>
      view.pod.isLeader
        ? failTransiently(`${nameLeader(view)} has no node`, observeUnscheduled(view))
        : pass,
  },
  {
    id: "pod-unscheduled",
    causes: placementFaults,
    texts: { advice: ["check the scheduler's message for the Pod"] },
    run: (view) =>
      view.pod.isLeader
        ? pass
        : failTransiently(`pod ${view.pod.name} has no node`, observeUnscheduled(view)),
  },
];

/** Without exclusive placement, no Pod follows another one. */
function nameLeader({ job, pod }: PodInJob): string {
  return `${job.topologyKey === undefined ? "pod" : "leader"} ${pod.name}`;
}

/** Returns the scheduler's message about a Pod as evidence. */
export function observeUnscheduled(view: PodInJob) {
  const state = view.jobSet.schedulingOf(view.pod);
  if (state.outcome !== "Unschedulable") return onNoNode(view);
  const object = podKey(view);
  const { text, from } = state;
  const evidence =
    from === "Condition"
      ? conditionEvidence(object, "PodScheduled", text)
      : { kind: "Event" as const, object, at: "FailedScheduling", text };
  return { objects: [object], evidence: [evidence], ...sinceTime(getCreationTime(view)) };
}

function onNoNode(view: PodInJob) {
  const object = podKey(view);
  return {
    objects: [object],
    evidence: [absenceEvidence(object, "the Pod has no node", "spec.nodeName")],
    ...sinceTime(getCreationTime(view)),
  };
}
