import type { Unvalidated } from "@jobset-ts/api";
import {
  type FieldError,
  NO_FIELD,
  notSupported,
  required,
  typeInvalid,
} from "@jobset-ts/api/errors";
import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";
import { asRecord, isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { Operation, WebhookRequest } from "../webhook-shape.ts";
import { getMember, type JsonRecord } from "./json-record.ts";
import { type ReviewedKind, reviewedKinds, type Stage } from "./webhooks.ts";

export const ADMISSION_API_VERSION = "admission.k8s.io/v1";
export const ADMISSION_REVIEW_KIND = "AdmissionReview";

const operations: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/**
 * The request of an API server to a webhook.
 *
 * @see Kubernetes `admission.k8s.io/v1` `AdmissionRequest`
 */
export interface AdmissionRequest extends WebhookRequest {
  /** The response carries the same UID. */
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: ReviewedKind };
  /** The namespace of the object. */
  readonly namespace?: string;
  /** Other members are ignored. */
  readonly [member: string]: unknown;
}

/**
 * The review that an API server sends.
 *
 * @see Kubernetes `admission.k8s.io/v1` `AdmissionReview`
 */
export interface AdmissionReviewRequest {
  readonly apiVersion: typeof ADMISSION_API_VERSION;
  readonly kind: typeof ADMISSION_REVIEW_KIND;
  readonly request: AdmissionRequest;
}

/** A valid request, or why it is invalid. */
export type ReadRequest =
  /** Its objects have the request's namespace, whatever namespace they had. */
  | { readonly ok: true; readonly request: AdmissionRequest }
  | {
      readonly ok: false;
      /** The request's UID, or empty text. */
      readonly uid: string;
      readonly errors: readonly [FieldError, ...FieldError[]];
    };

/**
 * Reads the request of an AdmissionReview. As in upstream's webhooks, the object's kind decides, subresources are not
 * distinguished, and `dryRun` is ignored, because webhooks have no side effects.
 *
 * @param review - any JSON value
 * @param kind - the kind of the webhook; default: any kind for which JobSet has webhooks
 * @returns all errors if the review is invalid: another version of AdmissionReview, no UID, another kind of object, or
 * no object
 */
export function readRequest(
  review: unknown,
  { stage, kind }: { readonly stage: Stage; readonly kind?: ReviewedKind },
): ReadRequest {
  if (!isObject(review)) {
    return { ok: false, uid: "", errors: [notAReview(typeText(review))] };
  }
  const found: FieldError[] = [];
  const reviewed: JsonRecord = review;
  const request = getMember(reviewed, "request");
  requireOneOf("apiVersion", getMember(reviewed, "apiVersion"), [ADMISSION_API_VERSION], found);
  requireOneOf("kind", getMember(reviewed, "kind"), [ADMISSION_REVIEW_KIND], found);
  if (requireObject("request", request, found)) {
    validateRequest(request, { stage, kinds: kind === undefined ? reviewedKinds : [kind] }, found);
  }
  const [first, ...others] = found;
  if (first === undefined)
    return { ok: true, request: withRequestNamespace(request as unknown as AdmissionRequest) };
  const uid = isObject(request) ? getMember(request as JsonRecord, "uid") : undefined;
  return { ok: false, uid: typeof uid === "string" ? uid : "", errors: [first, ...others] };
}

/** Returns the error for a value that is not an AdmissionReview. It names no field and repeats nothing of the value. */
export function notAReview(why: string): FieldError {
  return {
    type: "FieldValueTypeInvalid",
    field: NO_FIELD,
    body: `expected an AdmissionReview in JSON, but ${why}`,
  };
}

function typeText(value: unknown): string {
  if (value === undefined) return "found nothing";
  if (value === null) return "found null";
  return Array.isArray(value) ? "found a list" : `found a ${typeof value}`;
}

/** Reports whether the API server can match the response with its request despite these errors. */
export function isAnswerable(errors: readonly FieldError[]): boolean {
  return errors.every(({ field }) => field.startsWith("request.") && field !== "request.uid");
}

/** An object may have any namespace or none. The API server sets it later. */
function withRequestNamespace(request: AdmissionRequest): AdmissionRequest {
  const { namespace, object, oldObject } = request;
  if (typeof namespace !== "string" || namespace === "") return request;
  const [now, before] = [object, oldObject].map((one) => setNamespace(namespace, one));
  return now === object && before === oldObject
    ? request
    : { ...request, object: now, oldObject: before };
}

function setNamespace(namespace: string, object: unknown): unknown {
  const { metadata } = asRecord(object as Unvalidated<KubernetesObject>);
  if (!isObject(metadata) || metadata.namespace === namespace) return object;
  // A namespace that is not text is rejected later.
  if (typeof (metadata.namespace ?? "") !== "string") return object;
  return { ...(object as object), metadata: { ...metadata, namespace } };
}

// Adds the errors of a request to `found`.

function validateRequest(
  request: JsonRecord,
  { stage, kinds }: { readonly stage: Stage; readonly kinds: readonly ReviewedKind[] },
  found: FieldError[],
): void {
  const before = found.length;
  const operation = getMember(request, "operation");
  validateUid(getMember(request, "uid"), found);
  validateKind(getMember(request, "kind"), kinds, found);
  requireOneOf("request.operation", operation, operations, found);
  if (found.length > before) return;
  const { kind } = (request as unknown as AdmissionRequest).kind;
  for (const name of listReviewedMembers(operation, stage)) {
    const [field, object] = [`request.${name}`, getMember(request, name)];
    if (!requireObject(field, object, found)) continue;
    // An absent kind or version is accepted. Any other one is not decoded.
    rejectOtherValue(
      `${field}.apiVersion`,
      getMember(object, "apiVersion"),
      apiVersions[kind],
      found,
    );
    rejectOtherValue(`${field}.kind`, getMember(object, "kind"), kind, found);
  }
}

/** Returns the objects that the decision depends on. */
function listReviewedMembers(
  operation: unknown,
  stage: Stage,
): readonly ("object" | "oldObject")[] {
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

function validateUid(uid: unknown, found: FieldError[]): void {
  if (uid === undefined || uid === null || uid === "") found.push(required("request.uid"));
  else if (typeof uid !== "string") {
    found.push(typeInvalid("request.uid", uid, "must be a string", formatShown(uid)));
  }
}

const apiVersions: Readonly<Record<ReviewedKind, string>> = {
  JobSet: JOBSET_API_VERSION,
  Pod: "v1",
};

/** A kind with its group and version, as Kubernetes writes it. Pods have no group. */
const kindTexts: Readonly<Record<ReviewedKind, string>> = {
  JobSet: `${JOBSET_API_VERSION}, Kind=JobSet`,
  Pod: "/v1, Kind=Pod",
};

function validateKind(given: unknown, kinds: readonly ReviewedKind[], found: FieldError[]): void {
  if (!requireObject("request.kind", given, found)) return;
  const member = (name: string) => formatShortValue(getMember(given, name) ?? "");
  const text = `${member("group")}/${member("version")}, Kind=${member("kind")}`;
  if (kinds.some((kind) => kindTexts[kind] === text)) return;
  const supported = kinds.map((kind) => kindTexts[kind]);
  found.push(notSupported("request.kind", given, supported, goQuote(text)));
}

function rejectOtherValue(
  field: string,
  given: unknown,
  expected: string,
  found: FieldError[],
): void {
  if ((given ?? "") !== "") requireOneOf(field, given, [expected], found);
}

function requireOneOf(
  field: string,
  value: unknown,
  supported: readonly string[],
  found: FieldError[],
): void {
  if (value === undefined || value === null || value === "") found.push(required(field));
  else if (typeof value !== "string" || !supported.includes(value)) {
    found.push(notSupported(field, value, supported, formatShown(value)));
  }
}

function requireObject(field: string, value: unknown, found: FieldError[]): value is JsonRecord {
  if (isObject(value)) return true;
  const isMissing = value === undefined || value === null;
  found.push(
    isMissing
      ? required(field)
      : typeInvalid(field, value, "must be an object", formatShown(value)),
  );
  return false;
}

/** An error repeats at most this many characters of a text. */
const MAX_SHOWN = 253;

/** Returns a short scalar unchanged. Of any other value, returns only its type. */
function formatShown(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "string" && value.length <= MAX_SHOWN
    ? goQuote(value)
    : `${formatShortValue(value)}`;
}

function formatShortValue(value: unknown): string {
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
