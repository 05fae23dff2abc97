import type { ValidationResult } from "@jobset-ts/admission";

/** Returns a result in the recorded form of responses. Each cause of a denial has only its reason and field. */
export function toRecordedResponse(result: ValidationResult): unknown {
  if (result.allowed) return { response: { allowed: true, code: 200 } };
  const { code, reason, message, details } = result.denial.status;
  const causes = details?.causes?.map((cause) => ({ reason: cause.reason, field: cause.field }));
  return { response: { allowed: false, code, reason, message, causes } };
}
