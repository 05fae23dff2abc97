import type { JobSet, JobSetStatus } from "@jobset-ts/api";
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
      () => [
        ...edits.flatMap((edit) => surroundings.map((around) => around(() => edit))),
        // There are thousands, so each has one surrounding.
        ...moreEdits().map((make, index) => {
          const around = surroundings[index % surroundings.length];
          return around === undefined ? make : around(make);
        }),
      ],
      (make) => fc.constant(make).map(createCase),
    ),
    async (subject: ValidatingWebhook, generated: EditCase) =>
      checkDecision(
        await callWebhook(subject.validate, "JobSet", generated),
        getCachedDecision(generated, subject),
      ),
  );
}

/** Changes both versions of an edited JobSet. JobSet decides about the edit in each of these states. */
const surroundings: readonly ((make: () => Edit) => () => Edit)[] = [
  (make) => make,
  surround("it has a finalizer", withMetadata({ finalizers: ["a.io/b"] })),
  surround(
    "it is being deleted",
    withMetadata({ deletionTimestamp: "2026-02-07T06:56:19Z", finalizers: ["a.io/b"] }),
  ),
  surround("it has finished", withStatus({ restarts: 0, terminalState: "Completed" })),
  surround("it has restarted", withStatus({ restarts: 1, restartsCountTowardsMax: 1 })),
];

function surround(
  what: string,
  change: (jobSet: JobSet) => JobSet,
): (make: () => Edit) => () => Edit {
  return (make) => () => {
    const { says, before, after } = make();
    return { says: `${says}; ${what}`, before: change(before), after: change(after) };
  };
}

function withMetadata(members: object): (jobSet: JobSet) => JobSet {
  return (jobSet) => ({ ...jobSet, metadata: { ...members, ...jobSet.metadata } });
}

function withStatus(status: JobSetStatus): (jobSet: JobSet) => JobSet {
  return (jobSet) => ({ ...jobSet, status: { ...status, ...jobSet.status } });
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
