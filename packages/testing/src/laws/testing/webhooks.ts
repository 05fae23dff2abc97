// Helpers for the tests of webhook laws.
import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import fc from "fast-check";
import { runs } from "../../testing/runs.ts";
import { applyJsonPatch } from "../apply-json-patch.ts";
import type { Law } from "../law.ts";
import { LawViolationError } from "../law.ts";
import type { WebhookSubject, Webhooks } from "../webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: responses can have any shape
type AnyObject = any;

/** Several seeds, so that a test does not pass or fail by chance. */
export const seeds: readonly number[] = [1, 2, 3];

/** Returns the violation of a law by a subject, if any. */
export async function findViolation<Subject>(
  law: Law<Subject>,
  subject: Subject,
  seed: number,
  numRuns = runs(15, 300),
) {
  const { failed, errorInstance } = await fc.check(law(subject), {
    seed,
    numRuns,
    endOnFailure: true,
  });
  return failed ? errorInstance : undefined;
}

/** Checks that a law catches a subject within 100 runs with each seed, with a complete report. */
export async function expectCaught<Subject>(law: Law<Subject> | undefined, subject: Subject) {
  if (law === undefined) throw new Error("there is no such law");
  for (const seed of seeds) {
    const found = await findViolation(law, subject, seed, 100);
    if (!(found instanceof LawViolationError)) {
      throw new Error(`seed ${seed}: ${found ?? "no violation was found"}`, { cause: found });
    }
    const isReported =
      found.message.includes(law.sentence) && found.details.includes("The webhook");
    if (!isReported) throw new Error(`the report is incomplete: ${found.message}`);
  }
}

/**
 * Returns equivalent webhooks that look like another implementation: asynchronous, with other messages and minimal
 * statuses, and with patches that replace whole fields in Go's format.
 */
export function reformatResponses({ mutate, validate, features }: Webhooks): Webhooks {
  const reformatResponse =
    (webhook: WebhookSubject): WebhookSubject =>
    async (review, cluster) => {
      const { response }: AnyObject = await webhook(review, cluster);
      const { uid, allowed, status, patch } = response;
      const envelope = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", extra: true };
      if (!allowed) {
        const message = `[webhook-7] error: ${status.message} (see the runbook)`;
        return { ...envelope, response: { uid, allowed, status: { message } } };
      }
      if (patch === undefined) return { ...envelope, response: { uid, allowed, patch: null } };
      const patched = applyJsonPatch(review.request.object, JSON.parse(decodeBase64(patch) ?? ""));
      const operations = patched.ok ? replaceWholeFields(review.request.object, patched.value) : [];
      const text = encodeBase64(JSON.stringify(operations));
      return { ...envelope, response: { uid, allowed, patchType: "JSONPatch", patch: text } };
    };
  return { mutate: reformatResponse(mutate), validate: reformatResponse(validate), features };
}

function replaceWholeFields(before: AnyObject, after: AnyObject): readonly object[] {
  return ["metadata", "spec"].map((member) => ({
    op: before[member] === undefined ? "add" : "replace",
    path: `/${member}`,
    value: asGoPrintsIt(after[member] ?? {}),
  }));
}

function asGoPrintsIt(value: AnyObject): AnyObject {
  if (Array.isArray(value)) return value.map(asGoPrintsIt);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, asGoPrintsIt(member)]);
  const printed = Object.fromEntries(members.reverse());
  return "template" in value || "generateName" in value
    ? { ...printed, creationTimestamp: null, resources: {} }
    : printed;
}
