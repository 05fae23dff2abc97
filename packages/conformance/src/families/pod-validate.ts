import { validatePod } from "@jobset-ts/admission";
import type { Family, ReplayContext, Replayed } from "./family.ts";
import { recordedDenial, recordedPodRequest } from "./recorded-pod-request.ts";
import { replayedUnder } from "./replayed-under.ts";

/** Replays the response of the validating Pod webhook. */
export const podValidate: Family = { family: "pod.validate", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): Replayed {
  const { request, snapshot, contextUnder } = recordedPodRequest(recorded);
  return replayedUnder(quirks, (under) => {
    const validated = validatePod(request, snapshot, contextUnder(under));
    return {
      response: validated.allowed ? { allowed: true, code: 200 } : recordedDenial(validated.denial),
    };
  });
}
