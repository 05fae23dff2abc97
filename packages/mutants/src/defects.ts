import type { Defect } from "./defect.ts";
import { halfWayDefects } from "./half-way-defects.ts";
import { knownPassDefects } from "./known-pass-defects.ts";
import { knownWebhookDefects } from "./known-webhook-defects.ts";
import { nameDefects } from "./name-defects.ts";
import { ownChildJobDefects } from "./own-child-job-defects.ts";
import { ownDesiredDefects } from "./own-desired-defects.ts";
import { ownPolicyDefects } from "./own-policy-defects.ts";
import { ownStatusDefects } from "./own-status-defects.ts";
import { ownWebhookDefects } from "./own-webhook-defects.ts";
import { placementDefects } from "./placement-defects.ts";
import { readingDefects } from "./reading-defects.ts";
import { strictnessDefects } from "./strictness-defects.ts";

/** The list: what was reported, and what we thought of ourselves. */
export const defects: readonly Defect[] = [
  ...knownPassDefects,
  ...ownChildJobDefects,
  ...ownPolicyDefects,
  ...ownDesiredDefects,
  ...ownStatusDefects,
  ...readingDefects,
  ...halfWayDefects,
  ...placementDefects,
  ...knownWebhookDefects,
  ...ownWebhookDefects,
  ...nameDefects,
  ...strictnessDefects,
];
