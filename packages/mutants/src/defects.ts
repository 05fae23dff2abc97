import type { Defect } from "./defect.ts";
import { knownPassDefects } from "./known-pass-defects.ts";
import { knownWebhookDefects } from "./known-webhook-defects.ts";
import { ownChildJobDefects } from "./own-child-job-defects.ts";
import { ownDesiredDefects } from "./own-desired-defects.ts";
import { ownPolicyDefects } from "./own-policy-defects.ts";
import { ownStatusDefects } from "./own-status-defects.ts";
import { ownWebhookDefects } from "./own-webhook-defects.ts";

/** The list: what was reported, and what we thought of ourselves. */
export const defects: readonly Defect[] = [
  ...knownPassDefects,
  ...ownChildJobDefects,
  ...ownPolicyDefects,
  ...ownDesiredDefects,
  ...ownStatusDefects,
  ...knownWebhookDefects,
  ...ownWebhookDefects,
];
