import { type FieldError, formatValue, NO_FIELD, TruncatedErrors } from "@jobset-ts/api/errors";
import { truncateText } from "@jobset-ts/api/text";
import type { Finding } from "@jobset-ts/checks";
import {
  findingToReport,
  MAX_NAME_BYTES,
  type SortedFindings,
  sortFindings,
} from "@jobset-ts/checks";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";

/**
 * A denial: the status for the client and the findings behind it, at least one root cause or unknown fact.
 *
 * Its size is bounded: it lists at most 200 failures with 28 KiB of text, and as many unknown facts. Further
 * ones are counted.
 */
export interface Denial<Id extends string = string> extends SortedFindings<Id> {
  /** The status that the client receives. */
  readonly status: ApiStatus;
  /** Whether a retry may succeed without a change by the user: every root is transient. */
  readonly transient: boolean;
  /** The number of further findings, or a lower bound if the search ended early. Undefined if there are none. */
  readonly omitted?: number;
}

/** The result of checks, such as a {@link CheckEvaluation}. */
export interface FindingSet<Findings extends readonly Finding[]> {
  readonly findings: Findings;
  /** The number of further findings without details. Default: 0. */
  readonly omitted?: number;
}

/** The texts of a denial; see {@link createDenial}. */
export interface DenialText<Id extends string = string> {
  /** The finding that the client sees. Default: the first certain root, or the first missing fact if there is none. */
  readonly reported?: Finding<Id>;
  /** The status that the client receives. Default: the message of the reported finding with 403 `Forbidden`. */
  readonly createStatus?: (reported: Finding<Id>, report: ReportedFindings<Id>) => ApiStatus;
}

/** The findings of a denial, in the order in which they were found. */
export interface ReportedFindings<Id extends string = string> {
  readonly failed: readonly Finding<Id>[];
  /** The number of further failures. */
  readonly omitted: number;
  readonly unknown: readonly Finding<Id>[];
}

/**
 * Creates the denial for findings, such as those of an evaluation. Returns `undefined` without findings. A missing fact
 * also leads to a denial, because a webhook does not admit a request if it does not know whether it is valid. The
 * denial contains roots, symptoms and missing facts, independent of the reported finding.
 *
 * @param found - omitted findings are treated as roots that are not transient
 * @example
 * const run = () => ({ outcome: "Fail", message: "no node", transient: true });
 * const evaluation = evaluateChecks(defineChecks([{ id: "leader-scheduled", causes: [], run }]), {});
 * createDenial(evaluation).status // => { message: "no node", reason: "Forbidden", code: 403 }
 */
export function createDenial<Id extends string>(
  found: FindingSet<readonly [Finding<Id>, ...Finding<Id>[]]>,
  texts?: DenialText<Id>,
): Denial<Id>;
export function createDenial<Id extends string>(
  found: FindingSet<readonly Finding<Id>[]>,
  texts?: DenialText<Id>,
): Denial<Id> | undefined;
export function createDenial<Id extends string>(
  found: FindingSet<readonly Finding<Id>[]>,
  { reported, createStatus = forbidden }: DenialText<Id> = {},
): Denial<Id> | undefined {
  const { findings, omitted = 0 } = found;
  const failed = new TruncatedErrors<Finding<Id>>(toFieldError);
  const unknown = new TruncatedErrors<Finding<Id>>(toFieldError);
  let transient = omitted === 0;
  for (const finding of findings) {
    (finding.outcome === "Fail" ? failed : unknown).add(() => finding);
    if (finding.causedBy.length === 0 && !finding.transient) transient = false;
  }
  failed.addAll({ errors: [], omitted });

  const sorted = sortFindings([...failed.errors, ...unknown.errors]);
  const { roots, symptoms } = sorted;
  const shown = reported ?? findingToReport(sorted) ?? roots[0];
  if (shown === undefined || failed.errors.length + unknown.errors.length === 0) return undefined;
  const report = { failed: failed.errors, omitted: failed.omitted, unknown: unknown.errors };
  const withValue = valuesInShort();
  const left = failed.omitted + unknown.omitted;
  return {
    status: truncateStatus(createStatus(shown, report)),
    roots: roots.map(withValue),
    symptoms: symptoms.map(withValue),
    unknown: unknown.errors,
    transient,
    ...(left > 0 && { omitted: left }),
  };
}

function forbidden({ message }: Finding): ApiStatus {
  return forbiddenStatus(message);
}

/** The size of a finding is the size of its text. */
function toFieldError({ fieldError, message }: Finding): FieldError {
  return fieldError ?? { type: "InternalError", field: NO_FIELD, body: message };
}

/** The maximum length of all bad values in a denial together. */
const MAX_VALUES_CHARACTERS = 8 * 1024;

/**
 * Returns a function that keeps an error's bad value while the limit allows it. A whole list can be invalid for many
 * reasons.
 */
function valuesInShort(): <Id extends string>(finding: Finding<Id>) => Finding<Id> {
  let left = MAX_VALUES_CHARACTERS;
  const sizes = new Map<unknown, number>();
  return (finding) => {
    if (finding.fieldError === undefined) return finding;
    const { badValue, ...fieldError } = finding.fieldError;
    const size = sizes.get(badValue) ?? formatValue(badValue).length;
    sizes.set(badValue, size);
    if (size > left) return { ...finding, fieldError };
    left -= size;
    return finding;
  };
}

/** Large enough for two hundred field errors with the object's name. */
const MAX_MESSAGE_BYTES = 36 * 1024;

function truncateStatus(status: ApiStatus): ApiStatus {
  const { message, details } = status;
  const { name } = details ?? {};
  return {
    ...status,
    message: truncateText(message, MAX_MESSAGE_BYTES),
    ...(name !== undefined && {
      details: { ...details, name: truncateText(name, MAX_NAME_BYTES) },
    }),
  };
}
