import type { Check } from "@jobset-ts/checks";
import { AWAIT_RETRY, INSPECT_LEADER } from "./pod-advice.ts";
import type { LeaderProblemId, PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";

/** The advice for each problem, in the order in which it is given. */
const advice: Readonly<Record<LeaderProblemId, readonly string[]>> = {
  "pods-not-indexed": [
    "set completionMode: Indexed in the Job template, or do without exclusive placement",
  ],
  "leader-name-cut": ["shorten the name of the JobSet or the ReplicatedJob"],
  "leader-finished": [
    "if the leader has succeeded, recreate the Job: no follower can join it any more",
  ],
  "leader-terminating": [AWAIT_RETRY],
  "leader-absent": ["look at the Events of the Job: they say why its leader could not be created"],
  "leader-duplicated": ["delete the Pods that have the leader's name and are not the Job's"],
  "leader-of-other-job": ["see that the other Job's leader goes away"],
  "scheduling-gated": [INSPECT_LEADER, "find out who is to lift its scheduling gates"],
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
