import {
  JOBSET_API_VERSION,
  JOBSET_GROUP,
  JOBSET_KIND,
  type JobSet,
  type Observed,
} from "@jobset-ts/api";
import {
  type FieldError,
  fieldErrorText,
  invalid,
  NO_FIELD,
  showValue,
} from "@jobset-ts/api/errors";
import { nameOf, namespaceOf, uidOf } from "@jobset-ts/api/kubernetes";
import { boundedText } from "@jobset-ts/api/text";
import type { ObjectKey } from "@jobset-ts/core";
import {
  type ApiStatus,
  badRequestStatus,
  internalErrorStatus,
  invalidStatus,
  uidConflictStatus,
} from "../api-status.ts";
import { MAX_NAME_BYTES, shortKey } from "../short-key.ts";
import type { Denial, Finding } from "../verdict.ts";
import type { FoundViolations } from "./found-violations.ts";
import type { JobSetRuleId, Violation } from "./jobset-rule.ts";

/** A refusal for violations of rules, of which there is at least one. */
export function jobSetDenial(
  jobSet: Observed<JobSet>,
  found: FoundViolations,
): Denial<JobSetRuleId> {
  const object = keyOfJobSet(jobSet);
  const withValue = badValues();
  const find = (some: readonly Violation[]) =>
    some.map((violation) => findingOf(violation, object, withValue));
  const { told } = found.known;
  return {
    status: statusFor(object.name, found),
    roots: find(told.filter(({ causedBy }) => causedBy === undefined)),
    symptoms: find(told.filter(({ causedBy }) => causedBy !== undefined)),
    unknown: find(found.unknown.told),
    transient: found.areTransient,
    ...(found.omitted > 0 && { omitted: found.omitted }),
  };
}

/** A refusal of what cannot be read as a JobSet; the client is told of the first error only. */
export function undecodableDenial(
  object: unknown,
  { told, omitted }: { readonly told: readonly FieldError[]; readonly omitted: number },
  message = told.slice(0, 1).map(textOf).join(),
): Denial<JobSetRuleId> {
  const key = keyOfJobSet(object as Observed<JobSet>);
  const withValue = badValues();
  return {
    status: badRequestStatus(message),
    roots: told.map((error) => findingOf({ rule: "jobset-decodable", error }, key, withValue)),
    symptoms: [],
    unknown: [],
    transient: false,
    ...(omitted > 0 && { omitted }),
  };
}

/** A refusal of an update that is of another object of the same name. */
export function conflictDenial(stored: Observed<JobSet>, sent: string): Denial<JobSetRuleId> {
  const object = keyOfJobSet(stored);
  const { namespace, name } = object;
  const resource = { group: JOBSET_GROUP, resource: "jobsets", namespace, name };
  const shown = boundedText(sent, MAX_NAME_BYTES);
  const status = uidConflictStatus(resource, { sent: shown, stored: uidOf(stored) });
  const field = "metadata.uid";
  const fieldError = invalid(field, shown, `must be that of the stored JobSet, ${uidOf(stored)}`);
  return {
    status,
    roots: [
      {
        id: "uid-kept",
        message: status.message,
        objects: [object],
        evidence: [{ kind: "field", object, at: field, text: fieldError.body }],
        transient: false,
        causedBy: [],
        fieldError,
      },
    ],
    symptoms: [],
    unknown: [],
    transient: false,
  };
}

function statusFor(name: string, { known, unknown }: FoundViolations): ApiStatus {
  const [first] = unknown.told;
  if (known.count === 0) return internalErrorStatus(first === undefined ? "" : sentenceOf(first));
  const errors = known.told.map(({ error }) => error);
  return invalidStatus({ group: JOBSET_GROUP, kind: JOBSET_KIND, name }, errors, known.omitted);
}

function findingOf(
  violation: Violation,
  object: ObjectKey,
  withValue: (error: FieldError) => FieldError,
): Finding<JobSetRuleId> {
  const { rule, error, about = [], causedBy = [], transient = false, unknown } = violation;
  const { field, body } = error;
  return {
    id: rule,
    message: sentenceOf(violation),
    objects: [object, ...about.map(shortKey)],
    evidence: field === NO_FIELD ? [] : [{ kind: "field", object, at: field, text: body }],
    transient,
    causedBy,
    ...(unknown === undefined && { fieldError: withValue(error) }),
  };
}

function sentenceOf({ unknown, error }: Violation): string {
  return unknown === undefined ? textOf(error) : boundedText(unknown, MAX_SENTENCE_BYTES);
}

const MAX_SENTENCE_BYTES = 8 * 1024;

/** How much text the bad values of a denial's errors are together. */
const MAX_VALUES_CHARACTERS = 8 * 1024;

/** Leaves an error its bad value as long as there is room: whole lists are bad for many reasons. */
function badValues(): (error: FieldError) => FieldError {
  let left = MAX_VALUES_CHARACTERS;
  const sizes = new Map<unknown, number>();
  return (error) => {
    const { badValue, ...told } = error;
    const size = sizes.get(badValue) ?? showValue(badValue).length;
    sizes.set(badValue, size);
    if (size > left) return told;
    left -= size;
    return error;
  };
}

/** With its path; what has none is said as it is. */
function textOf(error: FieldError): string {
  return error.field === NO_FIELD ? error.body : fieldErrorText(error);
}

function keyOfJobSet(jobSet: Observed<JobSet>): ObjectKey {
  return shortKey({
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    namespace: namespaceOf(jobSet),
    name: nameOf(jobSet).toWellFormed(),
  });
}
