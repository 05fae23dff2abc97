/** The stage of the webhook to run. Each kind has two webhooks, and an AdmissionReview does not contain the stage. */
export type Stage = "mutate" | "validate";

/** The kinds with JobSet webhooks. */
export const reviewedKinds = ["JobSet", "Pod"] as const;

/** A kind with JobSet webhooks. */
export type ReviewedKind = (typeof reviewedKinds)[number];

/** One of JobSet's webhooks. */
export interface Webhook {
  readonly kind: ReviewedKind;
  readonly stage: Stage;
}

/** JobSet's webhooks by the path under which its installations register them. */
export const WEBHOOK_PATHS: ReadonlyMap<string, Webhook> = new Map<string, Webhook>([
  ["/mutate--v1-pod", { kind: "Pod", stage: "mutate" }],
  ["/validate--v1-pod", { kind: "Pod", stage: "validate" }],
  ["/mutate-jobset-x-k8s-io-v1alpha2-jobset", { kind: "JobSet", stage: "mutate" }],
  ["/validate-jobset-x-k8s-io-v1alpha2-jobset", { kind: "JobSet", stage: "validate" }],
]);
