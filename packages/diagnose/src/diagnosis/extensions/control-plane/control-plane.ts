import type { DiagnosisExtension } from "../../checks/extension.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import { componentFaults, controllerChecks } from "./controller-checks.ts";
import { namespaceChecks } from "./namespace-checks.ts";
import { quotaChecks } from "./quota-checks.ts";
import { adviseOnRejection } from "./rejection-advice.ts";

/**
 * The checks of the programs that JobSets need: the JobSet controller and its webhooks, Kueue, the scheduler and the
 * Job controller. Also checks the ResourceQuotas, for which the API server rejects Pods, and the deletion of the namespace.
 *
 * @example controlPlaneChecks.kinds.includes("Deployment") // => true
 */
export const controlPlaneChecks: DiagnosisExtension = {
  kinds: [
    "Deployment",
    "EndpointSlice",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
    "Namespace",
    "ResourceQuota",
  ],
  jobSet: [...controllerChecks, ...namespaceChecks],
  job: quotaChecks,
  effects: listEffects({
    "controller-not-running": [
      "webhook-unavailable",
      "not-reconciled",
      "not-completed",
      "service-missing",
      "job-absent",
      "job-suspended",
      "restart-cleanup",
    ],
    "kueue-not-running": [
      "workload-missing",
      "admission-check-not-ready",
      "workload-evicted",
      "quota-not-reserved",
      "workload-not-started",
      "queued",
      "kueue-gated",
    ],
    "scheduler-not-running": ["scheduler-not-tried"],
    "job-controller-not-running": ["pods-not-created", "pod-finalizer"],
    "quota-exhausted": ["pods-not-created", "leader-absent"],
    "namespace-deleting": [
      "deleting",
      "service-rejected",
      "service-missing",
      "volume-claim-rejected",
      "job-rejected",
      "job-absent",
      "leader-rejected",
      "pods-rejected",
      "pods-not-created",
    ],
  }),
  onlyAsCause: [...componentFaults, "quota-exhausted", "namespace-deleting"],
  advise: (view, { id, message }, advice) => adviseOnRejection(view, id, message) ?? advice,
};

/** Returns the causes of each finding, from the effects of each cause. */
function listEffects(
  effects: Partial<Record<FindingId, readonly FindingId[]>>,
): Partial<Record<FindingId, readonly FindingId[]>> {
  const causes: Partial<Record<FindingId, readonly FindingId[]>> = {};
  for (const [cause, ids] of Object.entries(effects))
    for (const id of ids) causes[id] = [...(causes[id] ?? []), cause as FindingId];
  return causes;
}
