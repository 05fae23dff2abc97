export type { Evidence, Finding } from "@jobset-ts/checks";
export type { Denial } from "./denial/denial.ts";
export { type Explanation, explainDenial, renderExplanation } from "./denial/explain-denial.ts";
export {
  type AdmissionWarning,
  admitJobSet,
  type JobSetAdmissionResult,
} from "./jobset/admit-jobset.ts";
export type { JobSetRuleId } from "./jobset/jobset-rule.ts";
export { mutateJobSet } from "./jobset/mutate-jobset.ts";
export { validateJobSet } from "./jobset/validate-jobset.ts";
export { admitPod } from "./pod/admit-pod.ts";
export { mutatePod } from "./pod/mutate-pod.ts";
export { validatePod } from "./pod/validate-pod.ts";
export type { AdmissionRequest, AdmissionReviewRequest } from "./review/admission-request.ts";
export type { AdmissionReview } from "./review/admission-response.ts";
export type { ReviewOptions } from "./review/decide.ts";
export {
  createReadRequest,
  matchesRequiredObject,
  type RequiredObject,
} from "./review/required-object.ts";
export { requiredObjects } from "./review/required-objects.ts";
export { type ReviewResult, review, reviewJson } from "./review/review.ts";
export type {
  AdmissionContext,
  ClusterContext,
  MutationResult,
  ValidationResult,
  WebhookRequest,
} from "./webhook-shape.ts";
