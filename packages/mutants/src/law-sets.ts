// The laws by kind of subject, and our own subjects, which follow them.
import { review } from "@jobset-ts/admission";
import { createContext, NO_QUIRKS, type Quirks, reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import {
  jobSetAdmissionLaws,
  type Laws,
  podAdmissionLaws,
  type Webhooks,
  webhooksFromReview,
} from "@jobset-ts/testing/admission";
import { createPlacementController, placementLaws } from "@jobset-ts/testing/placement";
import {
  type ControllerSubject,
  createPlanController,
  reconcileLaws,
} from "@jobset-ts/testing/reconcile";

/** How often a property runs by default. */
export const RUNS = 100;

export interface LawSet<Subject> {
  readonly laws: Laws<Subject>;
  /** Creates our own subject. With a quirk, it may violate laws. */
  readonly createOwn: (quirks?: Quirks) => Subject;
}

/** Passes over a JobSet. */
export const passes: LawSet<ControllerSubject> = {
  laws: reconcileLaws,
  createOwn: (quirks = NO_QUIRKS) =>
    createPlanController((snapshot, jobSet, context) =>
      reconcile(snapshot, jobSet, { ...context, quirks }),
    ),
};

/** Repairs of exclusive placement. */
export const repairs: LawSet<ControllerSubject> = {
  laws: placementLaws,
  createOwn: (quirks = NO_QUIRKS) =>
    createPlacementController((snapshot, leader, context) =>
      reconcilePlacement(snapshot, leader, { ...context, quirks }),
    ),
};

/** The two webhooks of a kind. */
export interface WebhookLawSet extends LawSet<Webhooks> {
  readonly kind: "Pod" | "JobSet";
}

const createWebhookLawSet = (
  kind: WebhookLawSet["kind"],
  laws: Laws<Webhooks>,
  gates: readonly string[] = [],
): WebhookLawSet => ({ kind, laws, createOwn: (quirks) => createOwnWebhooks(gates, quirks) });

const gates = ["ElasticJobSet", "InPlaceRestart", "RestartJob"];
export const pods = createWebhookLawSet("Pod", podAdmissionLaws);
export const jobSets = createWebhookLawSet("JobSet", jobSetAdmissionLaws);
export const jobSetsUnderGates = createWebhookLawSet("JobSet", jobSetAdmissionLaws, gates);
export const webhookLawSets = [pods, jobSets, jobSetsUnderGates];

/** Creates our webhooks with feature gates and quirks. */
export function createOwnWebhooks(gates: readonly string[], quirks: Quirks = NO_QUIRKS): Webhooks {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return webhooksFromReview(review, createContext({ now: 0, features, quirks }));
}
