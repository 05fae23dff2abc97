import { mutateJobSet, type WebhookRequest } from "@jobset-ts/admission";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { withoutAddedZeros } from "../added-zeros.ts";
import { type Difference, findDifferences } from "../compare.ts";
import { textComparisonFor } from "../decoder-messages.ts";
import { isPlainObject } from "../normalise.ts";
import type { RecordedCase } from "../read-cases.ts";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

interface Input {
  /** The object as it was sent. No feature gate affects defaulting. */
  readonly jobset: unknown;
}

/**
 * Replays the response of the mutating JobSet webhook to a creation.
 *
 * The output contains `response` and, if the request is admitted, `jobset`: the object after the patch.
 */
export const jobsetDefault: Family = { family: "jobset.default", replay, compare };

function replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
  const { jobset } = readRecordedInput<Input>(recorded, ["jobset"]);
  const request: WebhookRequest = { operation: "CREATE", object: jobset };
  return replayWithQuirks(quirks, (under) => {
    // The webhook uses neither the cluster nor the clock.
    const mutated = mutateJobSet(
      request,
      createSnapshot([]),
      createContext({ now: 0, quirks: under }),
    );
    if (!mutated.allowed) {
      const { code, message } = mutated.denial.status;
      return { response: { allowed: false, code, message } };
    }
    const patchType = mutated.changed ? { patchType: "JSONPatch" } : {};
    return { response: { allowed: true, code: 200, ...patchType }, jobset: mutated.object };
  });
}

/** The recordings omit the zeros that only Go's encoder adds to the sent object. */
function compare(
  expected: unknown,
  actual: unknown,
  { input, tags }: RecordedCase,
): readonly Difference[] {
  const { jobset } = readRecordedInput<Input>(input, ["jobset"]);
  const dropAddedZeros = (result: unknown) =>
    isPlainObject(result) && Object.hasOwn(result, "jobset")
      ? { ...result, jobset: withoutAddedZeros(result.jobset, jobset) }
      : result;
  return findDifferences(dropAddedZeros(expected), dropAddedZeros(actual), {
    sameText: textComparisonFor(tags),
  });
}
