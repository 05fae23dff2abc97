import {
  type FieldError,
  formatFieldError,
  invalid,
  NO_FIELD,
  type TruncatedErrors,
  truncateErrors,
} from "@jobset-ts/api/errors";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import { isObject, type JsonObject, resolveGenerateName } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";

import { type DecodeError, decodeObject, decodeStoredObject } from "./decode.ts";
import { listTypeErrors } from "./list-types.ts";
import { objectMetaErrors, objectMetaUpdateErrors } from "./object-meta-errors.ts";
import { openAPIV3Schema } from "./openapi-v3-schema.ts";
import { type Ratchet, startRatchet } from "./ratchet.ts";
import { ruleFindings } from "./rules.ts";
import { createNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { schemaErrors } from "./validation.ts";

/** The settings of {@link admitBySchema}. */
export interface AdmitBySchemaOptions {
  /** The stored object, for an update. Undefined or null for a creation. */
  readonly old?: unknown;
  /** Updates only the status, through the subresource. The rest of the object is ignored. */
  readonly subresource?: "status";
  /** A schema to use instead of that of JobSet's CRD. */
  readonly schema?: StructuralSchema;
  /** The random characters that complete `generateName`. Default: `xxxxx`. */
  readonly generatedNameSuffix?: string;
}

/** Why an object is rejected: an invalid field (422), or an object that cannot be decoded (400). */
export type SchemaError = FieldError | DecodeError;

/** The decision of the API server before it calls any validating webhook. */
export type SchemaAdmissionResult =
  | {
      readonly ok: true;
      /** The decoded object, pruned and defaulted. */
      readonly object: JsonObject;
      /**
       * The object as it would be stored, with a name and with the status that the request may set. Metadata that only
       * the server sets, such as `uid` and `generation`, is not changed.
       */
      readonly stored: JsonObject;
      readonly errors: readonly [];
      /** Warnings about errors that the old object also had. */
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      /** The decoded object. Undefined if it could not be decoded. */
      readonly object?: JsonObject;
      /** Sorted by field and then by text. At most 200 errors and 28 KiB of text. */
      readonly errors: readonly [SchemaError, ...SchemaError[]];
      /** The number of further errors. Undefined if there are none. */
      readonly omitted?: number;
      readonly warnings: readonly string[];
    };

/**
 * Responds to a JobSet as an API server does with its CustomResourceDefinition alone, without webhooks.
 *
 * The object is read, pruned and defaulted. Then its metadata, the schema, the uniqueness of list elements, and the
 * rules are checked. An update tolerates unchanged values that were already invalid. The object may be any JSON value.
 * It does not change, and unchanged parts are shared with the result.
 *
 * The order of checks is upstream's. Checks that concern the request and not the object are omitted. So the namespace of
 * the URL, `resourceVersion` and `uid` are not compared, and an `apiVersion` of another version is rejected as a field.
 *
 * @see Kubernetes `apiextensions-apiserver/pkg/registry/customresource`
 * @example admitBySchema({ apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train" }, spec: {} }).ok // => true
 */
export function admitBySchema(
  object: unknown,
  options: AdmitBySchemaOptions = {},
): SchemaAdmissionResult {
  const { schema = openAPIV3Schema(), subresource } = options;
  const before = options.old ?? (subresource === "status" ? {} : undefined);
  const old = before === undefined ? undefined : decodeStoredObject(before, schema);
  const decoded = decodeObject(object, schema, old && { value: before, rewritten: old });
  if (!decoded.ok) return { ok: false, errors: [decoded.error], warnings: [] };

  const stored = asStored(decoded.object, old, options);
  const { errors, warnings } =
    old === undefined
      ? reviewCreation(stored, schema)
      : reviewUpdate(stored, old, schema, subresource);

  const [first, ...others] = errors.errors.toSorted(byFieldThenText);
  if (first === undefined) {
    return { ok: true, object: decoded.object, stored, errors: [], warnings };
  }
  return {
    ok: false,
    object: decoded.object,
    errors: [first, ...others],
    ...(errors.omitted > 0 && { omitted: errors.omitted }),
    warnings,
  };
}

/**
 * Returns an error as the API server prints it in a message.
 *
 * @example formatSchemaError({ type: "BadRequest", field: "", body: ".kind accessor error" }) // => ".kind accessor error"
 */
export function formatSchemaError(error: SchemaError): string {
  return error.type === "BadRequest" ? error.body : formatFieldError(error);
}

/** Returns the object that is stored after an accepted request. */
function asStored(
  object: JsonObject,
  old: JsonObject | undefined,
  { subresource, generatedNameSuffix }: AdmitBySchemaOptions,
): JsonObject {
  if (old === undefined)
    return withName(withMember(object, "status", undefined), generatedNameSuffix);
  if (subresource === "status") return withMember(old, "status", object.status);
  return withMember(object, "status", old.status);
}

function withName(object: JsonObject, suffix: string | undefined): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || Object.hasOwn(metadata, "name")) return object;
  const { generateName } = metadata;
  if (typeof generateName !== "string") return object;
  return { ...object, metadata: { ...metadata, name: resolveGenerateName(generateName, suffix) } };
}

function withMember(object: JsonObject, name: string, value: unknown): JsonObject {
  if (object[name] === value) return object;
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _, ...others } = object;
  return others;
}

type Errors = TruncatedErrors<FieldError>;

interface Findings {
  readonly errors: Errors;
  readonly warnings: readonly string[];
}

function reviewCreation(object: JsonObject, schema: StructuralSchema): Findings {
  return review(object, schema, (errors) => {
    errors.addAll({ errors: objectMetaErrors(getMetadata(object)) });
    errors.addAll(schemaErrors(object, schema));
  });
}

function reviewUpdate(
  object: JsonObject,
  old: JsonObject,
  schema: StructuralSchema,
  subresource: AdmitBySchemaOptions["subresource"],
): Findings {
  const before = { old, ratchet: startRatchet() };
  const validate = (errors: Errors) => {
    errors.addAll({ errors: objectMetaUpdateErrors(getMetadata(object), getMetadata(old)) });
    errors.addAll(
      subresource === "status"
        ? statusErrors(object, schema, before)
        : schemaErrors(object, schema, { before }),
    );
  };
  return review(object, schema, validate, before);
}

/** Only the status is validated, by the schema of the status alone. */
function statusErrors(
  { status }: JsonObject,
  schema: StructuralSchema,
  { old, ratchet }: UpdateBefore,
): Errors {
  const statusSchema = schema.properties?.status;
  if (statusSchema === undefined || status === undefined) return truncateErrors();
  const before = { old: ratchet.oldMember(old, "status", createNode(schema)), ratchet };
  return schemaErrors(status, statusSchema, { field: "status", before });
}

/** The data about the old object for an update. */
interface UpdateBefore {
  readonly old: JsonObject;
  readonly ratchet: Ratchet;
}

/**
 * Returns the errors of an object: its type, the errors that `validate` adds for metadata and schema, duplicates in
 * lists, and the rules.
 */
function review(
  object: JsonObject,
  schema: StructuralSchema,
  validate: (errors: Errors) => void,
  before?: UpdateBefore,
): Findings {
  const errors = typeErrors(object);
  if (errors.count === 0) validate(errors);
  errors.addAll(newListTypeErrors(object, schema, before?.old));
  // An omitted error may be of the kind that prevents the rules from running.
  if (errors.omitted > 0 || errors.errors.some(blocksRules)) {
    errors.add(() => rulesNotChecked);
    return { errors, warnings: [] };
  }
  const findings = ruleFindings(object, schema, before);
  errors.addAll(findings.errors);
  return { errors, warnings: findings.warnings.errors.map(formatFieldError) };
}

function typeErrors({ apiVersion = "", kind = "" }: JsonObject): Errors {
  const errors = truncateErrors();
  if (kind !== JOBSET_KIND) errors.add(() => invalid("kind", kind, `must be ${JOBSET_KIND}`));
  if (apiVersion !== JOBSET_API_VERSION) {
    errors.add(() => invalid("apiVersion", apiVersion, `must be ${JOBSET_API_VERSION}`));
  }
  return errors;
}

/** If the old object already had duplicates in its lists, the lists are not checked again. */
function newListTypeErrors(
  object: JsonObject,
  schema: StructuralSchema,
  old: JsonObject | undefined,
): Errors {
  const errors = listTypeErrors(object, schema, old);
  if (errors.count === 0 || old === undefined) return errors;
  return listTypeErrors(old, schema).count > 0 ? truncateErrors() : errors;
}

/** Rules expect values of the right shape, so they do not run for others. */
function blocksRules({ type }: FieldError): boolean {
  return blockingTypes.has(type);
}

const blockingTypes: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const rulesNotChecked: FieldError = invalid(
  NO_FIELD,
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);

function getMetadata({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

function byFieldThenText(one: FieldError, other: FieldError): number {
  return compareBytes(one.field, other.field) || compareBytes(one.body, other.body);
}
