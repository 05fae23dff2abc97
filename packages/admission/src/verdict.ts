import type { FieldError } from "@jobset-ts/api/errors";
import type { ObjectKey } from "@jobset-ts/core";
import type { ApiStatus } from "./api-status.ts";

/** What somebody can look up to see for themselves that a finding is so. */
export interface Evidence {
  /** What it is: a member of an object, a condition in its status, an Event about it, or that it is not there. */
  readonly kind: "field" | "condition" | "event" | "absence";
  readonly object: ObjectKey;
  /** The member's path, the condition's type or the Event's reason. */
  readonly at?: string;
  /** What stands there, or the sentence that says what does not. */
  readonly text: string;
}

/** A check that did not pass, and why. */
export interface Finding<Id extends string = string> {
  /** The check, by its name in kebab-case. */
  readonly id: Id;
  /** A sentence for a person; where upstream has words for it, upstream's. */
  readonly message: string;
  /** The objects that it is about; a hundred at most. */
  readonly objects: readonly ObjectKey[];
  readonly evidence: readonly Evidence[];
  /** Whether waiting may end it, without anybody changing anything. */
  readonly transient: boolean;
  /** The checks that fail as well and bring this one about, nearest first; empty for a root cause. */
  readonly causedBy: readonly Id[];
  /**
   * For a root: the checks that cannot be answered and that may have brought it about, nearest first. Absent when there
   * are none: then it is a root for certain.
   */
  readonly mayBeCausedBy?: readonly Id[];
  /** For a refused field: its path and what the API says of it; with the bad value where there is room. */
  readonly fieldError?: FieldError;
}

/**
 * A refusal: what the client is told, and what is behind it.
 *
 * It is bounded: 200 refused fields are told, as far as 28 KiB of text hold them, and the others counted.
 */
export interface Denial<Id extends string = string> {
  /** What the client is told. */
  readonly status: ApiStatus;
  /** The checks that failed and that no other failed check brought about. At least one, unless facts are missing. */
  readonly roots: readonly Finding<Id>[];
  /** The checks that failed because a root did. */
  readonly symptoms: readonly Finding<Id>[];
  /** The checks that cannot be answered because a fact is missing, such as Pods that could not be listed. */
  readonly unknown: readonly Finding<Id>[];
  /** Whether trying again later may succeed without anybody changing anything: every root is transient. */
  readonly transient: boolean;
  /** How many findings there are besides; at least so many, where no more were looked for. Absent when none. */
  readonly omitted?: number;
}

/** What a validating webhook answers. */
export type Validated<Id extends string = string> =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** What a mutating webhook answers. */
export type Mutated<Kind, Id extends string = string> =
  | {
      readonly allowed: true;
      /** The object after the webhook's patch; the one that was sent when nothing changes. */
      readonly object: Kind;
      readonly changed: boolean;
      /** Why something was done, or left undone, in the order of the decisions. */
      readonly decisions: readonly AdmissionDecision[];
    }
  | { readonly allowed: false; readonly denial: Denial<Id> };

/** Why a mutating webhook did something, or left it undone. */
export interface AdmissionDecision {
  /** The rule, one PascalCase word for programs. */
  readonly rule: string;
  /** A sentence for a person. */
  readonly message: string;
  /** The checks whose failure made the webhook leave something undone. */
  readonly because?: readonly Finding[];
}
