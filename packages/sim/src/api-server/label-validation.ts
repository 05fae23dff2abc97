import { type FieldError, invalid } from "@jobset-ts/api/errors";
import { asRecord, validateLabelValue, validateQualifiedName } from "@jobset-ts/api/kubernetes";

/**
 * What is wrong with labels, or with a selector of them.
 *
 * @param field - where they stand: texts name no single key
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

/** What is wrong with the keys of annotations; letters of either case will do. */
export function validateAnnotations(
  annotations: object | null | undefined,
  field: string,
): readonly FieldError[] {
  return Object.keys(asRecord(annotations)).flatMap((key) =>
    validateQualifiedName(key.toLowerCase()).map((text) => invalid(field, key, text)),
  );
}
