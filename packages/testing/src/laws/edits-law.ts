import fc from "fast-check";
import { asJson } from "./as-json.ts";
import { enumerateCases } from "./enumerated-cases.ts";
import { getJobSetDecision } from "./jobset-creation-laws.ts";
import type { Law, LawText } from "./law.ts";
import type { Edit } from "./schema-edits.ts";
import type { ValidatingWebhook } from "./webhook.ts";
import { checkDecision, createWebhookLaw, truncateText, type WebhookCase } from "./webhook-law.ts";
import { callWebhook } from "./webhook-request.ts";

/**
 * Creates a law: the webhook admits or denies updates as JobSet does.
 *
 * @param moreEdits - created when they are needed
 */
export function createEditsLaw(
  name: string,
  text: LawText,
  edits: readonly Edit[],
  moreEdits: () => readonly (() => Edit)[] = () => [],
): Law<ValidatingWebhook> {
  return createWebhookLaw(
    name,
    text,
    enumerateCases(
      () => [...edits.map((edit) => () => edit), ...moreEdits()],
      (make) => fc.constant(make).map(createCase),
    ),
    async (subject: ValidatingWebhook, generated: EditCase) =>
      checkDecision(
        await callWebhook(subject.validate, "JobSet", generated),
        getCachedDecision(generated, subject),
      ),
  );
}

interface EditCase extends WebhookCase {
  readonly make: () => Edit;
}

/**
 * JobSet's decision about an edit, by feature gates. Cached, because a decision takes as long as a webhook call,
 * and a law has thousands of edits.
 */
const decisions = new WeakMap<() => Edit, Map<string, ReturnType<typeof getJobSetDecision>>>();

function getCachedDecision(generated: EditCase, subject: ValidatingWebhook) {
  const gates = [...(subject.features ?? [])].sort().join();
  const known = decisions.get(generated.make) ?? new Map();
  decisions.set(generated.make, known);
  const due = known.get(gates) ?? getJobSetDecision(generated, subject);
  known.set(gates, { ...due, reason: truncateText(due.reason) });
  return due;
}

function createCase(make: () => Edit): EditCase {
  const { says, before, after } = make();
  return {
    make,
    kind: "JobSet",
    situation: says,
    operation: "UPDATE",
    object: asJson(after),
    oldObject: asJson(before),
    cluster: [],
  };
}
