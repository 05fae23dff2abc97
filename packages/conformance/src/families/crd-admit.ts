import {
  type AdmitBySchemaOptions,
  admitBySchema,
  formatSchemaError,
  type SchemaError,
} from "@jobset-ts/crd";
import { type Difference, differences } from "../compare.ts";
import { textComparisonFor } from "../decoder-words.ts";
import type { RecordedCase } from "../read-cases.ts";
import type { Family, Replayed } from "./family.ts";
import { recordedInput } from "./recorded-input.ts";

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

function replay(recorded: unknown): Replayed {
  const { object, old, subresource } = recordedInput<Input>(recorded, ["object"]);
  const admission = admitBySchema(object, { old, subresource });
  const { errors, warnings } = admission;
  return {
    output: {
      object: admission.object,
      errors: errors.map(recordedError),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

function recordedError(error: SchemaError) {
  return { type: error.type, field: error.field, detail: formatSchemaError(error) };
}

/** The comparison is exact. No Go types are involved, so an empty object or null in the result is intentional. */
function compare(
  expected: unknown,
  actual: unknown,
  { tags }: RecordedCase,
): readonly Difference[] {
  return differences(expected, actual, { sameText: textComparisonFor(tags) });
}
