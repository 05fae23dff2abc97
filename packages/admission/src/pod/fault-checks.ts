import type { Check } from "@jobset-ts/checks";
import { AWAIT_RETRY, INSPECT_LEADER } from "./pod-advice.ts";
import type { LeaderProblemId, PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";

/** The advice for each problem, in display order. */
const advice: Readonly<Record<LeaderProblemId, readonly string[]>> = {
  "pods-not-indexed": [
    "set completionMode: Indexed in the Job template, or do not use exclusive placement",
  ],
  "leader-name-cut": ["shorten the name of the JobSet or the ReplicatedJob"],
  "leader-finished": [
    "if the leader has succeeded, recreate the Job: followers can no longer join it",
  ],
  "leader-terminating": [AWAIT_RETRY],
  "leader-absent": [
    "check the Events of the Job, which report why its leader could not be created",
  ],
  "leader-duplicated": ["delete the Pods that have the leader's name but do not belong to the Job"],
  "leader-of-other-job": ["delete the leader of the other Job"],
  "scheduling-gated": [INSPECT_LEADER, "find the controller that removes its scheduling gates"],
  "insufficient-capacity": [INSPECT_LEADER],
  unschedulable: [INSPECT_LEADER],
  "node-unknown": ["recreate the leader on a node that exists"],
  "topology-label-missing": ["label the node"],
};

/** Checks for hidden causes of the other checks' failures. At most one of them fails. */
export const faultChecks: readonly Check<PodView, PodCheckId>[] = (
  Object.keys(advice) as LeaderProblemId[]
).map((id) => ({
  id,
  causes: [],
  texts: { isBehind: true, advice: advice[id] },
  run: ({ fault }) => (fault?.id === id ? { outcome: "Fail", ...fault } : { outcome: "Pass" }),
}));
