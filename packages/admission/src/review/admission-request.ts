import { JOBSET_API_VERSION, type Observed } from "@jobset-ts/api";
import {
  type FieldError,
  NO_FIELD,
  notSupported,
  required,
  typeInvalid,
} from "@jobset-ts/api/errors";
import { isObject, type KubernetesObject, membersOf } from "@jobset-ts/api/kubernetes";
import { quote } from "@jobset-ts/api/text";
import type { Operation, WebhookRequest } from "../webhook-shape.ts";
import { type JsonRecord, memberOf } from "./json-record.ts";
import { type ReviewedKind, reviewedKinds, type Stage } from "./webhooks.ts";

export const ADMISSION_API_VERSION = "admission.k8s.io/v1";
export const ADMISSION_REVIEW_KIND = "AdmissionReview";

const operations: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/**
 * What an API server asks a webhook.
 *
 * @see Kubernetes `admission.k8s.io/v1` `AdmissionRequest`
 * @example
 * const kind = { group: "", version: "v1", kind: "Pod" } as const;
 * const request: AdmissionRequest = { uid: "u-1", kind, operation: "CREATE", namespace: "ml", object: {} };
 * request.kind.kind // => "Pod"
 */
export interface AdmissionRequest extends WebhookRequest {
  /** The answer carries the same. */
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: ReviewedKind };
  /** Where the object lives, or is to live. */
  readonly namespace?: string;
  /** The other members are not looked at. */
  readonly [member: string]: unknown;
}

/**
 * What an API server sends.
 *
 * @see Kubernetes `admission.k8s.io/v1` `AdmissionReview`
 * @example
 * import { contextOf, snapshotOf } from "@jobset-ts/core";
 * const kind = { group: "", version: "v1", kind: "Pod" } as const;
 * const sent: AdmissionReviewRequest = {
 *   apiVersion: "admission.k8s.io/v1",
 *   kind: "AdmissionReview",
 *   request: { uid: "u-1", kind, operation: "DELETE", oldObject: {} },
 * };
 * review(sent, snapshotOf([]), contextOf({ now: 0 }), { stage: "validate" }).outcome // => "Allowed"
 */
export interface AdmissionReviewRequest {
  readonly apiVersion: typeof ADMISSION_API_VERSION;
  readonly kind: typeof ADMISSION_REVIEW_KIND;
  readonly request: AdmissionRequest;
}

/** A request that can be answered, or why it cannot. */
export type ReadRequest =
  /** Its objects say where they live as the API server says it, whatever they said themselves. */
  | { readonly ok: true; readonly request: AdmissionRequest }
  | {
      readonly ok: false;
      /** The request's own, as far as it has one; else empty. */
      readonly uid: string;
      readonly errors: readonly [FieldError, ...FieldError[]];
    };

/**
 * Reads the request of an AdmissionReview.
 *
 * Sub-resources are not told apart: as with upstream's webhooks, the kind decides, and `dryRun` makes no difference to
 * who has no effects.
 *
 * @param review - any JSON value
 * @param kind - the one that the webhook is for; by default any that JobSet has webhooks for
 * @returns a refusal with all that is missing or wrong: another version of AdmissionReview, no UID, another kind of
 *   object, or no object to look at
 */
export function readRequest(
  review: unknown,
  { stage, kind }: { readonly stage: Stage; readonly kind?: ReviewedKind },
): ReadRequest {
  const kinds = kind === undefined ? reviewedKinds : [kind];
  if (!isObject(review)) {
    return {
      ok: false,
      uid: "",
      errors: [typeInvalid(NO_FIELD, review, "must be an AdmissionReview", shown(review))],
    };
  }
  const request = memberOf(review as JsonRecord, "request");
  const [first, ...others] = [
    ...oneOf("apiVersion", memberOf(review as JsonRecord, "apiVersion"), [ADMISSION_API_VERSION]),
    ...oneOf("kind", memberOf(review as JsonRecord, "kind"), [ADMISSION_REVIEW_KIND]),
    ...(isObject(request)
      ? requestErrors(request as JsonRecord, stage, kinds)
      : objectErrors("request", request)),
  ];
  if (first === undefined)
    return { ok: true, request: inItsNamespace(request as AdmissionRequest) };
  const uid = isObject(request) ? memberOf(request as JsonRecord, "uid") : undefined;
  return { ok: false, uid: typeof uid === "string" ? uid : "", errors: [first, ...others] };
}

/** Whether the API server can make out what a refusal for these errors answers to. */
export function isAnswerable(errors: readonly FieldError[]): boolean {
  return errors.every(({ field }) => field.startsWith("request.") && field !== "request.uid");
}

/** An object may come without its namespace, which an API server fills in later, and may name any. */
function inItsNamespace(request: AdmissionRequest): AdmissionRequest {
  const { namespace, object, oldObject } = request;
  if (typeof namespace !== "string" || namespace === "") return request;
  const [now, before] = [object, oldObject].map((one) => livingIn(namespace, one));
  return now === object && before === oldObject
    ? request
    : { ...request, object: now, oldObject: before };
}

function livingIn(namespace: string, object: unknown): unknown {
  const { metadata } = membersOf(object as Observed<KubernetesObject>);
  if (!isObject(metadata) || metadata.namespace === namespace) return object;
  // What is no text is refused as such.
  if (typeof (metadata.namespace ?? "") !== "string") return object;
  return { ...(object as object), metadata: { ...metadata, namespace } };
}

function requestErrors(
  request: JsonRecord,
  stage: Stage,
  kinds: readonly ReviewedKind[],
): readonly FieldError[] {
  const operation = memberOf(request, "operation");
  const errors = [
    ...uidErrors(memberOf(request, "uid")),
    ...kindErrors(memberOf(request, "kind"), kinds),
    ...oneOf("request.operation", operation, operations),
  ];
  if (errors.length > 0) return errors;
  const { kind } = (request as unknown as AdmissionRequest).kind;
  return lookedAt(operation, stage).flatMap((name) => {
    const [field, object] = [`request.${name}`, memberOf(request, name)];
    return isObject(object)
      ? identityErrors(field, object as JsonRecord, kind)
      : objectErrors(field, object);
  });
}

/** The objects that the answer depends on. */
function lookedAt(operation: unknown, stage: Stage): readonly ("object" | "oldObject")[] {
  switch (operation) {
    case "CREATE":
      return ["object"];
    case "UPDATE":
      return stage === "mutate" ? ["object"] : ["object", "oldObject"];
    case "DELETE":
      return stage === "mutate" ? [] : ["oldObject"];
    default:
      return [];
  }
}

function uidErrors(uid: unknown): readonly FieldError[] {
  if (uid === undefined || uid === null || uid === "") return [required("request.uid")];
  return typeof uid === "string"
    ? []
    : [typeInvalid("request.uid", uid, "must be a string", shown(uid))];
}

const apiVersions: Readonly<Record<ReviewedKind, string>> = {
  JobSet: JOBSET_API_VERSION,
  Pod: "v1",
};

function kindErrors(given: unknown, kinds: readonly ReviewedKind[]): readonly FieldError[] {
  if (!isObject(given)) return objectErrors("request.kind", given);
  const member = (name: string) => memberOf(given as JsonRecord, name) ?? "";
  const text = `${textShown(member("group"))}/${textShown(member("version"))}, Kind=${textShown(member("kind"))}`;
  const supported = kinds.map((name) => {
    const apiVersion = apiVersions[name];
    return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${name}`;
  });
  return supported.includes(text)
    ? []
    : [notSupported("request.kind", given, supported, quote(text))];
}

/** An object without a kind or version is taken for what is expected; one with another is not decoded. */
function identityErrors(
  field: string,
  object: JsonRecord,
  kind: ReviewedKind,
): readonly FieldError[] {
  return [
    ...unlessOther(`${field}.apiVersion`, memberOf(object, "apiVersion"), apiVersions[kind]),
    ...unlessOther(`${field}.kind`, memberOf(object, "kind"), kind),
  ];
}

function unlessOther(field: string, given: unknown, expected: string): readonly FieldError[] {
  return (given ?? "") === "" ? [] : oneOf(field, given, [expected]);
}

function oneOf(field: string, value: unknown, supported: readonly string[]): readonly FieldError[] {
  if (value === undefined || value === null || value === "") return [required(field)];
  return typeof value === "string" && supported.includes(value)
    ? []
    : [notSupported(field, value, supported, shown(value))];
}

function objectErrors(field: string, value: unknown): readonly FieldError[] {
  if (value === undefined || value === null) return [required(field)];
  return isObject(value) ? [] : [typeInvalid(field, value, "must be an object", shown(value))];
}

/** More than this of a text is not repeated to whoever sent it. */
const MAX_SHOWN = 253;

/** A short scalar as it is; of anything else only what it is. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "string" && value.length <= MAX_SHOWN
    ? quote(value)
    : `${textShown(value)}`;
}

function textShown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.length <= MAX_SHOWN ? value : "string";
    case "number":
    case "boolean":
      return String(value);
    default:
      return Array.isArray(value) ? "array" : "object";
  }
}
