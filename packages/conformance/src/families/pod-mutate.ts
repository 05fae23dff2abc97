import { mutatePod } from "@jobset-ts/admission";
import type { Family, ReplayContext, Replayed } from "./family.ts";
import { recordedDenial, recordedPodRequest } from "./recorded-pod-request.ts";
import { replayedUnder } from "./replayed-under.ts";

/**
 * Replays the response of the mutating Pod webhook.
 *
 * The output contains `response` and, if the request is admitted, `pod`: the object after the patch.
 */
export const podMutate: Family = { family: "pod.mutate", replay };

function replay(recorded: unknown, { quirks }: ReplayContext): Replayed {
  const { request, snapshot, contextUnder } = recordedPodRequest(recorded);
  return replayedUnder(quirks, (under) => {
    const mutated = mutatePod(request, snapshot, contextUnder(under));
    if (!mutated.allowed) return { response: recordedDenial(mutated.denial) };
    const patchType = mutated.changed ? { patchType: "JSONPatch" } : {};
    return { response: { allowed: true, code: 200, ...patchType }, pod: mutated.object };
  });
}
