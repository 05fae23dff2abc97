import type { JobSet, Observed } from "@jobset-ts/api";
import type { Snapshot } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import { checkedByRules, type JobSetAdmissionContext } from "./checked-by-rules.ts";
import { createRules } from "./create-rules.ts";
import { existingClaimRules } from "./existing-claim-rules.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { type NamingOptions, viewJobSet } from "./jobset-view.ts";

/**
 * Whether JobSet's validating webhook lets a JobSet be created.
 *
 * The object is judged as it was sent: the schema is the API server's affair, and defaults are another webhook's.
 *
 * @param object - any JSON value; one that does not decode is refused with code 400
 * @param snapshot - asked for volume claims, and only when the JobSet has templates of claims
 * @param options.generatedNameSuffix - stands for the random characters that complete `generateName`
 * @returns a refusal as the webhook words it; a client is told more, see `admitJobSet`
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.ValidateCreate`
 */
export function validateJobSetCreate(
  object: unknown,
  snapshot: Snapshot,
  context: JobSetAdmissionContext,
  options: NamingOptions = {},
): Validated<JobSetRuleId> {
  return checkedByRules([object], () => {
    const view = viewJobSet(object as Observed<JobSet>, context, options);
    return createRules(view, existingClaimRules(view, snapshot));
  });
}
