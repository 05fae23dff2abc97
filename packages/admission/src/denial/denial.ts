import { type FieldError, formatValue, NO_FIELD, TruncatedErrors } from "@jobset-ts/api/errors";
import { truncateText } from "@jobset-ts/api/text";
import type { Finding } from "@jobset-ts/checks";
import {
  findingToReport,
  MAX_NAME_BYTES,
  type SortedFindings,
  sortedFindings,
} from "@jobset-ts/checks";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";

/**
 * A refusal: what the client is told, and the findings behind it, at least one root or something unknown.
 *
 * It is bounded: 200 failures are told, as far as 28 KiB of text hold them, and as much that is unknown; the others are
 * counted.
 */
export interface Denial<Id extends string = string> extends SortedFindings<Id> {
  /** What the client is told. */
  readonly status: ApiStatus;
  /** Whether trying again later may succeed without anybody changing anything: every root is transient. */
  readonly transient: boolean;
  /** How many findings there are besides; at least so many, where no more were looked for. Absent when none. */
  readonly omitted?: number;
}

/** What was found, such as a {@link CheckEvaluation}. */
export interface FindingSet<Findings extends readonly Finding[]> {
  readonly findings: Findings;
  /** How many findings there are besides, of which nothing else is known; default 0. */
  readonly omitted?: number;
}

/** How a refusal is worded; see {@link createDenial}. */
export interface DenialText<Id extends string = string> {
  /** The finding that the client is told; by default the first certain root, else the first missing fact. */
  readonly reported?: Finding<Id>;
  /** What the client is told; by default the message of what is reported, with 403 `Forbidden`. */
  readonly statusOf?: (reported: Finding<Id>, told: ReportedFindings<Id>) => ApiStatus;
}

/** The findings that a denial tells, in the order in which they were found. */
export interface ReportedFindings<Id extends string = string> {
  readonly failed: readonly Finding<Id>[];
  /** How many failed besides. */
  readonly omitted: number;
  readonly unknown: readonly Finding<Id>[];
}

/**
 * The refusal that follows from findings, such as those of an evaluation; `undefined` when there are none. A missing fact
 * refuses as well: who cannot see whether a request is right does not let it through.
 *
 * Whatever is reported, roots, symptoms and missing facts are told as they are.
 *
 * @param found - findings that are omitted are taken for roots that are not transient
 * @example
 * const run = () => ({ outcome: "Fail", message: "no node", transient: true });
 * const evaluation = evaluateChecks(defineChecks([{ id: "leader-scheduled", causes: [], run }]), {});
 * createDenial(evaluation).status // => { message: "no node", reason: "Forbidden", code: 403 }
 */
export function createDenial<Id extends string>(
  found: FindingSet<readonly [Finding<Id>, ...Finding<Id>[]]>,
  wording?: DenialText<Id>,
): Denial<Id>;
export function createDenial<Id extends string>(
  found: FindingSet<readonly Finding<Id>[]>,
  wording?: DenialText<Id>,
): Denial<Id> | undefined;
export function createDenial<Id extends string>(
  found: FindingSet<readonly Finding<Id>[]>,
  { reported, statusOf = forbidden }: DenialText<Id> = {},
): Denial<Id> | undefined {
  const { findings, omitted = 0 } = found;
  const failed = new TruncatedErrors<Finding<Id>>(errorOf);
  const unknown = new TruncatedErrors<Finding<Id>>(errorOf);
  let transient = omitted === 0;
  for (const finding of findings) {
    (finding.outcome === "Fail" ? failed : unknown).add(() => finding);
    if (finding.causedBy.length === 0 && !finding.transient) transient = false;
  }
  failed.addAll({ told: [], omitted });

  const sorted = sortedFindings([...failed.told, ...unknown.told]);
  const { roots, symptoms } = sorted;
  const shown = reported ?? findingToReport(sorted) ?? roots[0];
  if (shown === undefined || failed.told.length + unknown.told.length === 0) return undefined;
  const told = { failed: failed.told, omitted: failed.omitted, unknown: unknown.told };
  const withValue = valuesInShort();
  const left = failed.omitted + unknown.omitted;
  return {
    status: inShort(statusOf(shown, told)),
    roots: roots.map(withValue),
    symptoms: symptoms.map(withValue),
    unknown: unknown.told,
    transient,
    ...(left > 0 && { omitted: left }),
  };
}

function forbidden({ message }: Finding): ApiStatus {
  return forbiddenStatus(message);
}

/** What is told is measured by its text. */
function errorOf({ fieldError, message }: Finding): FieldError {
  return fieldError ?? { type: "InternalError", field: NO_FIELD, body: message };
}

/** How much text the bad values of a denial's errors are together. */
const MAX_VALUES_CHARACTERS = 8 * 1024;

/** Leaves an error its bad value as long as there is room: whole lists are bad for many reasons. */
function valuesInShort(): <Id extends string>(finding: Finding<Id>) => Finding<Id> {
  let left = MAX_VALUES_CHARACTERS;
  const sizes = new Map<unknown, number>();
  return (finding) => {
    if (finding.fieldError === undefined) return finding;
    const { badValue, ...told } = finding.fieldError;
    const size = sizes.get(badValue) ?? formatValue(badValue).length;
    sizes.set(badValue, size);
    if (size > left) return { ...finding, fieldError: told };
    left -= size;
    return finding;
  };
}

/** Two hundred field errors with the object's name are told in less. */
const MAX_MESSAGE_BYTES = 36 * 1024;

function inShort(status: ApiStatus): ApiStatus {
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
