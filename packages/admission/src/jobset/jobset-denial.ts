import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { type FieldError, formatFieldError, invalid, NO_FIELD } from "@jobset-ts/api/errors";
import { JOBSET_API_VERSION, JOBSET_GROUP, JOBSET_KIND } from "@jobset-ts/api/keys";
import { getName, getNamespace, getUid } from "@jobset-ts/api/kubernetes";
import { truncateText } from "@jobset-ts/api/text";
import {
  type FieldFindingDetails,
  fieldFinding,
  MAX_NAME_BYTES,
  shortKey,
} from "@jobset-ts/checks";
import type { ObjectKey, Quirks } from "@jobset-ts/core";
import {
  type ApiStatus,
  badRequestStatus,
  forbiddenStatus,
  internalErrorStatus,
  invalidStatus,
  uidConflictStatus,
} from "../api-status.ts";
import { createDenial, type Denial, type ReportedFindings } from "../denial/denial.ts";
import { type JobSetRuleId, jobSetRuleWords, type Violation } from "./jobset-rule.ts";

/** The optional details of {@link createViolation}. */
export type ViolationDetails = Omit<FieldFindingDetails<JobSetRuleId>, "texts">;

/** Returns the finding that a JobSet violates a rule at a field. */
export function createViolation(
  jobSet: Unvalidated<JobSet>,
  rule: JobSetRuleId,
  error: FieldError,
  details: ViolationDetails = {},
): Violation {
  const texts = jobSetRuleWords[rule];
  return fieldFinding(rule, error, getJobSetKey(jobSet), { ...details, texts });
}

/**
 * Creates the denial for violations of rules: 422, or 500 if a rule could not be evaluated.
 *
 * @param quirks - with the quirk of some releases, the denial has code 403 and no causes
 */
export function violationsDenial(
  jobSet: Unvalidated<JobSet>,
  findings: readonly [Violation, ...Violation[]],
  operation: "CREATE" | "UPDATE",
  quirks: Quirks,
): Denial<JobSetRuleId> {
  const { name } = getJobSetKey(jobSet);
  return createDenial(
    { findings },
    {
      createStatus: (_, reported) =>
        quirks.has("DenialsForbidden")
          ? forbiddenStatus(joinErrors(reported, operation))
          : statusFor(name, reported),
    },
  );
}

/** Joins errors as releases up to v0.11 do. An error without a field is only its detail. */
function joinErrors({ failed, unknown }: ReportedFindings, operation: "CREATE" | "UPDATE"): string {
  const texts = [...failed, ...unknown].map(({ fieldError, message }) =>
    fieldError === undefined ? message : errorText(fieldError).replace(/^Internal error: /, ""),
  );
  if (operation === "CREATE") return texts.join("\n");
  const [first, ...others] = new Set(texts);
  return others.length === 0 ? `${first}` : `[${[first, ...others].join(", ")}]`;
}

/** The reported errors, and the number of omitted ones. */
export interface DeniedFields {
  readonly errors: readonly [FieldError, ...FieldError[]];
  readonly omitted?: number;
}

/** Returns the denial for fields that all violate the same rule, 422. */
export function fieldsDenial(
  jobSet: Unvalidated<JobSet>,
  rule: JobSetRuleId,
  rejected: DeniedFields,
): Denial<JobSetRuleId> {
  const { name } = getJobSetKey(jobSet);
  return ruleDenial(jobSet, rule, rejected, (reported) => statusFor(name, reported));
}

/**
 * Returns the denial of a value that is not a JobSet, 400.
 *
 * @param message - the message for the client. Default: the first error
 */
export function undecodableDenial(
  object: unknown,
  rejected: DeniedFields,
  message = errorText(rejected.errors[0]),
): Denial<JobSetRuleId> {
  const jobSet = object as Unvalidated<JobSet>;
  return ruleDenial(jobSet, "jobset-decodable", rejected, () => badRequestStatus(message));
}

/** Returns the denial for an update of another object with the same name, 409. */
export function conflictDenial(stored: Unvalidated<JobSet>, sent: string): Denial<JobSetRuleId> {
  const { namespace, name } = getJobSetKey(stored);
  const resource = { group: JOBSET_GROUP, resource: "jobsets", namespace, name };
  const shown = truncateText(sent, MAX_NAME_BYTES);
  const status = uidConflictStatus(resource, { sent: shown, stored: getUid(stored) });
  const detail = `must be that of the stored JobSet, ${getUid(stored)}`;
  const finding = createViolation(stored, "uid-kept", invalid("metadata.uid", shown, detail));
  const { message } = status;
  return createDenial({ findings: [{ ...finding, message }] }, { createStatus: () => status });
}

function getJobSetKey(jobSet: Unvalidated<JobSet>): ObjectKey {
  return shortKey({
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    namespace: getNamespace(jobSet),
    name: getName(jobSet).toWellFormed(),
  });
}

function ruleDenial(
  jobSet: Unvalidated<JobSet>,
  rule: JobSetRuleId,
  { errors: [first, ...others], omitted }: DeniedFields,
  statusOf: (reported: ReportedFindings) => ApiStatus,
): Denial<JobSetRuleId> {
  const finding = (error: FieldError) => createViolation(jobSet, rule, error);
  const findings = [finding(first), ...others.map(finding)] as const;
  return createDenial({ findings, omitted }, { createStatus: (_, reported) => statusOf(reported) });
}

function statusFor(name: string, { failed, omitted, unknown }: ReportedFindings): ApiStatus {
  if (failed.length === 0) return internalErrorStatus(unknown[0]?.message ?? "");
  const errors = failed.flatMap(({ fieldError }) => fieldError ?? []);
  return invalidStatus({ group: JOBSET_GROUP, kind: JOBSET_KIND, name }, errors, omitted);
}

/** Formats an error with its path, if any. */
function errorText(error: FieldError): string {
  return error.field === NO_FIELD ? error.body : formatFieldError(error);
}
