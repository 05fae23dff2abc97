import type { Check } from "@jobset-ts/checks";
import { type CheckSet, defineChecks } from "@jobset-ts/checks";
import { faultChecks } from "./fault-checks.ts";
import { leaderChecks } from "./leader-checks.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";
import { selectorChecks } from "./selector-checks.ts";

/** The checks of a follower that do not involve its node selector. */
export const leaderCheckSet: CheckSet<PodView, PodCheckId> = defineChecks([
  ...faultChecks,
  ...leaderChecks,
]);

/** All checks of a follower, causes before their effects. */
export const podChecks: readonly Check<PodView, PodCheckId>[] = [
  ...faultChecks,
  ...leaderChecks,
  ...selectorChecks,
];

/** {@link podChecks}, sorted and ready for evaluation. */
export const podCheckSet: CheckSet<PodView, PodCheckId> = defineChecks(podChecks);
