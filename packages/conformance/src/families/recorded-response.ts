import type { ValidationResult } from "@jobset-ts/admission";

/** An answer in the form in which responses are recorded: of a refusal's details the reason and field of each cause. */
export function recordedResponse(answer: ValidationResult): unknown {
  if (answer.allowed) return { response: { allowed: true, code: 200 } };
  const { code, reason, message, details } = answer.denial.status;
  const causes = details?.causes?.map((cause) => ({ reason: cause.reason, field: cause.field }));
  return { response: { allowed: false, code, reason, message, causes } };
}
