import { validatePod } from "@jobset-ts/admission";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedPodRequest, toRecordedDenial } from "./recorded-pod-request.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

/** Replays the response of the validating Pod webhook. */
export const podValidate: Family = { family: "pod.validate", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const { request, snapshot, contextUnder } = readRecordedPodRequest(recorded);
  return replayWithQuirks(quirks, (under) => {
    const validated = validatePod(request, snapshot, contextUnder(under));
    return {
      response: validated.allowed
        ? { allowed: true, code: 200 }
        : toRecordedDenial(validated.denial),
    };
  });
}
