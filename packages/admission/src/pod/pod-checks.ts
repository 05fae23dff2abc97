import type { Check } from "../checks/check.ts";
import { type CheckSet, checkSet } from "../checks/check-set.ts";
import { leaderChecks } from "./leader-checks.ts";
import type { PodCheckId, PodFaultId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";
import { selectorChecks } from "./selector-checks.ts";

/** Each says whether one fault is behind what the other checks find; at most one of them fails. */
const faultChecks: readonly Check<PodView, PodCheckId>[] = (
  [
    "pods-not-indexed",
    "leader-name-cut",
    "leader-finished",
    "leader-terminating",
    "leader-absent",
    "leader-duplicated",
    "leader-of-other-job",
    "scheduling-gated",
    "insufficient-capacity",
    "unschedulable",
    "node-unknown",
    "topology-label-missing",
  ] as const satisfies readonly PodFaultId[]
).map((id) => ({
  id,
  causes: [],
  run: ({ fault }) => (fault?.id === id ? { outcome: "Fail", ...fault } : { outcome: "Pass" }),
}));

/** What can be said of a follower before anything is done about its node selector. */
export const leaderCheckSet: CheckSet<PodView, PodCheckId> = checkSet([
  ...faultChecks,
  ...leaderChecks,
]);

/** All checks of a follower, causes before what they bring about. */
export const podChecks: readonly Check<PodView, PodCheckId>[] = [
  ...faultChecks,
  ...leaderChecks,
  ...selectorChecks,
];

/** {@link podChecks}, ready to be asked. */
export const podCheckSet: CheckSet<PodView, PodCheckId> = checkSet(podChecks);
