export { jobSetAdmissionLaws } from "./laws/jobset-admission-laws.ts";
export { type Law, LawBroken, type Laws } from "./laws/law.ts";
export { podAdmissionLaws } from "./laws/pod-admission-laws.ts";
export { denialsNameRootCauses } from "./laws/root-causes.ts";
export {
  type AdmissionReviewJson,
  type MutatingWebhook,
  type ValidatingWebhook,
  type Webhook,
  type Webhooks,
  webhookAt,
  webhookOfHandler,
  webhooksOf,
  webhooksOfReview,
} from "./laws/webhook.ts";
