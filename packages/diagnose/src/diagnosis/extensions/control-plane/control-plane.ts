import type { DiagnosisExtension } from "../../checks/extension.ts";
import { findingIds } from "../../checks/finding-ids.ts";
import { controllerChecks } from "./controller-checks.ts";
import { adviseOnRejection } from "./rejection-advice.ts";

/**
 * The checks of what runs JobSets: the JobSet controller and its webhooks.
 *
 * @example controlPlaneChecks.kinds.includes("Deployment") // => true
 */
export const controlPlaneChecks: DiagnosisExtension = {
  order: findingIds,
  kinds: [
    "Deployment",
    "EndpointSlice",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
    "Namespace",
  ],
  jobSet: controllerChecks,
  effects: Object.fromEntries(
    [
      "webhook-unavailable",
      "not-reconciled",
      "service-missing",
      "job-absent",
      "job-suspended",
      "restart-cleanup",
    ].map((id) => [id, ["controller-not-running"] as const]),
  ),
  onlyAsCause: ["controller-not-running"],
  advise: (view, { id, message }, advice) => adviseOnRejection(view, id, message) ?? advice,
};
