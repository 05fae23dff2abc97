export { jobSetAdmissionLaws } from "./laws/jobset-admission-laws.ts";
export type { Law, Laws } from "./laws/law.ts";
export { podAdmissionLaws } from "./laws/pod-admission-laws.ts";
export { denialsNameRootCauses } from "./laws/root-causes.ts";
export {
  type AdmissionReviewInput,
  type WebhookSubject,
  type Webhooks,
  webhookAtUrl,
  webhookFromHandler,
  webhooksFromFunctions,
  webhooksFromReview,
} from "./laws/webhook.ts";
