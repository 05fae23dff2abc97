import { type FieldError, type FieldErrorType, fieldErrorText, quote } from "@jobset-ts/api";

/**
 * Why a request was refused, in the form in which Kubernetes sends it to clients.
 *
 * @see Kubernetes `metav1.Status`
 */
export interface ApiStatus {
  /** Set where the refusal is an error of the API rather than a plain sentence. */
  readonly status?: "Failure";
  readonly message: string;
  /** One PascalCase word for programs, such as `Forbidden` or `Invalid`. */
  readonly reason?: string;
  readonly details?: ApiStatusDetails;
  /** The HTTP status. */
  readonly code: number;
}

/** What an {@link ApiStatus} is about. */
export interface ApiStatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  /** One for each refused field, in the order in which they were found; equal ones stay. */
  readonly causes?: readonly StatusCause[];
}

/** One refused field. */
export interface StatusCause {
  readonly reason: FieldErrorType;
  readonly message: string;
  readonly field: string;
}

/** A refusal that is no more than a sentence: 403, `Forbidden`. */
export function forbiddenStatus(message: string): ApiStatus {
  return { message, reason: "Forbidden", code: 403 };
}

/** An object that cannot be read as what it should be: 400, without a reason. */
export function badRequestStatus(message: string): ApiStatus {
  return { message, code: 400 };
}

/** A fault of the server, not of the request: 500, `InternalError`. */
export function internalErrorStatus(detail: string): ApiStatus {
  const message = `Internal error occurred: ${detail}`;
  return { status: "Failure", message, reason: "InternalError", code: 500 };
}

/**
 * An object with refused fields: 422, `Invalid`.
 *
 * The message says each text once; the causes repeat what was found more than once.
 *
 * @param object.name - shown even when empty, but no detail then
 * @param errors - in the order in which they were found
 * @see Kubernetes `apierrors.NewInvalid`
 * @example invalidStatus({ group: "jobset.x-k8s.io", kind: "JobSet", name: "js" }, [{ type: "FieldValueRequired", field: "spec.managedBy", body: "Required value" }]).message // => 'JobSet.jobset.x-k8s.io "js" is invalid: spec.managedBy: Required value'
 */
export function invalidStatus(
  object: { readonly group: string; readonly kind: string; readonly name: string },
  errors: readonly FieldError[],
): ApiStatus {
  const { group, kind, name } = object;
  const causes = errors.map(
    ({ type, body, field }): StatusCause => ({ reason: type, message: body, field }),
  );
  return {
    status: "Failure",
    message: `${kind}.${group} ${quote(name)} is invalid: ${aggregateText(errors)}`,
    reason: "Invalid",
    details: { ...(name !== "" && { name }), group, kind, causes },
    code: 422,
  };
}

/** No answer holds more; behind it the message ends, while the causes go on. */
const MAX_MESSAGE_CHARACTERS = 2 ** 26;

/** The texts of the errors without repeats, in brackets when there is more than one. */
function aggregateText(errors: readonly FieldError[]): string {
  const texts = new Set<string>();
  let characters = 0;
  for (const error of errors) {
    const text = fieldErrorText(error);
    characters += text.length;
    if (characters > MAX_MESSAGE_CHARACTERS && texts.size > 0) break;
    texts.add(text);
  }
  const joined = [...texts].join(", ");
  return texts.size === 1 ? joined : `[${joined}]`;
}
