import { NO_FIELD } from "@jobset-ts/api/errors";
import type { Snapshot } from "@jobset-ts/core";
import { elasticScalingRules } from "./elastic-scaling-rules.ts";
import { managedByUpdateRules, policyRules, replicatedJobsRules } from "./immutability-rules.ts";
import { recheckedRules } from "./rechecked-creation-rules.ts";
import type { UpdateView } from "./update-view.ts";
import type { Violations } from "./violations.ts";

/** Applies all update rules, in upstream's order. Rules that upstream lacks come last. */
export function updateRules(update: UpdateView, snapshot: Snapshot, found: Violations): void {
  elasticScalingRules(update, found);
  replicatedJobsRules(update, found);
  managedByUpdateRules(update, found);
  policyRules(update, found);
  const fields = found.findings.map(({ fieldError }) => fieldError?.field ?? NO_FIELD);
  recheckedRules(update, new Set(fields.map(isSpecMember)), snapshot, found);
}

/** Reports whether a field is a member of the spec: `network` for `spec.network`. */
function isSpecMember(field: string): string {
  return /^spec\.(?<member>\w+)/.exec(field)?.groups?.member ?? "";
}
