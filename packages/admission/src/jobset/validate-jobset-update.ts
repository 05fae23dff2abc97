import type { JobSet, Observed } from "@jobset-ts/api";
import type { Snapshot } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import { checkedByRules, type JobSetAdmissionContext } from "./checked-by-rules.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { updateRules } from "./update-rules.ts";
import { viewUpdate } from "./update-view.ts";

/**
 * Whether JobSet's validating webhook lets a JobSet be replaced by another.
 *
 * Two policies that differ are not refused here: the API server has done so before it asks.
 *
 * @param old - the JobSet as it is
 * @param object - the whole JobSet as it is to be; a member left out is removed
 * @param snapshot - asked for volume claims only when the edit adds volume claim policies
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.ValidateUpdate`
 */
export function validateJobSetUpdate(
  old: unknown,
  object: unknown,
  snapshot: Snapshot,
  context: JobSetAdmissionContext,
): Validated<JobSetRuleId> {
  return checkedByRules([object, old], () =>
    updateRules(viewUpdate(old as Observed<JobSet>, object as Observed<JobSet>, context), snapshot),
  );
}
