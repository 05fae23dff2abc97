import { NO_FIELD } from "@jobset-ts/api/errors";
import { formatErrorBody, isAboutOtherErrors } from "../../admission/denial-diagnostics.ts";
import type { Review } from "./review.ts";

/** What programs get of a review, in JSON and YAML. */
export function toReviewResult(review: Review) {
  const { object, operation, stage, denied } = review;
  const { denial } = denied ?? {};
  const { roots = [], symptoms = [], unknown = [], transient = false, omitted } = denial ?? {};
  const { code = 200, reason = "", message = "" } = denial?.status ?? {};
  const told = (findings: readonly Finding[]) =>
    findings.map((finding) => toFindingResult(finding, review));
  return {
    object,
    operation,
    stage,
    allowed: denied === undefined,
    code,
    reason,
    message,
    roots: told([...roots.filter((root) => !isAbout(root)), ...roots.filter(isAbout)]),
    symptoms: told(symptoms),
    unknown: told(unknown),
    transient,
    ...(omitted !== undefined && { omitted }),
  };
}

type Finding = NonNullable<Review["denied"]>["denial"]["roots"][number];

function isAbout({ fieldError }: Finding): boolean {
  return fieldError !== undefined && isAboutOtherErrors(fieldError);
}

/** A finding, and for a refused field where it stands; what is refused of no field is refused of the whole object. */
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
