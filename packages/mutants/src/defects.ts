import type { Defect } from "./defect.ts";
import { knownPassDefects } from "./known-pass-defects.ts";
import { knownWebhookDefects } from "./known-webhook-defects.ts";
import { ownPassDefects } from "./own-pass-defects.ts";
import { ownWebhookDefects } from "./own-webhook-defects.ts";

/** The list: what was reported, and what we thought of ourselves. */
export const defects: readonly Defect[] = [
  ...knownPassDefects,
  ...ownPassDefects,
  ...knownWebhookDefects,
  ...ownWebhookDefects,
];
