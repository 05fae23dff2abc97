import { type FieldError, invalid, NO_FIELD, typeInvalid } from "../field-error.ts";
import { JOBSET_API_VERSION, JOBSET_KIND } from "../jobset.ts";
import { isObject, type JsonObject } from "../members.ts";
import { type TruncatedErrors, truncateErrors } from "../truncated-errors.ts";
import { decodeErrors } from "./decode.ts";
import { getMember } from "./json-object.ts";

/**
 * Returns why a webhook cannot decode the object of a request as a JobSet. The webhook responds with the code 400.
 * Empty if it can decode the object.
 *
 * @param object - any JSON value
 * @example jobSetDecodeErrors({ kind: "Job" }).errors.map(({ field }) => field) // => ["kind"]
 */
export function jobSetDecodeErrors(object: unknown): TruncatedErrors<FieldError> {
  // An absent top-level object is an error, unlike an absent member.
  if (object === null || object === undefined) {
    return truncateErrors([typeInvalid(NO_FIELD, null, "must be an object")]);
  }
  const errors = truncateErrors(identityErrors(object));
  errors.addAll(decodeErrors(object, "JobSet"));
  return errors;
}

/** An absent kind or version is accepted. Any other one is not decoded. */
export function identityErrors(object: unknown): readonly FieldError[] {
  if (!isObject(object)) return [];
  return [
    ...checkExpectedValue("apiVersion", object, JOBSET_API_VERSION),
    ...checkExpectedValue("kind", object, JOBSET_KIND),
  ];
}

function checkExpectedValue(
  name: string,
  object: JsonObject,
  expected: string,
): readonly FieldError[] {
  const actual = getMember(object, name) ?? "";
  const isOther = typeof actual === "string" && actual !== "" && actual !== expected;
  return isOther ? [invalid(name, actual, `must be ${expected}`)] : [];
}
