import {
  type AdmitBySchemaOptions,
  admitBySchema,
  formatSchemaError,
  type SchemaError,
} from "@jobset-ts/crd";
import { type Difference, findDifferences } from "../compare.ts";
import { textComparisonFor } from "../decoder-messages.ts";
import type { RecordedCase } from "../read-cases.ts";
import type { Family, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";

interface Input extends Pick<AdmitBySchemaOptions, "old" | "subresource"> {
  readonly object: unknown;
}

/**
 * Replays the processing of a JobSet by its CustomResourceDefinition alone.
 *
 * The output contains `object` as decoded, pruned and defaulted, unless decoding failed. It also contains `errors`,
 * sorted by field and text, and `warnings`, if there are any.
 */
export const crdAdmit: Family = { family: "crd.admit", replay, compare };

function replay(recorded: unknown): ReplayResult {
  const { object, old, subresource } = readRecordedInput<Input>(recorded, ["object"]);
  const admission = admitBySchema(object, { old, subresource });
  const { errors, warnings } = admission;
  return {
    output: {
      object: admission.object,
      errors: errors.map(toRecordedError),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

function toRecordedError(error: SchemaError) {
  return { type: error.type, field: error.field, detail: formatSchemaError(error) };
}

/** The comparison is exact. No Go types are involved, so an empty object or null in the result is intentional. */
function compare(
  expected: unknown,
  actual: unknown,
  { tags }: RecordedCase,
): readonly Difference[] {
  return findDifferences(expected, actual, { sameText: textComparisonFor(tags) });
}
