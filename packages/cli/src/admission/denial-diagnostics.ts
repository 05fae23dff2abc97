import type { Denial } from "@jobset-ts/admission";
import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { omittedSuffix, suggestName } from "@jobset-ts/api/text";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

/**
 * Returns one diagnostic for each denied field, with its position in the file. If the denial names no field, returns
 * one for the whole denial. An error without a field summarizes the errors of fields, so it follows them. The number
 * of omitted errors comes last. A note says that the server skipped some rules because of these errors.
 */
export function toDiagnostics(
  { roots, symptoms, status, omitted = 0 }: Denial,
  diagnose: InputObject["diagnose"],
): readonly Diagnostic[] {
  const errors = [...roots, ...symptoms].flatMap(({ fieldError }) => fieldError ?? []);
  if (errors.length === 0) return [diagnose("", status.message)];
  const ofFields = errors.filter(({ field }) => field !== NO_FIELD);
  const ofNone = errors.filter(({ field }) => field === NO_FIELD);
  return [
    ...ofFields.map((error) => diagnose(error.field, formatErrorBody(error))),
    ...ofNone.map((error) => {
      const isNote = isAboutOtherErrors(error) && ofFields.length > 0;
      return diagnose("", formatErrorBody(error), isNote ? "note" : "error");
    }),
    ...(omitted > 0 ? [{ ...diagnose("", omittedSuffix(omitted)), count: omitted }] : []),
  ];
}

/** Formats the error of a field. For an unsupported value, also suggests the closest supported one. */
export function formatErrorBody(error: FieldError): string {
  const { type, badValue, body } = error;
  if (isAboutOtherErrors(error)) return body.slice(NO_VALUE.length);
  if (type !== "FieldValueNotSupported" || typeof badValue !== "string") return body;
  const [, list = ""] = /: supported values: (.*)$/s.exec(body) ?? [];
  const supported = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = ""]) => value);
  // A single supported value needs no suggestion.
  return supported.length > 1 ? `${body}${suggestName(badValue, supported)}` : body;
}

/** The prefix of an error about other errors, which has no value to show. */
const NO_VALUE = "Invalid value: null: ";

/** Returns whether an error without a field lists the rules that were skipped because of other errors. */
export function isAboutOtherErrors({ field, body }: FieldError): boolean {
  return field === NO_FIELD && body.startsWith(NO_VALUE);
}
