import type { EpochMillis } from "@jobset-ts/api";
import { type FieldError, formatFieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { truncateText } from "@jobset-ts/api/text";
import type { ObjectKey } from "@jobset-ts/core";
import { shortKey } from "./short-key.ts";

/** An object, field or Event that proves a finding. */
export interface Evidence {
  /** What it is: a member of an object, a condition in its status, an Event about it, or that it is not there. */
  readonly kind: "Field" | "Condition" | "Event" | "Absence";
  readonly object: ObjectKey;
  /** The member's path, the condition's type or the Event's reason. */
  readonly at?: string;
  /** What stands there, or the sentence that says what does not. */
  readonly text: string;
}

/**
 * A check or rule that did not pass, and why. All that there is to say of it is in it, as plain data: a denial and its
 * explanation are views of findings, and know nothing of the checks that made them.
 */
export interface Finding<Id extends string = string> {
  /** The check or rule, by its name in kebab-case. A rule may be broken at several places, with a finding for each. */
  readonly id: Id;
  /** Whether it fails, or cannot be answered because a fact is missing. */
  readonly outcome: "Fail" | "Unknown";
  /** A sentence for a person; where upstream has words for it, upstream's. */
  readonly message: string;
  /** The message in our words. Absent if the message says it already. */
  readonly statement?: string;
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
  /** Since when it fails. Absent if that is unknown. */
  readonly since?: EpochMillis;
  /** What the failure means if it is a root. Only diagnoses set it. */
  readonly status?: FindingStatus;
  /** A text that findings of one cause share. Default: the message. */
  readonly group?: string;
  /** For a question that cannot be answered because objects were not read: their kinds. */
  readonly missing?: readonly string[];
  /** For a refused field: its path and what the API says of it; with the bad value where there is room. */
  readonly fieldError?: FieldError;
  /** How far the value is from what is allowed, where it can be more or less so: the larger, the worse. */
  readonly size?: number;
  /** Those of the check. */
  readonly texts?: FindingText;
}

/** Whether a failure resolves itself shortly, needs an expected event or decision, or needs a fix. */
export type FindingStatus = "Progressing" | "Waiting" | "Stuck";

/** Texts of a check or rule that apply to all its findings. */
export interface FindingText {
  /** What the failure is called in an explanation, such as `leader-unscheduled`; by default the check's name. */
  readonly problem?: string;
  /** What helps when this is the root cause; by default, to correct the field that is refused. */
  readonly advice?: readonly string[];
  /** Whether clients never see this check, because it is a hidden cause of others. */
  readonly isBehind?: boolean;
  /** What comes between this failure and its nearest cause, when that is one of these checks. */
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
  /** Other objects that it is about. */
  readonly about?: readonly ObjectKey[];
  /** Set where it cannot be said whether the field is to be refused: the fact that is missing. */
  readonly unknown?: string;
};

/**
 * Returns the finding that a field of an object is refused.
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
