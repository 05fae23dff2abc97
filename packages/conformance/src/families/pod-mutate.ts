import { mutatePod } from "@jobset-ts/admission";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedPodRequest, toRecordedDenial } from "./recorded-pod-request.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

/**
 * Replays the response of the mutating Pod webhook.
 *
 * The output contains `response` and, if the request is admitted, `pod`: the object after the patch.
 */
export const podMutate: Family = { family: "pod.mutate", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const { request, snapshot, contextUnder } = readRecordedPodRequest(recorded);
  return replayWithQuirks(quirks, (under) => {
    const mutated = mutatePod(request, snapshot, contextUnder(under));
    if (!mutated.allowed) return { response: toRecordedDenial(mutated.denial) };
    const patchType = mutated.changed ? { patchType: "JSONPatch" } : {};
    return { response: { allowed: true, code: 200, ...patchType }, pod: mutated.object };
  });
}
