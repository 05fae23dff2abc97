import { validatePod } from "@jobset-ts/admission";
import type { Family, ReplayContext, Replayed } from "./family.ts";
import { recordedDenial, recordedPodRequest } from "./recorded-pod-request.ts";
import { replayedUnder } from "./replayed-under.ts";

/** The validating webhook's answer to a Pod. */
export const podValidate: Family = { family: "pod.validate", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): Replayed {
  const { pod, operation, snapshot, contextUnder } = recordedPodRequest(recorded);
  return replayedUnder(quirks, (under) => {
    const validated = validatePod(pod, snapshot, contextUnder(under), { operation });
    return {
      response: validated.allowed ? { allowed: true, code: 200 } : recordedDenial(validated.denial),
    };
  });
}
