import {
  decodeErrors,
  defaultJobSetRequest,
  type FieldError,
  type JobSet,
  NO_FIELD,
  type Observed,
} from "@jobset-ts/api";
import { type AdmissionError, admit } from "@jobset-ts/api/crd";
import { unknownFields } from "./unknown-fields.ts";

/** Something about a field; the field is empty for the object as a whole. */
interface FieldFinding {
  readonly field: string;
  readonly message: string;
}

/** What a cluster makes of a new JobSet. */
export type Admission =
  | {
      readonly ok: true;
      readonly jobSet: Observed<JobSet>;
      readonly warnings: readonly FieldFinding[];
    }
  | {
      readonly ok: false;
      readonly errors: readonly FieldFinding[];
      readonly warnings: readonly FieldFinding[];
    };

/**
 * Creates a JobSet as a cluster would, but for the validating webhook: the API server reads, prunes and defaults it, the
 * mutating webhook fills in what is missing, the API server prunes and defaults it again, and then checks it.
 *
 * Errors of different steps are never mixed: the first step that refuses ends the request.
 *
 * @returns the JobSet as it is stored: with a name, and without status
 */
export function admitNew(object: unknown): Admission {
  // Both steps that decode answer with the words of Go, without a field; these name it.
  const undecodable = decodeErrors(object, "JobSet");
  if (undecodable.length > 0) return refused(undecodable, []);

  const { object: read, errors } = admit(object);
  if (read === undefined) return refused(errors, []);
  const warnings = unknownFields(object, read).map((field) => ({
    field,
    message: "unknown field, dropped",
  }));

  const defaulted = defaultJobSetRequest(read);
  if (!defaulted.allowed) return refused(defaulted.errors, warnings);

  const admission = admit(defaulted.jobSet);
  if (!admission.ok) return refused(admission.errors, warnings);
  return { ok: true, jobSet: admission.stored as Observed<JobSet>, warnings };
}

function refused(
  errors: readonly (FieldError | AdmissionError)[],
  warnings: readonly FieldFinding[],
): Admission {
  const findings = errors.map(({ field, body }) => ({
    field: field === NO_FIELD ? "" : field,
    message: body,
  }));
  // What belongs to no field is about the errors of those that do.
  const ofFields = findings.filter(({ field }) => field !== "");
  const ofNone = findings.filter(({ field }) => field === "");
  return { ok: false, errors: [...ofFields, ...ofNone], warnings };
}
