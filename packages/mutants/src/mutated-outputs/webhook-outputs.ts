import { isObject } from "@jobset-ts/api/kubernetes";
import type { AdmissionReviewInput, WebhookSubject } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import { applyJsonPatch } from "../../../testing/src/laws/apply-json-patch.ts";
import {
  createOwnWebhooks,
  decodeReview,
  encodeReview,
  type Review,
  type Stage,
  type WebhookBundle,
} from "../webhooks.ts";
import type { Subject } from "./examine-mutants.ts";
import { listMutants, type OutputMutant } from "./output-mutants.ts";

/** The output of one of the two webhooks of a kind. */
type Output = Readonly<Partial<Record<Stage, Review>>>;

/** Creates a subject from our webhooks. */
export function createWebhookSubject(bundle: WebhookBundle): Subject {
  const own = createOwnWebhooks(bundle.gates);
  return {
    laws: [...bundle.laws.keys()].filter((law) => law !== bundle.malformedObjectsLaw),
    listMutants: (output) => listReviewMutants(bundle.kind, output as Output),
    check: async (law, mutate, numRuns) => {
      let hasEffect = false;
      const mutateStage =
        (stage: Stage): WebhookSubject =>
        async (review, cluster) => {
          const output: Output = { [stage]: decodeReview(await own[stage](review, cluster)) };
          const mutated = mutate(output) as Output;
          hasEffect ||=
            mutated !== output && renderEffect(review, output) !== renderEffect(review, mutated);
          return encodeReview(getReview(mutated));
        };
      const webhooks = {
        ...own,
        mutate: mutateStage("mutate"),
        validate: mutateStage("validate"),
      };
      const property = bundle.laws.get(law)?.(webhooks);
      if (property === undefined) throw new Error(`there is no law ${law}`);
      const { failed } = await fc.check(property, { seed: 7, numRuns, endOnFailure: true });
      return { isViolated: failed, hasEffect };
    },
  };
}

function getReview({ mutate, validate }: Output): Review {
  return mutate ?? validate ?? { response: { allowed: true } };
}

/** Returns the mutants of a review. The first one inverts its decision. */
export function listReviewMutants(name: string, output: Output): readonly OutputMutant[] {
  const decision = summarizeDecision(output);
  const inverted: OutputMutant = {
    operator: "decide otherwise",
    path: `${name}.${decision}`,
    mutate: (other) =>
      summarizeDecision(other as Output) === decision ? invertDecision(other as Output) : other,
  };
  return [inverted, ...listMutants(output, { name, getLabel })];
}

/** Summarizes the decision: denials by the field of their first cause, or the start of their message. */
function summarizeDecision(output: Output): string {
  const { allowed, status, patch } = getReview(output).response;
  const [stage] = Object.keys(output);
  if (allowed) return `${stage} admits${patch === undefined ? "" : ", with a patch"}`;
  const field = status?.details?.causes?.[0]?.field;
  const topic = field ?? status?.message?.replace(/["(':].*$/s, "").trim() ?? "";
  return `${stage} denies ${maskNumbers(topic)}`;
}

function invertDecision(output: Output): Output {
  const { response, ...rest } = getReview(output);
  const { uid, allowed } = response;
  const status = { message: "something is wrong", code: 422 };
  const inverted = { uid, allowed: !allowed, ...(allowed && { status }) };
  return { [Object.keys(output)[0] ?? ""]: { ...rest, response: inverted } };
}

/** Labels a patch operation by operation and path, a cause by its field, and other elements by their key or name. */
export function getLabel(element: unknown): string {
  const { op, path, field, key, operator, name, type } = Object(element);
  const texts = [op, path, field, key, operator, name, type];
  return maskNumbers(texts.filter((text) => typeof text === "string").join(" "));
}

function maskNumbers(text: string): string {
  return text.replace(/(?<=[/[])\d+|(?<=\s)\d+/g, "*");
}

/** Renders what an API server stores or returns to the client. It ignores the status of an allowed response. */
function renderEffect({ request }: AdmissionReviewInput, output: Output): string {
  const { allowed, patch = [], status, ...rest } = getReview(output).response;
  const visible = allowed ? applyJsonPatch(request.object, patch) : status;
  return JSON.stringify([rest, allowed, visible], (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
