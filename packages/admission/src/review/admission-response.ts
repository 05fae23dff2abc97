import { type FieldError, formatFieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { omittedSuffix, stringifyJson } from "@jobset-ts/api/text";
import { type ApiStatus, type ApiStatusDetails, badRequestStatus } from "../api-status.ts";
import { ADMISSION_API_VERSION, ADMISSION_REVIEW_KIND } from "./admission-request.ts";
import { encodeBase64 } from "./base64.ts";
import type { PatchOperation } from "./json-patch.ts";

/**
 * The review that a webhook sends back. Its members are in Go's order.
 *
 * @see Kubernetes `admission.k8s.io/v1`; controller-runtime `admission.Response`
 */
export interface AdmissionReview {
  readonly kind: "AdmissionReview";
  readonly apiVersion: "admission.k8s.io/v1";
  readonly response: AdmissionResponse;
}

/** The response to one request. */
export interface AdmissionResponse {
  /** The UID of the request, or empty text. */
  readonly uid: string;
  readonly allowed: boolean;
  readonly status: { readonly metadata: Readonly<Record<string, never>> } & Partial<ApiStatus> & {
      readonly code: number;
    };
  /** The base64 of a JSON Patch. Absent if nothing changes. */
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
  /** The IDs of the findings behind a denial, for the audit log. */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Warnings for the client of an allowed request. */
  readonly warnings?: readonly string[];
}

/** Allows a request, with a patch unless nothing changes. */
export function allowedReview(
  uid: string,
  patch: readonly PatchOperation[],
  warnings: readonly string[] = [],
): AdmissionReview {
  return createReview({
    uid,
    allowed: true,
    status: { metadata: {}, code: 200 },
    ...(patch.length > 0 && { patch: encodeBase64(stringifyJson(patch)), patchType: "JSONPatch" }),
    ...(warnings.length > 0 && { warnings }),
  });
}

/** Denies a request. */
export function createDeniedReview(
  uid: string,
  {
    status: denied,
    auditAnnotations,
  }: Pick<AdmissionResponse, "auditAnnotations"> & {
    readonly status: ApiStatus;
  },
): AdmissionReview {
  const { status: word, message, reason, details, code } = denied;
  return createReview({
    uid,
    allowed: false,
    status: {
      metadata: {},
      ...(word && { status: word }),
      ...(message && { message }),
      ...(reason && { reason }),
      ...(details && { details: createDetails(details) }),
      code,
    },
    ...(auditAnnotations && { auditAnnotations }),
  });
}

/** Creates the response to a malformed request: 400, without a reason. */
export function malformedReview(
  uid: string,
  errors: readonly FieldError[],
  omitted: number,
): AdmissionReview {
  const texts = [...errors.map(errorText), ...(omitted > 0 ? [omittedSuffix(omitted)] : [])];
  return createDeniedReview(uid, {
    status: badRequestStatus(texts.length > 1 ? `[${texts.join(", ")}]` : `${texts}`),
  });
}

/** An error without a field has no path. */
function errorText(error: FieldError): string {
  return error.field === NO_FIELD ? error.body : formatFieldError(error);
}

/** Go omits empty members. */
function createDetails({ name, group, kind, causes = [] }: ApiStatusDetails): ApiStatusDetails {
  return {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(causes.length > 0 && {
      causes: causes.map(({ reason, message, field }) => ({ reason, message, field })),
    }),
  };
}

function createReview(response: AdmissionResponse): AdmissionReview {
  return { kind: ADMISSION_REVIEW_KIND, apiVersion: ADMISSION_API_VERSION, response };
}
