import type { Observed } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { AdmissionDecision, Denial } from "../verdict.ts";
import { mutatePod } from "./mutate-pod.ts";
import type { PodAdmissionOptions } from "./pod-admission-options.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import { validatePod } from "./validate-pod.ts";

/** What becomes of a request to create a Pod. */
export type AdmittedPod =
  | {
      readonly allowed: true;
      /** The Pod as the webhooks let it in. */
      readonly pod: Observed<Pod>;
      readonly decisions: readonly AdmissionDecision[];
    }
  | {
      readonly allowed: false;
      /** Which of the two webhooks refuses. */
      readonly stage: "mutate" | "validate";
      readonly denial: Denial<PodCheckId>;
      readonly decisions: readonly AdmissionDecision[];
    };

/**
 * The way of a new Pod through both of JobSet's webhooks: the one that changes it, then the one that checks it.
 *
 * @param snapshot - what both see
 * @param options.validateSnapshot - what the second one sees, where the cluster has changed in between
 */
export function admitPod(
  pod: Observed<Pod>,
  snapshot: Snapshot,
  context: Context,
  options: PodAdmissionOptions & { readonly validateSnapshot?: Snapshot } = {},
): AdmittedPod {
  const { validateSnapshot = snapshot, ...others } = options;
  const mutated = mutatePod(pod, snapshot, context, others);
  if (!mutated.allowed) {
    return { allowed: false, stage: "mutate", denial: mutated.denial, decisions: [] };
  }
  const { object, decisions } = mutated;
  const validated = validatePod(object, validateSnapshot, context, others);
  return validated.allowed
    ? { allowed: true, pod: object, decisions }
    : { allowed: false, stage: "validate", denial: validated.denial, decisions };
}
