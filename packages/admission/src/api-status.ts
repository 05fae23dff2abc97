import type { FieldErrorType } from "@jobset-ts/api";

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
