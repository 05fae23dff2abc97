// Calls a webhook and reads its response as an API server does.
import { decodeBase64 } from "@jobset-ts/admission/patch";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { applyJsonPatch } from "./apply-json-patch.ts";
import { asJson } from "./as-json.ts";
import type { AdmissionReviewInput, WebhookSubject } from "./webhook.ts";

/** The input of a webhook: a request and the objects in the cluster. All of it is plain JSON. */
export interface WebhookRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly cluster: readonly KubernetesObject[];
}

/** The response of a webhook, reduced to the parts that an API server uses. */
export type WebhookResponse =
  | {
      readonly allowed: true;
      /** The object after the patch, or the sent object if there is no patch. */
      readonly object: unknown;
    }
  | {
      readonly allowed: false;
      readonly message: string;
      readonly code?: number;
      readonly reason?: string;
      /** The fields of the causes. An empty string if a cause has no field. Empty if there are no causes. */
      readonly fields: readonly string[];
    };

/** A webhook returned no response, or one that an API server could not use. */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
}

/**
 * Calls a webhook and returns its response.
 *
 * @throws InvalidResponseError if it is not an AdmissionReview, responds to another request, or has a patch that cannot be applied
 */
export async function callWebhook(
  webhook: WebhookSubject,
  kind: ReviewedKind,
  question: WebhookRequest,
): Promise<WebhookResponse> {
  const review = createReview(kind, question);
  const { uid } = review.request;
  const result = asJson(await callOnCopy(webhook, review, asJson(question.cluster)));
  const { apiVersion, kind: answeredKind, response } = record(result, "the answer");
  if (apiVersion !== review.apiVersion || answeredKind !== review.kind) {
    throw new InvalidResponseError(
      `not an AdmissionReview of ${review.apiVersion}: ${shortJson(result)}`,
    );
  }
  const { uid: echoed, allowed, status, patch, patchType } = record(response, "its response");
  if (echoed !== uid)
    throw new InvalidResponseError(`the UID is ${shortJson(echoed)}, asked was ${shortJson(uid)}`);
  if (typeof allowed !== "boolean")
    throw new InvalidResponseError(`allowed is ${shortJson(allowed)}`);
  if (allowed) return { allowed, object: applyPatch(review.request.object, patch, patchType) };
  return { allowed, ...readDenial(record(status ?? {}, "the status of the refusal")) };
}

/**
 * Reads the status of a denial as an API server does: a code of 0 counts as missing, and the reason replaces a missing
 * message. A reason is an explanation only if it is a sentence, not a word such as `Forbidden`.
 *
 * @see Kubernetes `apiserver/pkg/admission/plugin/webhook/errors`, `ToStatusErr`
 */
function readDenial(status: Readonly<Record<string, unknown>>) {
  const { code, details } = status;
  const isExplained = isText(status.reason) && /\s/.test(status.reason);
  const message = isText(status.message) || !isExplained ? status.message : status.reason;
  const reason = message === status.reason ? undefined : status.reason;
  if (!isText(message)) throw new InvalidResponseError("the denial has no message");
  const isError = !code || (Number.isInteger(code) && (code as number) >= 400);
  if (!isError) throw new InvalidResponseError(`the denial has the code ${shortJson(code)}`);
  const { causes } = record(details ?? {}, "the details of the refusal");
  const listed: readonly unknown[] = Array.isArray(causes) ? causes : [];
  return {
    message,
    ...(code ? { code: code as number } : {}),
    ...(isText(reason) && { reason }),
    fields: listed.map((cause) => String(record(cause, "a cause").field ?? "")),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

async function callOnCopy(
  webhook: WebhookSubject,
  review: AdmissionReviewInput,
  cluster: readonly KubernetesObject[],
): Promise<unknown> {
  try {
    // A webhook may change its input, so it gets a copy.
    return await webhook(asJson(review), cluster);
  } catch (error) {
    throw new InvalidResponseError(
      `it throws: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function applyPatch(object: unknown, patch: unknown, patchType: unknown): unknown {
  if ((patch ?? undefined) === undefined) return object;
  if (patchType !== "JSONPatch")
    throw new InvalidResponseError(`patchType is ${shortJson(patchType)}`);
  // Go ignores line breaks in base64, and some libraries write them.
  const text = typeof patch === "string" ? decodeBase64(patch.replace(/[\r\n]/g, "")) : undefined;
  if (text === undefined)
    throw new InvalidResponseError(`the patch is no base64: ${shortJson(patch)}`);
  const applied = applyJsonPatch(object, parseJson(text));
  if (!applied.ok)
    throw new InvalidResponseError(`the patch cannot be applied, ${applied.message}: ${text}`);
  return applied.value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponseError(`the patch is not valid JSON: ${text}`);
  }
}

/** The kinds for which JobSet has webhooks. */
export type ReviewedKind = "Pod" | "JobSet";

const types = {
  Pod: { kind: { group: "", version: "v1", kind: "Pod" }, resource: "pods" },
  JobSet: {
    kind: { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" },
    resource: "jobsets",
  },
} as const;

function createReview(
  kind: ReviewedKind,
  { operation, object, oldObject }: WebhookRequest,
): AdmissionReviewInput {
  // Different requests usually have different UIDs.
  const uid = `a7b1c0de-${JSON.stringify([object, oldObject]).length}`;
  const type = types[kind];
  const { group, version } = type.kind;
  const { metadata } = ((object ?? oldObject) as Partial<KubernetesObject> | null) ?? {};
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; namespace?: unknown };
  const resource = { group, version, resource: type.resource };
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid,
      kind: type.kind,
      resource,
      requestKind: type.kind,
      requestResource: resource,
      ...(typeof name === "string" && { name }),
      namespace: typeof namespace === "string" ? namespace : "default",
      operation,
      userInfo: { username: "system:serviceaccount:kube-system:job-controller" },
      object: asJson(object) ?? null,
      oldObject: asJson(oldObject) ?? null,
      dryRun: false,
    },
  };
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new InvalidResponseError(`${what} is ${shortJson(value)}`);
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
