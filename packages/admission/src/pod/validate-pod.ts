import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { evaluateChecks, firstFailure } from "@jobset-ts/checks";
import type { Snapshot } from "@jobset-ts/core";
import { createDenial } from "../denial/denial.ts";
import type {
  AdmissionContext,
  ValidationResult,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import { podCheckSet } from "./pod-checks.ts";
import { podOrder } from "./pod-orders.ts";
import { podRole } from "./pod-role.ts";
import { podStatus } from "./pod-status.ts";
import { podView } from "./pod-view.ts";

/**
 * Validates a Pod as JobSet's validating webhook does: it admits a follower under exclusive placement once its leader
 * is on a node and the follower selects the leader's topology domain. It admits every other Pod, and every existing
 * Pod.
 *
 * A denial reports the first failed check, causes before effects, with upstream's message. It also lists which checks
 * are root causes and which are symptoms. With the quirk `FollowerSelectorCheckedFirst`, it reports a missing node
 * selector first, although the selector cannot be set while the leader has no node. With
 * `FollowerSelectorValueUnchecked`, a follower that selects another domain is admitted.
 *
 * A kind that was not read is not treated as empty: without Pods or Nodes a follower is denied with that reason.
 *
 * @param request - with the Pod after the mutating webhooks
 * @param snapshot - Pods and Nodes, and Events that explain a denial
 * @see JobSet `pkg/webhooks/pod_validating_webhook.go`
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const annotations = {
 * "jobset.sigs.k8s.io/jobset-name": "train",
 * "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
 * "batch.kubernetes.io/job-completion-index": "1",
 * };
 * const request = { operation: "CREATE", object: { metadata: { annotations } } } as const;
 * const answer = validatePod(request, createSnapshot([]), createContext({ now: 0 }));
 * !answer.allowed && answer.denial.roots.map(({ id }) => id) // => ["follower-labelled"]
 */
export function validatePod(
  { operation, object }: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: WebhookOptions = {},
): ValidationResult<PodCheckId> {
  if (operation !== "CREATE") return { allowed: true };
  const pod = object as Unvalidated<Pod>;
  const role = podRole(pod);
  if (role.kind !== "Follower") return { allowed: true };
  const view = podView({ pod, topologyKey: role.topologyKey }, snapshot, context, options);
  const evaluation = evaluateChecks(podCheckSet, view);
  if (evaluation.findings.length === 0) return { allowed: true };
  const reported = firstFailure(evaluation, podOrder(context.quirks));
  if (reported === undefined) return { allowed: true };
  const denial = createDenial(evaluation, {
    reported,
    createStatus: (finding) => podStatus(finding, view),
  });
  return denial === undefined ? { allowed: true } : { allowed: false, denial };
}
