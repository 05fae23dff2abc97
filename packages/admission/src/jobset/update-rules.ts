import type { Snapshot } from "@jobset-ts/core";
import { elasticScalingRules } from "./elastic-scaling-rules.ts";
import { managedByUpdateRules, policyRules, replicatedJobsRules } from "./immutability-rules.ts";
import type { Violations } from "./jobset-rule.ts";
import { recheckedRules } from "./rechecked-rules.ts";
import type { UpdateView } from "./update-view.ts";

/** All that is asked of an edit, in upstream's order; what upstream does not ask comes last. */
export function* updateRules(update: UpdateView, snapshot: Snapshot): Violations {
  const refusedMembers = new Set<string>();
  for (const violation of changeRules(update)) {
    yield violation;
    refusedMembers.add(memberOfSpec(violation.error.field));
  }
  yield* recheckedRules(update, refusedMembers, snapshot);
}

/** Whether what has changed may change. */
function* changeRules(update: UpdateView): Violations {
  yield* elasticScalingRules(update);
  yield* replicatedJobsRules(update);
  yield* managedByUpdateRules(update);
  yield* policyRules(update);
}

/** `network` for `spec.network`. */
function memberOfSpec(field: string): string {
  return /^spec\.(?<member>\w+)/.exec(field)?.groups?.member ?? "";
}
