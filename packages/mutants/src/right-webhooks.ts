import type { Webhook, Webhooks } from "@jobset-ts/testing/admission";
import { applyJsonPatch } from "@jobset-ts/testing/reference";
import fc from "fast-check";
import type { OpenAnswer } from "./answer-mutants.ts";
import { closed, opened } from "./webhook-answers.ts";
import { webhookBundles, webhooksUnder } from "./webhooks.ts";

/** Another way to give the same answer. */
type Dress = (answer: OpenAnswer, sent: unknown) => OpenAnswer;

/** Answers that are right, each in a way of its own. */
const dresses: Readonly<Record<string, Dress>> = {
  "our own": (answer) => answer,
  "that replace the whole object": (answer, sent) =>
    patching(answer, (patch) => [{ op: "replace", path: "", value: appliedTo(sent, patch) }]),
  "that replace metadata and spec": (answer, sent) =>
    patching(answer, (patch) => wholesale(sent, appliedTo(sent, patch))),
  "that test before they change": (answer, sent) =>
    patching(answer, (patch) => [{ op: "test", path: "", value: sent }, ...patch]),
  "that add what they replace": (answer) =>
    patching(answer, (patch) =>
      patch.map((one) => (isReplacement(one) ? { ...one, op: "add" } : one)),
    ),
  "that make room for a member first": (answer) =>
    patching(answer, (patch) => patch.flatMap(inTwo)),
  "that remove what they replace": (answer) =>
    patching(answer, (patch) =>
      patch.flatMap((one) =>
        isReplacement(one)
          ? [
              { op: "remove", path: one.path },
              { ...one, op: "add" },
            ]
          : [one],
      ),
    ),
  "that test each value that they replace": (answer, sent) =>
    patching(answer, (patch) =>
      patch.flatMap((one) =>
        isReplacement(one)
          ? [{ op: "test", path: one.path, value: at(sent, one.path) }, one]
          : [one],
      ),
    ),
  "that add a member in vain first": (answer) =>
    patching(answer, (patch) => [
      { op: "add", path: "/acme", value: 7 },
      ...patch,
      { op: "remove", path: "/acme" },
    ]),
  "that copy the object and remove the copy": (answer) =>
    patching(answer, (patch) => [{ op: "copy", from: "", path: "/acme" }, ...patch, ...goneAgain]),
  "that repeat the request": (answer) => ({
    ...answer,
    request: { uid: "another", note: "as sent" },
  }),
  "with a status where all is well": (answer) =>
    responding(answer, (response) =>
      response.allowed
        ? { ...response, status: { code: 200, message: "well", metadata: {} } }
        : response,
    ),
  "with other details in a refusal": (answer) =>
    refusing(answer, (status) => ({
      ...status,
      details: { retryAfterSeconds: 3, ...status.details },
    })),
  "with an empty patch": (answer) =>
    responding(answer, ({ patch = [], ...rest }) => ({ ...rest, patch, patchType: "JSONPatch" })),
  "with nulls": (answer) =>
    responding(answer, ({ patch, ...rest }) => ({
      ...rest,
      ...(patch === undefined ? { patch: null, patchType: null } : { patch }),
      warnings: null,
      auditAnnotations: null,
    })),
  "with other words": (answer) =>
    refusing(answer, (status) => ({
      ...status,
      message: `webhook-7 (see the runbook): ${status.message}`,
    })),
  "with nothing but words": (answer) => refusing(answer, ({ message }) => ({ message })),
  "with a bad request for a mistake": (answer) =>
    refusing(answer, ({ message }) => ({ message, code: 400, reason: "BadRequest" })),
  "with warnings and notes for the audit": (answer) =>
    responding(answer, (response) => ({
      ...response,
      warnings: ["this cluster goes away in spring"],
      auditAnnotations: { "acme.com/webhook": "7" },
    })),
  "without a status where all is well": (answer) =>
    responding(answer, ({ status, ...rest }) => (rest.allowed ? rest : { ...rest, status })),
};

/** What right webhooks are accused of, a line each. */
export async function webhooksKeepEveryLaw(seeds: number): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const { kind, laws, gates } of Object.values(webhookBundles)) {
    for (const [name, dress] of Object.entries(dresses)) {
      const webhooks = dressed(webhooksUnder(gates), dress);
      for (const [law, property] of laws) {
        for (let seed = 1; seed <= seeds; seed += 1) {
          const { failed, errorInstance } = await fc.check(property(webhooks), {
            seed,
            numRuns: 20,
            endOnFailure: true,
          });
          if (failed) refused.push(`webhooks of ${kind}s ${name}: ${law}: ${errorInstance}`);
        }
      }
    }
  }
  return refused;
}

function dressed({ mutate, validate, features }: Webhooks, dress: Dress): Webhooks {
  const inDress =
    (webhook: Webhook): Webhook =>
    async (review, cluster) =>
      closed(dress(opened(await webhook(review, cluster)), review.request.object));
  return { mutate: inDress(mutate), validate: inDress(validate), ...(features && { features }) };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are taken as they are
type Loose = any;

function responding(answer: OpenAnswer, change: (response: Loose) => Loose): OpenAnswer {
  return { ...answer, response: change(answer.response) };
}

function refusing(answer: OpenAnswer, change: (status: Loose) => Loose): OpenAnswer {
  return responding(answer, (response) =>
    response.allowed ? response : { ...response, status: change(response.status) },
  );
}

function patching(
  answer: OpenAnswer,
  change: (patch: readonly Loose[]) => readonly Loose[],
): OpenAnswer {
  return responding(answer, (response) =>
    response.patch === undefined ? response : { ...response, patch: change(response.patch) },
  );
}

function appliedTo(sent: unknown, patch: readonly unknown[]): Loose {
  const applied = applyJsonPatch(sent, patch);
  return applied.ok ? applied.value : sent;
}

function wholesale(before: Loose, after: Loose): readonly Loose[] {
  return ["metadata", "spec"].map((member) => ({
    op: before[member] === undefined ? "add" : "replace",
    path: `/${member}`,
    value: after[member] ?? {},
  }));
}

/** What is added to an object takes the place of what is there; in a list it would not. */
function isReplacement({ op, path }: Loose): boolean {
  return op === "replace" && !/\/\d+$/.test(path);
}

const goneAgain: readonly Loose[] = [{ op: "remove", path: "/acme" }];

/** The value at a path of a patch. */
function at(object: Loose, path: string): Loose {
  const names = path.split("/").slice(1);
  return names.reduce(
    (value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    object,
  );
}

/** An object is added empty, and then each of its members. */
function inTwo(operation: Loose): readonly Loose[] {
  const { op, path, value } = operation;
  if (op !== "add" || typeof value !== "object" || value === null || Array.isArray(value)) {
    return [operation];
  }
  const members = Object.entries(value).map(([name, member]) => ({
    op: "add",
    path: `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    value: member,
  }));
  return [{ op: "add", path, value: {} }, ...members];
}
