import type { ReadError, Snapshot } from "@jobset-ts/core";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";

/** A kind of object that was not read, so that nothing can be said about what there is of it. */
export interface UnreadKind {
  readonly kind: string;
  readonly message: string;
  /** Present when somebody tried to read it. */
  readonly readError?: ReadError;
}

/** Whether and why a kind was not read; `undefined` when it was, be there any of it or none. */
export function unreadKind(kind: string, snapshot: Snapshot): UnreadKind | undefined {
  const readError = snapshot.readError(kind);
  if (readError !== undefined) return { kind, message: readError.message, readError };
  return snapshot.knows(kind)
    ? undefined
    : { kind, message: `objects of kind ${kind} were not read` };
}

/**
 * What the client is told when a kind was not read: what the API server answered to the read, or a plain sentence
 * when the read failed elsewhere, or that this is our own fault when nobody tried.
 */
export function unreadStatus({ message, readError }: UnreadKind): ApiStatus {
  if (readError === undefined) return { message, reason: "InternalError", code: 500 };
  const { reason, code } = readError;
  if (reason === undefined && code === undefined) return forbiddenStatus(message);
  return {
    status: "Failure",
    message,
    ...(reason !== undefined && { reason }),
    code: code ?? 500,
  };
}
