import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import type { Denial } from "../denial/denial.ts";
import type {
  AdmissionContext,
  AdmissionDecision,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import { mutatePod } from "./mutate-pod.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import { validatePod } from "./validate-pod.ts";

/** The result of admitting a Pod into a cluster. */
export type PodAdmissionResult =
  | {
      readonly allowed: true;
      /** The Pod after both webhooks. */
      readonly pod: Unvalidated<Pod>;
      readonly decisions: readonly AdmissionDecision[];
    }
  | {
      readonly allowed: false;
      /** The webhook that denies the Pod. */
      readonly stage: "mutate" | "validate";
      readonly denial: Denial<PodCheckId>;
      readonly decisions: readonly AdmissionDecision[];
    };

/**
 * Runs a request for a Pod through both of JobSet's webhooks, first the mutating and then the validating one.
 *
 * @param request - with the Pod as a client sends it
 * @param snapshot - the cluster that both webhooks see
 * @param options.validateSnapshot - the cluster that the validating webhook sees, if it has changed in between
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const annotations = {
 *   "jobset.sigs.k8s.io/jobset-name": "train",
 *   "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
 *   "batch.kubernetes.io/job-completion-index": "1",
 * };
 * const request = { operation: "CREATE", object: { metadata: { annotations } } } as const;
 * const admitted = admitPod(request, createSnapshot([]), createContext({ now: 0 }));
 * !admitted.allowed && admitted.stage // => "validate"
 */
export function admitPod(
  request: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: WebhookOptions & { readonly validateSnapshot?: Snapshot } = {},
): PodAdmissionResult {
  const { validateSnapshot = snapshot } = options;
  const mutated = mutatePod(request, snapshot, context, options);
  if (!mutated.allowed) {
    return { allowed: false, stage: "mutate", denial: mutated.denial, decisions: [] };
  }
  const { object, decisions } = mutated;
  const validated = validatePod({ ...request, object }, validateSnapshot, context, options);
  return validated.allowed
    ? { allowed: true, pod: object, decisions }
    : { allowed: false, stage: "validate", denial: validated.denial, decisions };
}
