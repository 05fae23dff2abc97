import { coordinatorRules } from "./coordinator-rules.ts";
import { firstJobRules } from "./dependency-rules.ts";
import { topologyKeyRules } from "./exclusive-placement-rules.ts";
import { failurePolicyRules } from "./failure-policy-rules.ts";
import { inPlaceRestartGateRules } from "./in-place-restart-rules.ts";
import type { Violations } from "./jobset-rule.ts";
import type { JobSetView } from "./jobset-view.ts";
import { managedByRules } from "./managed-by-rules.ts";
import { networkRules, serviceNameRules } from "./network-rules.ts";
import { replicatedJobRules } from "./replicated-job-rules.ts";
import { successPolicyRules } from "./success-policy-rules.ts";
import { type ClaimTemplateView, volumeClaimRules } from "./volume-claim-rules.ts";

/**
 * All that is asked of a JobSet by itself, in upstream's order.
 *
 * @param existingClaimRules - what is asked of claims that exist already; nothing when absent
 */
export function* createRules(
  view: JobSetView,
  existingClaimRules: (template: ClaimTemplateView) => Violations = nothing,
): Violations {
  yield* inPlaceRestartGateRules(view);
  yield* firstJobRules(view);
  yield* networkRules(view);
  yield* serviceNameRules(view);
  yield* managedByRules(view);
  yield* replicatedJobRules(view);
  yield* topologyKeyRules(view);
  yield* successPolicyRules(view);
  yield* failurePolicyRules(view);
  yield* coordinatorRules(view);
  yield* volumeClaimRules(view, existingClaimRules);
}

function* nothing(): Violations {}
