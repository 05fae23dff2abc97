import { type FieldError, invalid } from "@jobset-ts/api/errors";
import { asRecord, validateLabelValue, validateQualifiedName } from "@jobset-ts/api/kubernetes";

/**
 * Validates labels or the labels of a selector.
 *
 * @param field - the path of the labels; messages do not name the key
 */
export function validateLabels(
  labels: object | null | undefined,
  field: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(asRecord(labels))) {
    for (const text of validateQualifiedName(key)) errors.push(invalid(field, key, text));
    for (const text of validateLabelValue(value)) errors.push(invalid(field, value, text));
  }
  return errors;
}
