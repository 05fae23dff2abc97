import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { jobSetDecodeErrors } from "@jobset-ts/api/typed";
import type { Snapshot } from "@jobset-ts/core";
import type {
  AdmissionContext,
  ValidationResult,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import { createRules } from "./create-rules.ts";
import { existingClaimRules } from "./existing-claim-rules.ts";
import { undecodableDenial, violationsDenial } from "./jobset-denial.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { viewJobSet } from "./jobset-view.ts";
import { updateRules } from "./update-rules.ts";
import { viewUpdate } from "./update-view.ts";
import { Violations } from "./violations.ts";

/**
 * Validates the creation or update of a JobSet, as JobSet's validating webhook does. A deletion is always admitted.
 *
 * Objects are validated as they were sent: the API server checks the schema, and the mutating webhook sets defaults.
 * Duplicate policies are not checked, because the API server has already rejected them.
 *
 * @param request - for an update with both complete JobSets, because an absent member is removed. A JobSet that cannot be
 * decoded is denied with code 400
 * @param snapshot - used for PersistentVolumeClaims, if a new JobSet has claim templates or an update adds them
 * @returns the denial with the webhook's message; see `admitJobSet` for the message that the client gets
 * @see JobSet `pkg/webhooks`, `jobSetWebhook.ValidateCreate`, `ValidateUpdate` and `ValidateDelete`
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const object = { metadata: { name: "train" }, spec: { successPolicy: { operator: "All", targetReplicatedJobs: ["w"] } } };
 * const answer = validateJobSet({ operation: "CREATE", object }, createSnapshot([]), createContext({ now: 0 }));
 * !answer.allowed && answer.denial.status.code // => 422
 */
export function validateJobSet(
  { operation, object, oldObject }: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: WebhookOptions = {},
): ValidationResult<JobSetRuleId> {
  // The rules may assume that the objects can be decoded.
  const [next, old] = [object as Unvalidated<JobSet>, oldObject as Unvalidated<JobSet>];
  switch (operation) {
    case "CREATE":
      return applyRules([next], operation, context, (found) => {
        const view = viewJobSet(next, context, options);
        createRules(view, existingClaimRules(view, snapshot), found);
      });
    case "UPDATE":
      return applyRules([next, old], operation, context, (found) => {
        updateRules(viewUpdate(old, next, context), snapshot, found);
      });
    case "DELETE":
    case "CONNECT":
      return { allowed: true };
  }
}

/**
 * @param objects - what has to decode, first the one that the request is about
 * @param rules - the rules for objects that decode
 */
function applyRules(
  objects: readonly [Unvalidated<JobSet>, ...Unvalidated<JobSet>[]],
  operation: "CREATE" | "UPDATE",
  { quirks }: AdmissionContext,
  rules: (found: Violations) => void,
): ValidationResult<JobSetRuleId> {
  for (const object of objects) {
    const { errors, omitted } = jobSetDecodeErrors(object);
    const [first, ...others] = errors;
    if (first === undefined) continue;
    const rejected = { errors: [first, ...others], omitted } as const;
    return { allowed: false, denial: undecodableDenial(object, rejected) };
  }
  const found = new Violations(objects[0]);
  rules(found);
  const [first, ...others] = found.findings;
  if (first === undefined) return { allowed: true };
  return {
    allowed: false,
    denial: violationsDenial(objects[0], [first, ...others], operation, quirks),
  };
}
