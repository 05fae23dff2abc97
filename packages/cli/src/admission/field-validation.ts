import type { AdmissionWarning, ClusterContext, Denial } from "@jobset-ts/admission";
import { fieldFinding } from "@jobset-ts/admission/checks";
import type { FieldError } from "@jobset-ts/api/errors";
import { suggestName } from "@jobset-ts/api/text";
import { decodeErrors, findUnknownFields } from "@jobset-ts/api/typed";
import type { ObjectKey } from "@jobset-ts/core";
import { decodeObject, findPrunedFields, openAPIV3Schema, type PrunedField } from "@jobset-ts/crd";
import { getObjectKey } from "../input/object-key.ts";
import { type InputObject, isJobSet } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

/**
 * How the server treats unknown and duplicate fields: it rejects the object, warns the client, or ignores them. Unknown
 * fields are always dropped, and the last duplicate counts.
 */
export type FieldValidation = "strict" | "warn" | "ignore";

/** The result of validating the fields of an object as an API server does on decoding. */
export interface FieldValidationResult {
  /** Present if the server rejects the object because of its fields. */
  readonly denial?: Denial;
  /** Warnings, or a hint about `--validate`. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the fields of a JobSet or Pod as an API server does. Returns no diagnostics for an object that the server
 * cannot decode, because the decoding error is then the only one.
 *
 * @see Kubernetes `metav1.FieldValidation`, and kubectl's `--validate`, which requests it
 */
export function validateFields(
  input: InputObject,
  validate: FieldValidation,
  context: ClusterContext,
): FieldValidationResult {
  if (validate === "ignore") return { diagnostics: [] };
  const found = listStrictErrors(input, context);
  const [first] = found;
  if (first === undefined || !isReadable(input, context)) return { diagnostics: [] };
  const { diagnose } = input;
  if (validate === "warn") {
    return {
      diagnostics: found.map(({ error, consequence, suggestion = "" }) =>
        diagnose(error.field, `${error.body}${consequence}${suggestion}`, "warning"),
      ),
    };
  }
  const hint = "use --validate=warn to accept it with a warning, as with kubectl";
  return {
    denial: createStrictDenial(getObjectKey(input), found),
    diagnostics: [diagnose(first.error.field, hint, "note")],
  };
}

/** Returns the warnings of an admitted object, except those about fields that {@link validateFields} reports. */
export function listOtherWarnings(
  warnings: readonly AdmissionWarning[],
  input: InputObject,
  context: ClusterContext,
): readonly Diagnostic[] {
  const { diagnose } = input;
  const dropped = warnings.length > 0 ? findDroppedFields(input, context) : [];
  const unknown = new Set(dropped.map(({ field }) => field));
  return warnings
    .filter(({ field }) => !unknown.has(field))
    .map(({ field, message }) => diagnose(field, message, "warning"));
}

/**
 * Returns the denial of a request that the API server cannot decode, before any webhook runs. It names the object as
 * the client did.
 */
export function createBadRequestDenial(
  object: ObjectKey,
  message: string,
  errors: readonly FieldError[],
  omitted = 0,
): Denial {
  const id = object.kind === "Pod" ? "pod-decodable" : "jobset-decodable";
  return {
    status: { message, reason: "BadRequest", code: 400 },
    // The list is not truncated, because a file can have any number of errors.
    roots: errors.map((error) => fieldFinding(id, error, object)),
    symptoms: [],
    unknown: [],
    transient: false,
    ...(omitted > 0 && { omitted }),
  };
}

interface StrictError {
  readonly error: FieldError;
  /** The message of the server. */
  readonly serverMessage: string;
  /** The effect of the problem if it is not an error. */
  readonly consequence: string;
  /** The suggested field. Only the first unknown fields have one, because the search is slow. */
  readonly suggestion?: string;
}

/** Users do not correct more fields than this at once. */
const MAX_SUGGESTIONS = 100;

/** Duplicate fields come first, in the order of the text. Unknown fields follow, in the order of the server. */
function listStrictErrors(input: InputObject, context: ClusterContext): readonly StrictError[] {
  const duplicates = input.duplicates.map(({ field, line }): StrictError => {
    const body = `duplicate field, already set in line ${line}`;
    return {
      error: { type: "FieldValueDuplicate", field, body },
      serverMessage: `duplicate field "${toServerPath(field)}"`,
      consequence: "; the last one counts",
    };
  });
  const unknown = findDroppedFields(input, context);
  return [
    ...duplicates,
    ...unknown.map(({ field, name, known }, index): StrictError => {
      return {
        error: { type: "FieldValueForbidden", field, body: "unknown field" },
        serverMessage: `unknown field "${toServerPath(field)}"`,
        consequence: ", dropped",
        ...(index < MAX_SUGGESTIONS && { suggestion: suggestName(name, known) }),
      };
    }),
  ];
}

/** In these messages, the server joins map keys with dots, as in `metadata.labels.example.com/team`. */
function toServerPath(field: string): string {
  return field.replace(/\[(?!\d+\])([^\]]*)\]/g, ".$1");
}

/** Finds the fields that the API server does not know: of a JobSet, by the schema of its version. */
function findDroppedFields(input: InputObject, { schema }: ClusterContext): readonly PrunedField[] {
  if (!isJobSet(input)) return findUnknownFields(input.value, "Pod");
  return schema === undefined
    ? findUnknownFields(input.value, "JobSet")
    : findPrunedFields(input.value, schema);
}

function isReadable(input: InputObject, { schema = openAPIV3Schema() }: ClusterContext): boolean {
  return isJobSet(input)
    ? decodeObject(input.value, schema).ok
    : decodeErrors(input.value, "Pod").count === 0;
}

/** The maximum number of fields in the message. */
const MAX_NAMED = 100;

function createStrictDenial(object: ObjectKey, found: readonly StrictError[]): Denial {
  const { apiVersion, kind } = object;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const left = found.length - MAX_NAMED;
  const named = found.slice(0, MAX_NAMED).map(({ serverMessage }) => serverMessage);
  const list = [...named, ...(left > 0 ? [`… (${left} more)`] : [])].join(", ");
  return createBadRequestDenial(
    object,
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${list}`,
    found.map(({ error, suggestion = "" }) => {
      return { ...error, body: `${error.body}${suggestion}` };
    }),
  );
}
