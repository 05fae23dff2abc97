import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { compareBytes, quote } from "@jobset-ts/api/text";
import { readTimestamp, wireTimestamp } from "@jobset-ts/api/typed";
import { isArray, type JsonKind, jsonKind, setMember } from "./json-kind.ts";

/** The metadata of an object as the API server reads it, or why it cannot. */
export type DecodedObjectMeta =
  | { readonly ok: true; readonly metadata: JsonObject }
  /** In the words of upstream's decoder. */
  | { readonly ok: false; readonly error: string };

/**
 * Reads `metadata` as upstream's typed decoder does: unknown members and empty values are dropped, times are written in
 * UTC, null is the empty value. Metadata that is already so comes back as itself.
 *
 * @see Kubernetes `metav1.ObjectMeta`; `apiextensions-apiserver/pkg/apiserver/schema/objectmeta`
 */
export function decodeObjectMeta(metadata: unknown): DecodedObjectMeta {
  const decoding: Decoding = { errors: [], syntaxErrors: [] };
  const decoded = decodeStruct(metadata, objectMeta, { path: [], struct: undefined }, decoding);
  const [error] = [...decoding.syntaxErrors, ...decoding.errors];
  return error === undefined ? { ok: true, metadata: decoded as JsonObject } : { ok: false, error };
}

/** {@link decodeObjectMeta} of an object that is stored already: members that cannot be read are dropped. */
export function decodeStoredObjectMeta(metadata: unknown): JsonObject {
  const readable: Record<string, unknown> = {};
  if (!isObject(metadata)) return readable;
  for (const name of Object.keys(metadata)) {
    const one: Record<string, unknown> = {};
    setMember(one, name, metadata[name]);
    const decoded = decodeObjectMeta(one);
    if (!decoded.ok || !Object.hasOwn(decoded.metadata, name)) continue;
    setMember(readable, name, decoded.metadata[name]);
  }
  return readable;
}

/** What a member holds, and what Go calls the type. */
type GoType =
  | { readonly kind: "text"; readonly go: string }
  | { readonly kind: "integer" }
  | { readonly kind: "boolean" }
  | { readonly kind: "time" }
  | { readonly kind: "any" }
  | { readonly kind: "textMap" }
  | { readonly kind: "list"; readonly of: GoType }
  | GoStruct;

interface GoStruct {
  readonly kind: "struct";
  readonly go: string;
  readonly members: Readonly<Record<string, GoMember>>;
}

interface GoMember {
  readonly type: GoType;
  /** `present`: dropped only when absent or null. `always`: written even when empty. Otherwise dropped when empty. */
  readonly written?: "present" | "always";
}

const text: GoType = { kind: "text", go: "string" };
const uid: GoType = { kind: "text", go: "types.UID" };

const ownerReference: GoStruct = {
  kind: "struct",
  go: "OwnerReference",
  members: {
    apiVersion: { type: text, written: "always" },
    kind: { type: text, written: "always" },
    name: { type: text, written: "always" },
    uid: { type: uid, written: "always" },
    controller: { type: { kind: "boolean" }, written: "present" },
    blockOwnerDeletion: { type: { kind: "boolean" }, written: "present" },
  },
};

const managedFieldsEntry: GoStruct = {
  kind: "struct",
  go: "ManagedFieldsEntry",
  members: {
    manager: { type: text },
    operation: { type: { kind: "text", go: "v1.ManagedFieldsOperationType" } },
    apiVersion: { type: text },
    time: { type: { kind: "time" }, written: "present" },
    fieldsType: { type: text },
    fieldsV1: { type: { kind: "any" }, written: "present" },
    subresource: { type: text },
  },
};

const objectMeta: GoStruct = {
  kind: "struct",
  go: "ObjectMeta",
  members: {
    name: { type: text },
    generateName: { type: text },
    namespace: { type: text },
    selfLink: { type: text },
    uid: { type: uid },
    resourceVersion: { type: text },
    generation: { type: { kind: "integer" } },
    creationTimestamp: { type: { kind: "time" } },
    deletionTimestamp: { type: { kind: "time" }, written: "present" },
    deletionGracePeriodSeconds: { type: { kind: "integer" }, written: "present" },
    labels: { type: { kind: "textMap" } },
    annotations: { type: { kind: "textMap" } },
    ownerReferences: { type: { kind: "list", of: ownerReference } },
    finalizers: { type: { kind: "list", of: text } },
    managedFields: { type: { kind: "list", of: managedFieldsEntry } },
  },
};

interface Decoding {
  /** Values of the wrong type, in the order of the members' names. */
  readonly errors: string[];
  /** Timestamps that cannot be read; they end a decoding at once, so they come before what was found till then. */
  readonly syntaxErrors: string[];
}

/** Where a value stands: in which struct, and under which members from the root on. */
interface At {
  readonly path: readonly string[];
  readonly struct: GoStruct | undefined;
}

function decode(value: unknown, type: GoType, at: At, decoding: Decoding): unknown {
  switch (type.kind) {
    case "text":
    case "boolean":
    case "integer":
      return decodeScalar(value, type, at, decoding);
    case "time":
      return decodeTime(value, at, decoding);
    case "any":
      return value;
    case "textMap":
      return decodeTextMap(value, at, decoding);
    case "list":
      return decodeList(value, type.of, at, decoding);
    case "struct":
      return decodeStruct(value, type, at, decoding);
  }
}

const scalars = {
  text: { is: "string", empty: "" },
  boolean: { is: "boolean", empty: false },
  integer: { is: "integer", empty: 0 },
} as const;

function decodeScalar(
  value: unknown,
  type: GoType & { readonly kind: keyof typeof scalars },
  at: At,
  decoding: Decoding,
): unknown {
  const { is, empty } = scalars[type.kind];
  if (jsonKind(value) === is) return value;
  refuse(value, type, at, decoding);
  return empty;
}

function decodeTime(value: unknown, at: At, { syntaxErrors }: Decoding): unknown {
  if (jsonKind(value) === "null") return undefined;
  if (typeof value !== "string") {
    syntaxErrors.push(typeErrorText(value, "string", at));
    return undefined;
  }
  const time = readTimestamp(value);
  if (time !== undefined) return wireTimestamp(time) ?? undefined;
  syntaxErrors.push(`parsing time ${quote(value)} as "2006-01-02T15:04:05Z07:00": cannot parse it`);
  return undefined;
}

function decodeTextMap(value: unknown, at: At, decoding: Decoding): unknown {
  if (!isObject(value)) {
    refuse(value, { kind: "textMap" }, at, decoding);
    return {};
  }
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value).sort(compareBytes)) {
    const decoded = decode(value[name], text, at, decoding);
    if (decoded === value[name]) continue;
    copy ??= { ...value };
    setMember(copy, name, decoded);
  }
  return copy ?? value;
}

function decodeList(value: unknown, of: GoType, at: At, decoding: Decoding): unknown {
  if (!isArray(value)) {
    refuse(value, { kind: "list", of }, at, decoding);
    return [];
  }
  const decoded = value.map((element) => decode(element, of, at, decoding));
  return decoded.every((element, index) => element === value[index]) ? value : decoded;
}

function decodeStruct(value: unknown, struct: GoStruct, at: At, decoding: Decoding): unknown {
  if (!isObject(value)) refuse(value, struct, at, decoding);
  const from = isObject(value) ? value : {};
  const decoded: Record<string, unknown> = {};
  let isSame = isObject(value);
  for (const name of Object.keys(from).sort(compareBytes)) {
    const member = Object.hasOwn(struct.members, name) ? struct.members[name] : undefined;
    if (member === undefined) {
      isSame = false;
      continue;
    }
    const below = { path: [...at.path, name], struct };
    const result = decode(from[name], member.type, below, decoding);
    if (result !== from[name]) isSame = false;
    if (isWritten(result, from[name], member)) decoded[name] = result;
    else isSame = false;
  }
  for (const [name, member] of Object.entries(struct.members)) {
    if (member.written !== "always" || Object.hasOwn(decoded, name)) continue;
    decoded[name] = "";
    isSame = false;
  }
  return isSame ? value : decoded;
}

function isWritten(result: unknown, sent: unknown, member: GoMember): boolean {
  if (member.written === "always") return true;
  if (member.written === "present") return jsonKind(sent) !== "null" && result !== undefined;
  if (isArray(result)) return result.length > 0;
  if (isObject(result)) return Object.keys(result).length > 0;
  return result !== undefined && result !== "" && result !== 0;
}

/** Null is no wrong type: it stands for the empty value. */
function refuse(value: unknown, type: GoType, at: At, { errors }: Decoding) {
  if (jsonKind(value) !== "null") errors.push(typeErrorText(value, goNameOf(type), at));
}

function typeErrorText(value: unknown, goName: string, at: At): string {
  const kind = jsonKind(value);
  const shown = goName === "int64" && kind === "number" ? `number ${value}` : goKindNames[kind];
  const place =
    at.struct === undefined ? "Go value" : `Go struct field ${at.struct.go}.${at.path.join(".")}`;
  return `json: cannot unmarshal ${shown} into ${place} of type ${goName}`;
}

const goKindNames: Readonly<Record<JsonKind, string>> = {
  null: "null",
  boolean: "bool",
  string: "string",
  integer: "number",
  number: "number",
  array: "array",
  object: "object",
};

function goNameOf(type: GoType): string {
  switch (type.kind) {
    case "text":
      return type.go;
    case "struct":
      return `v1.${type.go}`;
    case "list":
      return `[]${goNameOf(type.of)}`;
    default:
      return goNames[type.kind];
  }
}

const goNames = {
  integer: "int64",
  boolean: "bool",
  time: "v1.Time",
  any: "v1.FieldsV1",
  textMap: "map[string]string",
} as const;
