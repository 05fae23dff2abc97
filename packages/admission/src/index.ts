export type { Evidence, Finding } from "@jobset-ts/checks";
export type { ApiStatus } from "./api-status.ts";
export { clientStatus } from "./client-status.ts";
export type { Denial } from "./denial/denial.ts";
export {
  type ExplainedLink,
  type Explanation,
  explainDenial,
  renderExplanation,
} from "./denial/explain-denial.ts";
export { type AdmissionWarning, type AdmittedJobSet, admitJobSet } from "./jobset/admit-jobset.ts";
export type { JobSetRuleId } from "./jobset/jobset-rule.ts";
export { mutateJobSet } from "./jobset/mutate-jobset.ts";
export { validateJobSet } from "./jobset/validate-jobset.ts";
export { type AdmittedPod, admitPod } from "./pod/admit-pod.ts";
export { mutatePod } from "./pod/mutate-pod.ts";
export type { PodCheckId } from "./pod/pod-check-ids.ts";
export { validatePod } from "./pod/validate-pod.ts";
export type { AdmissionRequest, AdmissionReviewRequest } from "./review/admission-request.ts";
export type { AdmissionReview } from "./review/admission-response.ts";
export type { ReviewOptions } from "./review/decide.ts";
export {
  meetsRequirement,
  type Requirement,
  type RequirementRequest,
  requestFor,
} from "./review/requirement.ts";
export { requirements } from "./review/requirements.ts";
export { type Reviewed, type ReviewOutcome, review, reviewText } from "./review/review.ts";
export type {
  AdmissionContext,
  AdmissionDecision,
  Mutated,
  Validated,
  WebhookOptions,
  WebhookRequest,
} from "./webhook-shape.ts";
