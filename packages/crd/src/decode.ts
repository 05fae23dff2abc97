import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { MAX_VALUE_BYTES, truncateText } from "@jobset-ts/api/text";

import { defaultMembers } from "./defaulting.ts";
import { goTypeName, goValue } from "./go-text.ts";
import { jsonKind, setMember } from "./json-kind.ts";
import { decodeObjectMeta, decodeStoredObjectMeta } from "./object-meta.ts";
import { pruneMembers } from "./prune.ts";
import { type OldObject, rewrite } from "./rewrite.ts";
import { createNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The error of an object that the API server cannot decode. It responds with 400 and names no field. */
export interface DecodeError {
  readonly type: "BadRequest";
  readonly field: "";
  /** The error text of upstream's decoder, which depends on its version. */
  readonly body: string;
}

/** The object as the API server continues with it, or why it cannot decode it. */
type DecodeResult =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly error: DecodeError };

/**
 * Decodes an object. Its type and metadata must be valid; everything else is pruned and defaulted by the schema.
 * Unchanged parts are shared with the object.
 *
 * @param oldObject - an earlier result, for an object that shares parts with this one
 * @see Kubernetes `apiextensions-apiserver/pkg/apiserver` `unstructuredSchemaCoercer`
 * @example decodeObject({ spec: { pause: true } }, openAPIV3Schema()) // => { ok: true, object: { spec: {} } }
 */
export function decodeObject(
  object: unknown,
  schema: StructuralSchema,
  oldObject?: OldObject,
): DecodeResult {
  if (!isObject(object)) {
    const kind = jsonKind(object);
    return undecodable(
      `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  }
  for (const name of ["kind", "apiVersion"]) {
    if (!Object.hasOwn(object, name) || typeof object[name] === "string") continue;
    const found = `${goValue(object[name])} is of the type ${goTypeName(object[name])}`;
    return undecodable(`.${name} accessor error: ${found}, expected string`);
  }
  if (!Object.hasOwn(object, "metadata")) {
    return { ok: true, object: decodeBody(object, schema, undefined, oldObject) };
  }
  const metadata = decodeObjectMeta(object.metadata);
  if (!metadata.ok) return undecodable(metadata.error);
  return { ok: true, object: decodeBody(object, schema, metadata.metadata, oldObject) };
}

/**
 * Like {@link decodeObject}, for a stored object: metadata that cannot be decoded is dropped.
 *
 * @example decodeStoredObject({ metadata: { name: "train", uid: 5 } }, openAPIV3Schema()) // => { metadata: { name: "train" } }
 */
export function decodeStoredObject(object: unknown, schema: StructuralSchema): JsonObject {
  if (!isObject(object)) return {};
  return decodeBody(object, schema, decodeStoredObjectMeta(object.metadata));
}

/** The members that every object has. The schema does not describe them. */
const HEADER_MEMBERS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function decodeBody(
  object: JsonObject,
  schema: StructuralSchema,
  metadata: JsonObject | undefined,
  oldObject?: OldObject,
): JsonObject {
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    if (!HEADER_MEMBERS.has(name)) setMember(body, name, object[name]);
  }
  const decoded = rewrite(body, createNode(schema), pruneAndDefault, oldObject) as JsonObject;
  if (decoded === body && (metadata === undefined || metadata === object.metadata)) return object;
  const { apiVersion, kind } = object;
  // Not a literal with spreads, which would give each object its own hidden class.
  const result: Record<string, unknown> = {};
  if (apiVersion !== undefined) result.apiVersion = apiVersion;
  if (kind !== undefined) result.kind = kind;
  if (metadata !== undefined) result.metadata = metadata;
  for (const name of Object.keys(decoded)) setMember(result, name, decoded[name]);
  return result;
}

function pruneAndDefault(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  return defaultMembers(pruneMembers(object, node), node);
}

function undecodable(body: string): DecodeResult {
  const error = {
    type: "BadRequest",
    field: "",
    body: truncateText(body, MAX_VALUE_BYTES),
  } as const;
  return { ok: false, error };
}
