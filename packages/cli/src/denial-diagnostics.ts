import type { Denial } from "@jobset-ts/admission";
import { NO_FIELD } from "@jobset-ts/api/errors";
import { moreMark } from "@jobset-ts/api/text";
import type { Diagnostic } from "./diagnostics.ts";
import type { InputObject } from "./input/objects.ts";

/**
 * The refused fields of a denial, where they stand in the file; a denial of no field is told by its message. What
 * belongs to no field is about the errors of those that do, and comes after them; what was left out is counted last.
 */
export function denialDiagnostics(
  { roots, symptoms, status, omitted = 0 }: Denial,
  diagnose: InputObject["diagnose"],
): readonly Diagnostic[] {
  const errors = [...roots, ...symptoms].flatMap(({ fieldError }) => fieldError ?? []);
  if (errors.length === 0) return [diagnose("", status.message)];
  const ofFields = errors.filter(({ field }) => field !== NO_FIELD);
  const ofNone = errors.filter(({ field }) => field === NO_FIELD);
  return [
    ...ofFields.map(({ field, body }) => diagnose(field, body)),
    ...ofNone.map(({ body }) => diagnose("", body)),
    ...(omitted > 0 ? [{ ...diagnose("", moreMark(omitted)), count: omitted }] : []),
  ];
}
