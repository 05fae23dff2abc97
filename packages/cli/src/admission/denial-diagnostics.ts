import type { Denial } from "@jobset-ts/admission";
import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { omittedSuffix, suggestName } from "@jobset-ts/api/text";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

/**
 * The refused fields of a denial, where they stand in the file; a denial of no field is told by its message. What
 * belongs to no field is about the errors of those that do, and comes after them; what was left out is counted last.
 * That the server did not check some rules because of these errors is a note.
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
    ...ofFields.map((error) => diagnose(error.field, createBody(error))),
    ...ofNone.map((error) => {
      const isNote = isAboutOthers(error) && ofFields.length > 0;
      return diagnose("", createBody(error), isNote ? "note" : "error");
    }),
    ...(omitted > 0 ? [{ ...diagnose("", omittedSuffix(omitted)), count: omitted }] : []),
  ];
}

/** What is wrong with a field, for a person: of a value outside a list also which one may be meant. */
export function createBody(error: FieldError): string {
  const { type, badValue, body } = error;
  if (isAboutOthers(error)) return body.slice(NO_VALUE.length);
  if (type !== "FieldValueNotSupported" || typeof badValue !== "string") return body;
  const [, list = ""] = /: supported values: (.*)$/s.exec(body) ?? [];
  const supported = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = ""]) => value);
  // The only supported value is the suggestion.
  return supported.length > 1 ? `${body}${suggestName(badValue, supported)}` : body;
}

/** How an error about the errors of fields begins, since there is no value that it could show. */
const NO_VALUE = "Invalid value: null: ";

/** Whether an error of no field says which rules were not checked because of the others. */
export function isAboutOthers({ field, body }: FieldError): boolean {
  return field === NO_FIELD && body.startsWith(NO_VALUE);
}
