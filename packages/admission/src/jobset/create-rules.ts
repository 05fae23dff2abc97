import { coordinatorRules } from "./coordinator-rules.ts";
import { firstJobRules } from "./dependency-rules.ts";
import { topologyKeyRules } from "./exclusive-placement-rules.ts";
import { failurePolicyRules } from "./failure-policy-rules.ts";
import { inPlaceRestartGateRules } from "./in-place-restart-rules.ts";
import type { JobSetView } from "./jobset-view.ts";
import { managedByRules } from "./managed-by-rules.ts";
import { networkRules, serviceNameRules } from "./network-rules.ts";
import { replicatedJobRules } from "./replicated-job-rules.ts";
import { successPolicyRules } from "./success-policy-rules.ts";
import type { Violations } from "./violations.ts";
import { type ExistingClaimRules, volumeClaimRules } from "./volume-claim-rules.ts";

/**
 * Applies all creation rules to a JobSet, in upstream's order.
 *
 * @param existingClaimRules - the rules for existing claims; none if absent
 */
export function createRules(
  view: JobSetView,
  existingClaimRules: ExistingClaimRules | undefined,
  found: Violations,
): void {
  inPlaceRestartGateRules(view, found);
  firstJobRules(view, found);
  networkRules(view, found);
  serviceNameRules(view, found);
  managedByRules(view, found);
  replicatedJobRules(view, found);
  topologyKeyRules(view, found);
  successPolicyRules(view, found);
  failurePolicyRules(view, found);
  coordinatorRules(view, found);
  volumeClaimRules(view, existingClaimRules, found);
}
