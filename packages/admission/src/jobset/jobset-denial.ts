import type { JobSet, Observed } from "@jobset-ts/api";
import { type FieldError, fieldErrorText, invalid, NO_FIELD } from "@jobset-ts/api/errors";
import { JOBSET_API_VERSION, JOBSET_GROUP, JOBSET_KIND } from "@jobset-ts/api/keys";
import { nameOf, namespaceOf, uidOf } from "@jobset-ts/api/kubernetes";
import { boundedText } from "@jobset-ts/api/text";
import {
  type FieldFindingDetails,
  fieldFinding,
  MAX_NAME_BYTES,
  shortKey,
} from "@jobset-ts/checks";
import type { ObjectKey } from "@jobset-ts/core";
import {
  type ApiStatus,
  badRequestStatus,
  internalErrorStatus,
  invalidStatus,
  uidConflictStatus,
} from "../api-status.ts";
import { type Denial, denialOf, type ToldFindings } from "../denial/denial.ts";
import { type JobSetRuleId, jobSetRuleWords, type Violation } from "./jobset-rule.ts";

/** What {@link violationOf} is told besides. */
export type ViolationDetails = Omit<FieldFindingDetails<JobSetRuleId>, "words">;

/** The finding that a JobSet violates a rule at a field. */
export function violationOf(
  jobSet: Observed<JobSet>,
  rule: JobSetRuleId,
  error: FieldError,
  details: ViolationDetails = {},
): Violation {
  const words = jobSetRuleWords[rule];
  return fieldFinding(rule, error, keyOfJobSet(jobSet), { ...details, words });
}

/** The refusal for violations of rules, 422; 500 when it cannot be told whether they are any. */
export function violationsDenial(
  jobSet: Observed<JobSet>,
  findings: readonly [Violation, ...Violation[]],
): Denial<JobSetRuleId> {
  const { name } = keyOfJobSet(jobSet);
  return denialOf({ findings }, { statusOf: (_, told) => statusFor(name, told) });
}

/** Errors, as many as are told, and how many there are besides. */
export interface RefusedFields {
  readonly errors: readonly [FieldError, ...FieldError[]];
  readonly omitted?: number;
}

/** The refusal of fields that all violate the same rule, 422. */
export function fieldsDenial(
  jobSet: Observed<JobSet>,
  rule: JobSetRuleId,
  refused: RefusedFields,
): Denial<JobSetRuleId> {
  const { name } = keyOfJobSet(jobSet);
  return ruleDenial(jobSet, rule, refused, (told) => statusFor(name, told));
}

/**
 * The refusal of what cannot be read as a JobSet, 400.
 *
 * @param message - what the client is told; by default the first error
 */
export function undecodableDenial(
  object: unknown,
  refused: RefusedFields,
  message = errorText(refused.errors[0]),
): Denial<JobSetRuleId> {
  const jobSet = object as Observed<JobSet>;
  return ruleDenial(jobSet, "jobset-decodable", refused, () => badRequestStatus(message));
}

/** The refusal of an update that is of another object of the same name, 409. */
export function conflictDenial(stored: Observed<JobSet>, sent: string): Denial<JobSetRuleId> {
  const { namespace, name } = keyOfJobSet(stored);
  const resource = { group: JOBSET_GROUP, resource: "jobsets", namespace, name };
  const shown = boundedText(sent, MAX_NAME_BYTES);
  const status = uidConflictStatus(resource, { sent: shown, stored: uidOf(stored) });
  const detail = `must be that of the stored JobSet, ${uidOf(stored)}`;
  const finding = violationOf(stored, "uid-kept", invalid("metadata.uid", shown, detail));
  const { message } = status;
  return denialOf({ findings: [{ ...finding, message }] }, { statusOf: () => status });
}

function keyOfJobSet(jobSet: Observed<JobSet>): ObjectKey {
  return shortKey({
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    namespace: namespaceOf(jobSet),
    name: nameOf(jobSet).toWellFormed(),
  });
}

function ruleDenial(
  jobSet: Observed<JobSet>,
  rule: JobSetRuleId,
  { errors: [first, ...others], omitted }: RefusedFields,
  statusOf: (told: ToldFindings) => ApiStatus,
): Denial<JobSetRuleId> {
  const finding = (error: FieldError) => violationOf(jobSet, rule, error);
  const findings = [finding(first), ...others.map(finding)] as const;
  return denialOf({ findings, omitted }, { statusOf: (_, told) => statusOf(told) });
}

function statusFor(name: string, { failed, omitted, unknown }: ToldFindings): ApiStatus {
  if (failed.length === 0) return internalErrorStatus(unknown[0]?.message ?? "");
  const errors = failed.flatMap(({ fieldError }) => fieldError ?? []);
  return invalidStatus({ group: JOBSET_GROUP, kind: JOBSET_KIND, name }, errors, omitted);
}

/** With its path; what has none is said as it is. */
function errorText(error: FieldError): string {
  return error.field === NO_FIELD ? error.body : fieldErrorText(error);
}
