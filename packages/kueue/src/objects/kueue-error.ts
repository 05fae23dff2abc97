import { goQuote } from "@jobset-ts/api/text";
import type { KueueEvent } from "./event.ts";

/** An error with Kueue's reason and message. */
export interface KueueError {
  readonly reason: KueueErrorReason;
  /** Kueue's message, verbatim. */
  readonly message: string;
  /** Whether a retry cannot succeed. Then Kueue finishes the Workload. */
  readonly isPermanent: boolean;
  /** The Event to create for the JobSet. */
  readonly event?: KueueEvent;
  /** The API server's error for the missing object, if `message` contains more than that. */
  readonly lookup?: string;
}

/** The reason of a {@link KueueError}. */
export type KueueErrorReason =
  /** A required object does not exist. */
  | "NotFound"
  /** A topology annotation cannot be parsed. */
  | "InvalidTopology"
  /** Two sources set different values for one key. */
  | "Conflict"
  /** The Pod sets of a Workload do not match the JobSet. */
  | "InvalidPodSetInfos"
  /** The chain of owners has a cycle or is too long. */
  | "InvalidOwners"
  /** Workloads were deleted. The next step must wait until they are gone. */
  | "WorkloadsDeleted"
  /** MultiKueue's origin is empty. */
  | "NoOrigin";

/** A value, or the error that prevented it. */
export type KueueResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: KueueError };

/** Returns an error that a retry can resolve. */
export function failResult(
  reason: KueueErrorReason,
  message: string,
  event?: KueueEvent,
): { readonly ok: false; readonly refusal: KueueError } {
  return { ok: false, refusal: { reason, message, isPermanent: false, ...(event && { event }) } };
}

/** Returns an error that no retry can resolve. */
export function failPermanently(
  reason: KueueErrorReason,
  message: string,
): { readonly ok: false; readonly refusal: KueueError } {
  return { ok: false, refusal: { reason, message, isPermanent: true } };
}

/** Returns the API server's message for a missing object. */
export function notFoundMessage(resource: string, name: string): string {
  return `${resource} ${goQuote(name)} not found`;
}
