export type { ApiStatus, ApiStatusDetails, StatusCause } from "./api-status.ts";
export type { Denial } from "./checks/denial.ts";
export {
  type ExplainedLink,
  type Explanation,
  explainDenial,
  renderExplanation,
} from "./checks/explain-denial.ts";
export type { Evidence, Finding, FindingWords } from "./checks/finding.ts";
export { clientStatus } from "./client-status.ts";
export {
  type AdmissionStage,
  type AdmissionWarning,
  type AdmittedJobSet,
  admitJobSet,
} from "./jobset/admit-jobset.ts";
export { changedFields, type FieldChange } from "./jobset/changed-fields.ts";
export type { JobAction, JobActionCounts, JobConsequence } from "./jobset/job-consequences.ts";
export type { CreateRuleId, JobSetRuleId, UpdateRuleId } from "./jobset/jobset-rule.ts";
export type { Mutability } from "./jobset/mutable-members.ts";
export { mutateJobSet } from "./jobset/mutate-jobset.ts";
export {
  previewUpdate,
  type UpdateConsequences,
  type UpdatePreview,
} from "./jobset/preview-update.ts";
export { validateJobSet } from "./jobset/validate-jobset.ts";
export { type AdmittedPod, admitPod } from "./pod/admit-pod.ts";
export { mutatePod } from "./pod/mutate-pod.ts";
export type { PodCheckId, PodFaultId, ToldPodCheckId } from "./pod/pod-check-ids.ts";
export { podChecks } from "./pod/pod-checks.ts";
export { PR_1188_POD_ORDER, ROOT_CAUSE_POD_ORDER, UPSTREAM_POD_ORDER } from "./pod/pod-orders.ts";
export { type PodRole, podRole } from "./pod/pod-role.ts";
export { type PodView, podView } from "./pod/pod-view.ts";
export { priorityLabel } from "./pod/priority-label.ts";
export { validatePod } from "./pod/validate-pod.ts";
export type { AdmissionRequest, AdmissionReviewRequest } from "./review/admission-request.ts";
export type { AdmissionResponse, AdmissionReview } from "./review/admission-response.ts";
export { decodeBase64, encodeBase64 } from "./review/base64.ts";
export type { ReviewOptions } from "./review/decide.ts";
export {
  type AnsweredReview,
  type HandlerOptions,
  handler,
  type Reading,
  type Unanswered,
} from "./review/handler.ts";
export { jsonPatch, type PatchOperation } from "./review/json-patch.ts";
export {
  meetsRequirement,
  type Requirement,
  type RequirementRequest,
  requestFor,
} from "./review/requirement.ts";
export { requirements } from "./review/requirements.ts";
export { type Reviewed, type ReviewOutcome, review, reviewText } from "./review/review.ts";
export type { WebRequest, WebResponse, WebSignal, WebStream } from "./review/web.ts";
export { type ReviewedKind, type Stage, WEBHOOK_PATHS, type Webhook } from "./review/webhooks.ts";
export type {
  AdmissionContext,
  AdmissionDecision,
  Mutated,
  Operation,
  Validated,
  WebhookOptions,
  WebhookRequest,
} from "./webhook-shape.ts";
