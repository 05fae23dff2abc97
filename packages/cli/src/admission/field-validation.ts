import type { AdmissionWarning, Denial } from "@jobset-ts/admission";
import { fieldFinding } from "@jobset-ts/admission/checks";
import type { FieldError } from "@jobset-ts/api/errors";
import { suggestName } from "@jobset-ts/api/text";
import { decodeErrors, findUnknownFields, listUnknownFields } from "@jobset-ts/api/typed";
import type { ObjectKey } from "@jobset-ts/core";
import { decodeObject, openAPIV3Schema } from "@jobset-ts/crd";
import { getObjectKey } from "../input/object-key.ts";
import { type InputObject, isJobSet } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";

/**
 * What happens to unknown fields and to fields that are set twice: the object is rejected, the client is warned, or
 * neither. In any case unknown fields are dropped, and the last duplicate counts.
 */
export type FieldValidation = "strict" | "warn" | "ignore";

/** What an API server says of the fields of an object when it reads it. */
export interface FieldValidationResult {
  /** Present when it refuses the object for them. */
  readonly denial?: Denial;
  /** Warnings, or what would help. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the fields of a JobSet or Pod as an API server does. Of an object that it cannot read at all it says only that,
 * and we nothing here.
 *
 * @see Kubernetes `metav1.FieldValidation`, and kubectl's `--validate`, which asks for it
 */
export function validateFields(
  input: InputObject,
  validate: FieldValidation,
): FieldValidationResult {
  if (validate === "ignore") return { diagnostics: [] };
  const found = strictErrors(input);
  const [first] = found;
  if (first === undefined || !isReadable(input)) return { diagnostics: [] };
  const { diagnose } = input;
  if (validate === "warn") {
    return {
      diagnostics: found.map(({ error, consequence, suggestion = "" }) =>
        diagnose(error.field, `${error.body}${consequence}${suggestion}`, "warning"),
      ),
    };
  }
  const hint = "--validate=warn lets it pass, as with kubectl";
  return {
    denial: strictDenial(getObjectKey(input), found),
    diagnostics: [diagnose(first.error.field, hint, "note")],
  };
}

/** What else a server warns of when it admits an object: {@link validateFields} tells of the fields. */
export function listOtherWarnings(
  warnings: readonly AdmissionWarning[],
  { value, diagnose }: InputObject,
): readonly Diagnostic[] {
  const unknown = new Set(warnings.length > 0 ? listUnknownFields(value, "JobSet") : []);
  return warnings
    .filter(({ field }) => !unknown.has(field))
    .map(({ field, message }) => diagnose(field, message, "warning"));
}

/**
 * Returns the denial of a request that the API server cannot decode, before any webhook runs. It names the object as
 * the client did.
 */
export function badRequestDenial(
  object: ObjectKey,
  message: string,
  errors: readonly FieldError[],
  omitted = 0,
): Denial {
  const id = object.kind === "Pod" ? "pod-decodable" : "jobset-decodable";
  return {
    status: { message, reason: "BadRequest", code: 400 },
    // All of them: a file has as many mistakes as it has.
    roots: errors.map((error) => fieldFinding(id, error, object)),
    symptoms: [],
    unknown: [],
    transient: false,
    ...(omitted > 0 && { omitted }),
  };
}

interface StrictError {
  readonly error: FieldError;
  /** As the server says it. */
  readonly serverMessage: string;
  /** The effect of the problem if it is not an error. */
  readonly consequence: string;
  /** Which field may be meant; of the first unknown fields only, since it takes long to find. */
  readonly suggestion?: string;
}

/** More fields than a person corrects at once. */
const MAX_SUGGESTIONS = 100;

/** First the fields that are set twice, in the order of the text, then the unknown ones, as the server has them. */
function strictErrors(input: InputObject): readonly StrictError[] {
  const duplicates = input.duplicates.map(({ field, line }): StrictError => {
    const body = `duplicate field, already set in line ${line}`;
    return {
      error: { type: "FieldValueDuplicate", field, body },
      serverMessage: `duplicate field "${toServerPath(field)}"`,
      consequence: "; the last one counts",
    };
  });
  const unknown = findUnknownFields(input.value, isJobSet(input) ? "JobSet" : "Pod");
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

/** Here the server writes keys of maps like members: `metadata.labels.example.com/team`. */
function toServerPath(field: string): string {
  return field.replace(/\[(?!\d+\])([^\]]*)\]/g, ".$1");
}

function isReadable(input: InputObject): boolean {
  return isJobSet(input)
    ? decodeObject(input.value, openAPIV3Schema()).ok
    : decodeErrors(input.value, "Pod").count === 0;
}

/** How many fields the sentence names. */
const MAX_NAMED = 100;

function strictDenial(object: ObjectKey, found: readonly StrictError[]): Denial {
  const { apiVersion, kind } = object;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const left = found.length - MAX_NAMED;
  const named = found.slice(0, MAX_NAMED).map(({ serverMessage }) => serverMessage);
  const words = [...named, ...(left > 0 ? [`… (${left} more)`] : [])].join(", ");
  return badRequestDenial(
    object,
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${words}`,
    found.map(({ error, suggestion = "" }) => {
      return { ...error, body: `${error.body}${suggestion}` };
    }),
  );
}
