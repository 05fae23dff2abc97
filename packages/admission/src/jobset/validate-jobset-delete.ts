import type { Validated } from "../verdict.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";

/**
 * Whether JobSet's validating webhook lets a JobSet be deleted: always, whatever it is. It is not even registered for
 * deletions.
 *
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.ValidateDelete`
 */
export function validateJobSetDelete(_old: unknown): Validated<JobSetRuleId> {
  return { allowed: true };
}
