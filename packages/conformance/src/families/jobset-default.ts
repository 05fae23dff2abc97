import { defaultJobSetRequest } from "@jobset-ts/api";
import { formatFieldError } from "@jobset-ts/api/errors";
import { withoutAddedZeros } from "../added-zeros.ts";
import { type Difference, findDifferences } from "../compare.ts";
import { textComparisonFor } from "../decoder-words.ts";
import { isPlainObject } from "../normalise.ts";
import type { RecordedCase } from "../read-cases.ts";
import type { Family, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";

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

function replay(recorded: unknown): ReplayResult {
  const { jobset } = readRecordedInput<Input>(recorded, ["jobset"]);
  const answer = defaultJobSetRequest(jobset);
  if (!answer.allowed) {
    const message = formatFieldError(answer.errors[0]);
    return { output: { response: { allowed: false, code: answer.code, message } } };
  }
  const patchType = answer.changed ? { patchType: "JSONPatch" } : {};
  return {
    output: { response: { allowed: true, code: 200, ...patchType }, jobset: answer.jobSet },
  };
}

/** The recordings omit the zeros that only Go's encoder adds to the sent object. */
function compare(
  expected: unknown,
  actual: unknown,
  { input, tags }: RecordedCase,
): readonly Difference[] {
  const { jobset } = readRecordedInput<Input>(input, ["jobset"]);
  const kept = (answer: unknown) =>
    isPlainObject(answer) && Object.hasOwn(answer, "jobset")
      ? { ...answer, jobset: withoutAddedZeros(answer.jobset, jobset) }
      : answer;
  return findDifferences(kept(expected), kept(actual), { sameText: textComparisonFor(tags) });
}
