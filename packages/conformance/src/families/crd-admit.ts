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
 * Replays what an API server does with a JobSet by its CustomResourceDefinition alone.
 *
 * The output is `object` as decoded, pruned and defaulted, unless it could not be decoded; `errors`, sorted by field
 * and then by text; and `warnings`, if there are any.
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

/** To the letter: no types of Go's come between, so an empty object or a null in the answer was meant. */
function compare(
  expected: unknown,
  actual: unknown,
  { tags }: RecordedCase,
): readonly Difference[] {
  return differences(expected, actual, { sameText: textComparisonFor(tags) });
}
