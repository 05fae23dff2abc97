import type { EpochMillis } from "@jobset-ts/api";
import type { ServerRejection } from "./api-request.ts";
import type { Objects, Stored } from "./objects.ts";

/**
 * An admission plugin or a webhook. Those that mutate run one after the other before an object is checked, those that
 * validate after it.
 */
export interface AdmissionStep {
  readonly name: string;
  /** Whether it may change the object: those that do come before those that only let in or refuse. */
  readonly mutates: boolean;
  /** The kinds whose creations it reviews. */
  readonly kinds: readonly string[];
  /** Whether it also reviews updates of these kinds. */
  readonly onUpdate: boolean;
  /** Lets the object in, as it is or as a new one, or refuses. */
  readonly review: (review: Review) => AdmissionResult;
}

export interface Review {
  readonly now: EpochMillis;
  readonly object: Stored;
  /** Absent on create. */
  readonly before: Stored | undefined;
  readonly objects: Objects;
  /** What a component remembers, such as the cache that a webhook reads. */
  readonly memoryOf: (component: string) => unknown;
}

export type AdmissionResult = { readonly ok: true; readonly object: Stored } | ServerRejection;
