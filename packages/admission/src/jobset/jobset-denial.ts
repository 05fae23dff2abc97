import {
  type FieldError,
  fieldErrorText,
  JOBSET_API_VERSION,
  JOBSET_GROUP,
  JOBSET_KIND,
  type JobSet,
  NO_FIELD,
  nameOf,
  namespaceOf,
  type Observed,
} from "@jobset-ts/api";
import type { ObjectKey } from "@jobset-ts/core";
import {
  type ApiStatus,
  badRequestStatus,
  internalErrorStatus,
  invalidStatus,
} from "../api-status.ts";
import type { Denial, Finding } from "../verdict.ts";
import type { Breach, JobSetRuleId } from "./jobset-rule.ts";

/** A refusal for breaches of rules, of which there is at least one. */
export function jobSetDenial(
  jobSet: Observed<JobSet>,
  breaches: readonly Breach[],
): Denial<JobSetRuleId> {
  const object = keyOfJobSet(jobSet);
  const known = breaches.filter(({ unknown }) => unknown === undefined);
  const unknown = breaches.filter(({ unknown }) => unknown !== undefined);
  const find = (some: readonly Breach[]) => some.map((breach) => findingOf(breach, object));
  const roots = known.filter(({ causedBy }) => causedBy === undefined);
  return {
    status: statusFor(object.name, known, breaches),
    roots: find(roots),
    symptoms: find(known.filter(({ causedBy }) => causedBy !== undefined)),
    unknown: find(unknown),
    transient: [...roots, ...unknown].every(({ transient }) => transient === true),
  };
}

/** A refusal of what cannot be read as a JobSet; the client is told of the first error only. */
export function undecodableDenial(
  object: unknown,
  [first, ...others]: readonly [FieldError, ...FieldError[]],
  message = textOf(first),
): Denial<JobSetRuleId> {
  const key = keyOfJobSet(object as Observed<JobSet>);
  return {
    status: badRequestStatus(message),
    roots: [first, ...others].map((error) => findingOf({ rule: "jobset-decodable", error }, key)),
    symptoms: [],
    unknown: [],
    transient: false,
  };
}

function statusFor(name: string, known: readonly Breach[], [first]: readonly Breach[]): ApiStatus {
  if (known.length === 0) return internalErrorStatus(first?.unknown ?? "");
  const errors = known.map(({ error }) => error);
  return invalidStatus({ group: JOBSET_GROUP, kind: JOBSET_KIND, name }, errors);
}

function findingOf(
  { rule, error, about = [], causedBy = [], transient = false, unknown }: Breach,
  object: ObjectKey,
): Finding<JobSetRuleId> {
  const { field, body } = error;
  return {
    id: rule,
    message: unknown ?? textOf(error),
    objects: [object, ...about],
    evidence: field === NO_FIELD ? [] : [{ kind: "field", object, at: field, text: body }],
    transient,
    causedBy,
    ...(unknown === undefined && { fieldError: error }),
  };
}

/** With its path; what has none is said as it is. */
function textOf(error: FieldError): string {
  return error.field === NO_FIELD ? error.body : fieldErrorText(error);
}

function keyOfJobSet(jobSet: Observed<JobSet>): ObjectKey {
  return {
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    namespace: namespaceOf(jobSet),
    name: nameOf(jobSet).toWellFormed(),
  };
}
