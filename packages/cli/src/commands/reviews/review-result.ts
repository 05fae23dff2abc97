import { NO_FIELD } from "@jobset-ts/api/errors";
import { formatErrorBody, isAboutOtherErrors } from "../../admission/denial-diagnostics.ts";
import type { Review } from "./review.ts";

/** Returns a review for the JSON and YAML output. */
export function toReviewResult(review: Review) {
  const { object, operation, stage, denied } = review;
  const { denial } = denied ?? {};
  const { roots = [], symptoms = [], unknown = [], transient = false, omitted } = denial ?? {};
  const { code = 200, reason = "", message = "" } = denial?.status ?? {};
  const toResults = (findings: readonly Finding[]) =>
    findings.map((finding) => toFindingResult(finding, review));
  return {
    object,
    operation,
    stage,
    allowed: denied === undefined,
    code,
    reason,
    message,
    roots: toResults([...roots.filter((root) => !isAbout(root)), ...roots.filter(isAbout)]),
    symptoms: toResults(symptoms),
    unknown: toResults(unknown),
    transient,
    ...(omitted !== undefined && { omitted }),
  };
}

type Finding = NonNullable<Review["denied"]>["denial"]["roots"][number];

function isAbout({ fieldError }: Finding): boolean {
  return fieldError !== undefined && isAboutOtherErrors(fieldError);
}

/**
 * Returns a finding, with the position of a denied field. A finding without a field gets the position of the object.
 */
function toFindingResult(
  { id, message, objects, evidence, fieldError }: Finding,
  { diagnose }: Review,
) {
  if (fieldError === undefined) return { id, message, objects, evidence };
  const field = fieldError.field === NO_FIELD ? undefined : fieldError.field;
  const body = formatErrorBody(fieldError);
  const found = {
    id,
    message: field === undefined ? body : `${field}: ${body}`,
    objects,
    evidence,
  };
  const { file, position } = diagnose(field ?? "", message);
  const { line, column } = position ?? {};
  return { ...found, ...(field !== undefined && { field }), file, line, column };
}
