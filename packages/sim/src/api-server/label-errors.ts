import { type FieldError, invalid } from "@jobset-ts/api/errors";
import { labelValueMessages, membersOf, qualifiedNameMessages } from "@jobset-ts/api/kubernetes";

/**
 * What is wrong with labels, or with a selector of them.
 *
 * @param field - where they stand: texts name no single key
 */
export function labelErrors(
  labels: object | null | undefined,
  field: string,
): readonly FieldError[] {
  return Object.entries(membersOf(labels)).flatMap(([key, value]) => [
    ...qualifiedNameMessages(key).map((text) => invalid(field, key, text)),
    ...labelValueMessages(value as string).map((text) => invalid(field, value, text)),
  ]);
}

/** What is wrong with the keys of annotations; letters of either case will do. */
export function annotationErrors(
  annotations: object | null | undefined,
  field: string,
): readonly FieldError[] {
  return Object.keys(membersOf(annotations)).flatMap((key) =>
    qualifiedNameMessages(key.toLowerCase()).map((text) => invalid(field, key, text)),
  );
}
