import { goQuote } from "@jobset-ts/api/text";
import type { KueueEvent } from "./event.ts";

/** Why something cannot be done, as Kueue puts it. */
export interface KueueError {
  readonly reason: KueueRefusalReason;
  /** In Kueue's words. */
  readonly message: string;
  /** Whether trying again is of no use: what was to be started is finished then. */
  readonly isPermanent: boolean;
  /** The Event about the JobSet. */
  readonly event?: KueueEvent;
  /** What the API server says of the object that is not there, where the message says more. */
  readonly lookup?: string;
}

/** What kind of refusal it is. */
export type KueueRefusalReason =
  /** An object that is needed is not there. */
  | "NotFound"
  /** An annotation that asks for a topology cannot be read. */
  | "InvalidTopology"
  /** Two parties want different values under one key. */
  | "Conflict"
  /** The Pod sets of a Workload are not those of the JobSet. */
  | "InvalidPodSetInfos"
  /** Owners own each other, or own too many others. */
  | "InvalidOwners"
  /** Workloads were deleted, and what follows has to wait until they are gone. */
  | "WorkloadsDeleted"
  /** MultiKueue's origin is empty. */
  | "NoOrigin";

/** A value, or why there is none. */
export type KueueResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: KueueError };

/** A refusal that may be over later. */
export function failResult(
  reason: KueueRefusalReason,
  message: string,
  event?: KueueEvent,
): { readonly ok: false; readonly refusal: KueueError } {
  const told = event === undefined ? {} : { event };
  return { ok: false, refusal: { reason, message, isPermanent: false, ...told } };
}

/** A refusal that stays one. */
export function failPermanently(
  reason: KueueRefusalReason,
  message: string,
): { readonly ok: false; readonly refusal: KueueError } {
  return { ok: false, refusal: { reason, message, isPermanent: true } };
}

/** What an API server says of an object that is not there. */
export function notFoundMessage(resource: string, name: string): string {
  return `${resource} ${goQuote(name)} not found`;
}
