import type { EpochMillis } from "@jobset-ts/api";
import { type FieldError, formatFieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { truncateText } from "@jobset-ts/api/text";
import type { ObjectKey } from "@jobset-ts/core";
import { shortKey } from "./short-key.ts";

/** An object, field or Event that proves a finding. */
export interface Evidence {
  /** The kind of evidence: a field of an object, a condition in its status, an Event about it, or its absence. */
  readonly kind: "Field" | "Condition" | "Event" | "Absence";
  readonly object: ObjectKey;
  /** The member's path, the condition's type or the Event's reason. */
  readonly at?: string;
  /** The value, or a sentence that says what is absent. */
  readonly text: string;
}

/**
 * A check or rule that did not pass, and the reason. It is plain data and complete: a denial and its explanation are
 * views of findings and do not know the checks.
 */
export interface Finding<Id extends string = string> {
  /**
   * The name of the check or rule in kebab-case. A rule that is violated in several places has one finding for each.
   */
  readonly id: Id;
  /** Whether it fails, or is unknown because a fact is missing. */
  readonly outcome: "Fail" | "Unknown";
  /** A sentence for people. If upstream defines a message, it is upstream's. */
  readonly message: string;
  /** The same message in jobset-ts's own wording. Undefined if `message` is already clear. */
  readonly statement?: string;
  /** The affected objects, at most a hundred. */
  readonly objects: readonly ObjectKey[];
  readonly evidence: readonly Evidence[];
  /** Whether the failure may resolve itself, without a change by the user. */
  readonly transient: boolean;
  /** The failing checks that cause this one, nearest first. Empty for a root cause. */
  readonly causedBy: readonly Id[];
  /**
   * For a root: the unknown checks that may have caused it, nearest first. Undefined if there are none. Then it is
   * certainly a root.
   */
  readonly mayBeCausedBy?: readonly Id[];
  /** The time since which it fails. Undefined if that is unknown. */
  readonly since?: EpochMillis;
  /** The status of the JobSet if this is a root. Only diagnoses set it. */
  readonly status?: FindingStatus;
  /** A text that findings with the same cause share. Default: the message. */
  readonly group?: string;
  /** If the result is unknown because objects were not read: their kinds. */
  readonly missing?: readonly string[];
  /** For a rejected field: its path and the API's message, with the bad value if it fits. */
  readonly fieldError?: FieldError;
  /** How far a value is outside the allowed range, if that can be measured. A larger number is worse. */
  readonly size?: number;
  /** The texts of the check. */
  readonly texts?: FindingText;
}

/** Whether a failure resolves itself shortly, needs an expected event or decision, or needs a fix. */
export type FindingStatus = "Progressing" | "Waiting" | "Stuck";

/** Texts of a check or rule that apply to all its findings. */
export interface FindingText {
  /** The name of the failure in an explanation, such as `leader-unscheduled`. Default: the check's name. */
  readonly problem?: string;
  /** Advice if this is the root cause. Default: to correct the rejected field. */
  readonly advice?: readonly string[];
  /** Whether clients never see this check, because it only explains others. */
  readonly isBehind?: boolean;
  /** An intermediate step between this failure and its nearest cause, if that cause is one of these checks. */
  readonly between?: {
    readonly causes: readonly string[];
    readonly problem: string;
    readonly statement: string;
  };
}

/** The optional details of {@link fieldFinding}. */
export type FieldFindingDetails<Id extends string> = Partial<
  Pick<Finding<Id>, "causedBy" | "transient" | "size" | "texts">
> & {
  /** Other affected objects. */
  readonly about?: readonly ObjectKey[];
  /** The missing fact, if it is unknown whether the field is invalid. */
  readonly unknown?: string;
};

/**
 * Returns a finding for a rejected field of an object.
 *
 * @param error - an error without a field is shown without a path
 * @example
 * const error = { type: "FieldValueRequired", field: "metadata.name", body: "Required value" };
 * const object = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "" };
 * fieldFinding("name-set", error, object).message // => "metadata.name: Required value"
 */
export function fieldFinding<Id extends string>(
  id: Id,
  error: FieldError,
  object: ObjectKey,
  {
    about = [],
    causedBy = [],
    transient = false,
    unknown,
    size,
    texts,
  }: FieldFindingDetails<Id> = {},
): Finding<Id> {
  const { field, body } = error;
  const isOfField = field !== NO_FIELD;
  const text = isOfField ? formatFieldError(error) : body;
  return {
    id,
    outcome: unknown === undefined ? "Fail" : "Unknown",
    message: unknown === undefined ? text : truncateText(unknown, MAX_UNKNOWN_BYTES),
    objects: [object, ...about.map(shortKey)],
    evidence: isOfField ? [{ kind: "Field", object, at: field, text: body }] : [],
    transient,
    causedBy,
    ...(unknown === undefined && { fieldError: error }),
    ...(size !== undefined && { size }),
    ...(texts !== undefined && { texts }),
  };
}

const MAX_UNKNOWN_BYTES = 8 * 1024;
