import type { EpochMillis } from "@jobset-ts/api";
import type { ServerRejection } from "./api-request.ts";
import type { Objects, Stored } from "./objects.ts";

/**
 * An admission plugin or a webhook. Mutating steps run one after the other before validation. Validating steps run
 * after it.
 */
export interface AdmissionStep {
  readonly name: string;
  /** Whether the step can change the object. Mutating steps run before steps that only admit or deny. */
  readonly mutates: boolean;
  /** The kinds whose creation it reviews. */
  readonly kinds: readonly string[];
  /** Whether it also reviews updates of these kinds. */
  readonly onUpdate: boolean;
  /** Admits the object, changed or unchanged, or denies it. */
  readonly review: (review: Review) => AdmissionResult;
}

export interface Review {
  readonly now: EpochMillis;
  readonly object: Stored;
  /** Undefined on create. */
  readonly before: Stored | undefined;
  readonly objects: Objects;
  /** Returns the memory of a component, such as the cache that a webhook reads. */
  readonly getMemory: (component: string) => unknown;
}

export type AdmissionResult = { readonly ok: true; readonly object: Stored } | ServerRejection;
