import { type FieldError, type FieldErrorType, formatFieldError } from "@jobset-ts/api/errors";
import { goQuote, omittedSuffix } from "@jobset-ts/api/text";

/**
 * Why a request was denied, as Kubernetes sends it to clients.
 *
 * @see Kubernetes `metav1.Status`
 */
export interface ApiStatus {
  /** Set if the denial is an API error rather than a plain sentence. */
  readonly status?: "Failure";
  readonly message: string;
  /** One PascalCase word for programs, such as `Forbidden` or `Invalid`. */
  readonly reason?: string;
  readonly details?: ApiStatusDetails;
  /** The HTTP status. */
  readonly code: number;
}

/** The subject of an {@link ApiStatus}. */
export interface ApiStatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  /** One for each invalid field, in the order in which they were found, with duplicates. At most 200, within 28 KiB. */
  readonly causes?: readonly StatusCause[];
}

/** One invalid field, or one root cause of a denial. */
export interface StatusCause {
  /** Why a field is invalid, or the ID of a root cause. */
  readonly reason: FieldErrorType | (string & {});
  readonly message: string;
  /** Empty if the cause is not in a field. */
  readonly field: string;
}

/** Returns a denial that consists of one sentence: 403, `Forbidden`. */
export function forbiddenStatus(message: string): ApiStatus {
  return { message, reason: "Forbidden", code: 403 };
}

/** Returns the status for an object that cannot be decoded as the expected type: 400, without a reason. */
export function badRequestStatus(message: string): ApiStatus {
  return { message, code: 400 };
}

/** Returns an error of the server, not of the request: 500, `InternalError`. */
export function internalErrorStatus(detail: string): ApiStatus {
  const message = `Internal error occurred: ${detail}`;
  return { status: "Failure", message, reason: "InternalError", code: 500 };
}

/**
 * Returns the status for an update of an object that was replaced by another one of the same name: 409, `Conflict`.
 *
 * @param resource - in the plural, as in a URL
 * @see Kubernetes `storage.Preconditions`, `apierrors.NewConflict`
 */
export function uidConflictStatus(
  object: {
    readonly group: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
  },
  uids: { readonly sent: string; readonly stored: string },
): ApiStatus {
  const { group, resource, namespace, name } = object;
  const key = `/registry/${group}/${resource}/${namespace}/${name}`;
  const mismatch = `Precondition failed: UID in precondition: ${uids.sent}, UID in object meta: ${uids.stored}`;
  return {
    status: "Failure",
    message: `Operation cannot be fulfilled on ${resource}.${group} ${goQuote(name)}: StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${mismatch}`,
    reason: "Conflict",
    details: { name, group, kind: resource },
    code: 409,
  };
}

/**
 * Returns the status for invalid fields: 422, `Invalid`. The message contains each text once, and the causes repeat it
 * for each occurrence. The end of the message counts omitted errors.
 *
 * @param object.name - shown even if it is empty, but then there are no details
 * @param errors - in the order in which they were found
 * @param omitted - the number of further errors
 * @see Kubernetes `apierrors.NewInvalid`
 * @example invalidStatus({ group: "jobset.x-k8s.io", kind: "JobSet", name: "js" }, [{ type: "FieldValueRequired", field: "spec.managedBy", body: "Required value" }]).message // => 'JobSet.jobset.x-k8s.io "js" is invalid: spec.managedBy: Required value'
 */
export function invalidStatus(
  object: { readonly group: string; readonly kind: string; readonly name: string },
  errors: readonly FieldError[],
  omitted = 0,
): ApiStatus {
  const { group, kind, name } = object;
  const causes = errors.map(
    ({ type, body, field }): StatusCause => ({ reason: type, message: body, field }),
  );
  return {
    status: "Failure",
    message: `${kind}.${group} ${goQuote(name)} is invalid: ${aggregateText(errors, omitted)}`,
    reason: "Invalid",
    details: { ...(name !== "" && { name }), group, kind, causes },
    code: 422,
  };
}

/** Returns the texts of the errors without duplicates, in brackets if there are several. */
function aggregateText(errors: readonly FieldError[], omitted: number): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  if (omitted > 0) texts.push(omittedSuffix(omitted));
  const joined = texts.join(", ");
  return texts.length === 1 ? joined : `[${joined}]`;
}
