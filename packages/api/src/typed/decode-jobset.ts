import { type FieldError, invalid } from "../field-error.ts";
import { JOBSET_API_VERSION, JOBSET_KIND } from "../jobset.ts";
import { isObject } from "../members.ts";
import { type ToldErrors, toldErrors } from "../told-errors.ts";
import { decodeErrors } from "./decode.ts";
import { memberOf } from "./json-object.ts";

/**
 * Why a webhook cannot read the object of a request as a JobSet, which it answers with 400; nothing is told when it can.
 *
 * @param object - any JSON value
 * @example jobSetDecodeErrors({ kind: "Job" }).told.map(({ field }) => field) // => ["kind"]
 */
export function jobSetDecodeErrors(object: unknown): ToldErrors<FieldError> {
  const errors = toldErrors(identityErrors(object));
  errors.addAll(decodeErrors(object ?? [], "JobSet"));
  return errors;
}

/** An object without a kind or version is taken for what is expected; one with another is not decoded. */
function identityErrors(object: unknown): readonly FieldError[] {
  if (!isObject(object)) return [];
  const expected = { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND };
  return Object.entries(expected).flatMap(([member, value]) => {
    const given = memberOf(object, member) ?? "";
    const isOther = typeof given === "string" && given !== "" && given !== value;
    return isOther ? [invalid(member, given, `must be ${value}`)] : [];
  });
}
