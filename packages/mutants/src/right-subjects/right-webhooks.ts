import type { Webhooks } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import type { Untyped } from "../edit.ts";
import { type WebhookLawSet, webhookLawSets } from "../law-sets.ts";
import { changeReviews, type Stage, stages } from "../webhooks.ts";
import {
  applyPatch,
  changeDenial,
  changePatch,
  changeResponse,
  type Habit,
  habits,
  podHabits,
  validateTwice,
} from "./webhook-habits.ts";

/** The default number of runs of a property. */
const RUNS = 100;

/** Correct answers, each different in one way. */
const forms: Readonly<Record<string, Habit>> = {
  "our own": (result) => result,
  "that replace the whole object": (result, sent) =>
    changePatch(result, (patch) => [{ op: "replace", path: "", value: applyPatch(sent, patch) }]),
  "that replace metadata and spec": (result, sent) =>
    changePatch(result, (patch) => replaceMembers(sent, applyPatch(sent, patch))),
  "with patches that test before they change": (result, sent) =>
    changePatch(result, (patch) => [{ op: "test", path: "", value: sent }, ...patch]),
  "with patches that use add instead of replace": (result) =>
    changePatch(result, (patch) =>
      patch.map((one) => (isReplacement(one) ? { ...one, op: "add" } : one)),
    ),
  "with patches that first add an empty parent": (result) =>
    changePatch(result, (patch) => patch.flatMap(addMembers)),
  "with patches that remove a value before they replace it": (result) =>
    changePatch(result, (patch) =>
      patch.flatMap((one) =>
        isReplacement(one)
          ? [
              { op: "remove", path: one.path },
              { ...one, op: "add" },
            ]
          : [one],
      ),
    ),
  "with patches that test each value before they replace it": (result, sent) =>
    changePatch(result, (patch) =>
      patch.flatMap((one) =>
        isReplacement(one)
          ? [{ op: "test", path: one.path, value: at(sent, one.path) }, one]
          : [one],
      ),
    ),
  "with patches that add a member and remove it later": (result) =>
    changePatch(result, (patch) => [
      { op: "add", path: "/acme", value: 7 },
      ...patch,
      { op: "remove", path: "/acme" },
    ]),
  "with patches that copy the object and remove the copy": (result) =>
    changePatch(result, (patch) => [
      { op: "copy", from: "", path: "/acme" },
      ...patch,
      ...removeCopy,
    ]),
  "that return the request in the response": (result) => ({
    ...result,
    request: { uid: "another", note: "as sent" },
  }),
  "with a status in allowed responses": (result) =>
    changeResponse(result, (response) =>
      response.allowed
        ? { ...response, status: { code: 200, message: "well", metadata: {} } }
        : response,
    ),
  "with different details in denials": (result) =>
    changeDenial(result, (status) => ({
      ...status,
      details: { retryAfterSeconds: 3, ...status.details },
    })),
  "with an empty patch": (result) =>
    changeResponse(result, ({ patch = [], ...rest }) => ({
      ...rest,
      patch,
      patchType: "JSONPatch",
    })),
  "with nulls": (result) =>
    changeResponse(result, ({ patch, ...rest }) => ({
      ...rest,
      ...(patch === undefined ? { patch: null, patchType: null } : { patch }),
      warnings: null,
      auditAnnotations: null,
    })),
  "with different messages": (result) =>
    changeDenial(result, (status) => ({
      ...status,
      message: `webhook-7 (see the runbook): ${status.message}`,
    })),
  "with only a message in denials": (result) =>
    changeDenial(result, ({ message }) => ({ message })),
  "with BadRequest for invalid objects": (result) =>
    changeDenial(result, ({ message }) => ({ message, code: 400, reason: "BadRequest" })),
  "with warnings and audit annotations": (result) =>
    changeResponse(result, (response) => ({
      ...response,
      warnings: ["this cluster will be removed in spring"],
      auditAnnotations: { "acme.com/webhook": "7" },
    })),
  "without a status in allowed responses": (result) =>
    changeResponse(result, ({ status, ...rest }) => (rest.allowed ? rest : { ...rest, status })),
  ...habits,
};

/** Returns the correct webhooks of a kind by their difference. */
export function rightWebhooks({
  kind,
  createOwn,
}: WebhookLawSet): readonly (readonly [string, Webhooks])[] {
  const right = createOwn();
  const all = { ...forms, ...(kind === "Pod" && podHabits) };
  return [
    ...Object.entries(all).map(([name, habit]) => [name, applyHabit(right, habit)] as const),
    ["that validate in the mutating webhook, too", validateTwice(right, kind)],
  ];
}

/** The result for a correct webhook. */
export interface RightWebhook {
  readonly name: string;
  /** The reports of laws about it, one line each. */
  readonly violations: readonly string[];
}

/**
 * Checks all laws against correct webhooks on the given number of seeds.
 *
 * @param isChosen - selects the webhooks to examine by index
 */
export async function* examineRightWebhooks(
  seeds: number,
  isChosen: (index: number) => boolean,
): AsyncGenerator<RightWebhook> {
  for (const lawSet of webhookLawSets) {
    for (const [index, [name, webhooks]] of rightWebhooks(lawSet).entries()) {
      if (!isChosen(index)) continue;
      const violations: string[] = [];
      for (const [law, property] of lawSet.laws) {
        for (let seed = 1; seed <= seeds; seed += 1) {
          // On the last of several seeds, every case of a law runs.
          const numRuns = seeds === 1 ? RUNS / 10 : seed === seeds ? RUNS : RUNS / 5;
          const { failed, errorInstance } = await fc.check(property(webhooks), {
            seed,
            numRuns,
            endOnFailure: true,
          });
          if (failed) violations.push(`${law}: ${errorInstance}`);
        }
      }
      yield { name: `webhooks of ${lawSet.kind}s ${name}`, violations };
    }
  }
}

function applyHabit(right: Webhooks, habit: Habit): Webhooks {
  const applyInStage = (webhooks: Webhooks, stage: Stage) =>
    changeReviews(webhooks, stage, (review, { object }) => habit(review, object, stage));
  return stages.reduce(applyInStage, right);
}

function replaceMembers(before: Untyped, after: Untyped): readonly Untyped[] {
  return ["metadata", "spec"].map((member) => ({
    op: before[member] === undefined ? "add" : "replace",
    path: `/${member}`,
    value: after[member] ?? {},
  }));
}

/** Reports whether adding at a path replaces the existing value. In a list, it inserts. */
function isReplacement({ op, path }: Untyped): boolean {
  return op === "replace" && !/\/\d+$/.test(path);
}

const removeCopy: readonly Untyped[] = [{ op: "remove", path: "/acme" }];

/** Returns the value at a path of a patch. */
function at(object: Untyped, path: string): Untyped {
  const names = path.split("/").slice(1);
  return names.reduce(
    (value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    object,
  );
}

/** Adds an empty object, and then each of its members. */
function addMembers(operation: Untyped): readonly Untyped[] {
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
