import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { compareBytes, goQuote } from "@jobset-ts/api/text";
import {
  formatTimestamp,
  getShape,
  isRawJson,
  type Member,
  readTimestamp,
  type Shape,
} from "@jobset-ts/api/typed";
import { isArray, type JsonKind, jsonKind, setMember } from "./json-kind.ts";

/** The metadata of an object as the API server decodes it, or the error. */
type DecodedObjectMeta =
  | { readonly ok: true; readonly metadata: JsonObject }
  /** The error text of upstream's decoder. */
  | { readonly ok: false; readonly error: string };

/**
 * Reads `metadata` as upstream's typed decoder does: unknown members and empty values are dropped, times are converted
 * to UTC, and null becomes the empty value. Returns the same object if nothing changes.
 *
 * @see Kubernetes `metav1.ObjectMeta`; `apiextensions-apiserver/pkg/apiserver/schema/objectmeta`
 */
export function decodeObjectMeta(metadata: unknown): DecodedObjectMeta {
  const decoding: Decoding = { errors: [], syntaxErrors: [] };
  const decoded = decodeStruct(
    metadata,
    getShape(METADATA),
    { path: [], struct: undefined },
    decoding,
  );
  const [error] = [...decoding.syntaxErrors, ...decoding.errors];
  return error === undefined ? { ok: true, metadata: decoded as JsonObject } : { ok: false, error };
}

/** Like {@link decodeObjectMeta}, for a stored object: members that cannot be decoded are dropped. */
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

/** The shape of complete metadata. The metadata of a template has fewer members. */
const METADATA = "FullObjectMeta";

interface Decoding {
  /** Values of the wrong type, in the order of the members' names. */
  readonly errors: string[];
  /** Invalid timestamps. They stop the decoder at once, so they are reported before other errors. */
  readonly syntaxErrors: string[];
}

/** The location of a value: its struct, and the path from the root. */
interface At {
  readonly path: readonly string[];
  readonly struct: Shape | undefined;
}

function decodeMember(value: unknown, member: Member, at: At, decoding: Decoding): unknown {
  switch (member.collection) {
    case "list":
      return decodeList(value, member, at, decoding);
    case "map":
      return decodeTextMap(value, at, decoding);
    case "none":
      return decodeElement(value, member, at, decoding);
  }
}

function decodeElement(value: unknown, member: Member, at: At, decoding: Decoding): unknown {
  if (member.typedShape !== undefined) return decodeStruct(value, member.typedShape, at, decoding);
  if (member.type === "Time") return decodeTime(value, at, decoding);
  return decodeScalar(value, member.type as keyof typeof scalars, getGoType(member), at, decoding);
}

/** The scalars of metadata. */
const scalars = {
  string: { is: "string", go: "string", empty: "" },
  boolean: { is: "boolean", go: "bool", empty: false },
  int64: { is: "integer", go: "int64", empty: 0 },
} as const;

function decodeScalar(
  value: unknown,
  type: keyof typeof scalars,
  goType: string,
  at: At,
  decoding: Decoding,
): unknown {
  const { is, empty } = scalars[type];
  if (jsonKind(value) === is) return value;
  addTypeError(value, goType, at, decoding);
  return empty;
}

function decodeTime(value: unknown, at: At, { syntaxErrors }: Decoding): unknown {
  if (jsonKind(value) === "null") return undefined;
  if (typeof value !== "string") {
    syntaxErrors.push(typeErrorText(value, "string", at));
    return undefined;
  }
  const time = readTimestamp(value);
  if (time !== undefined) return formatTimestamp(time) ?? undefined;
  syntaxErrors.push(
    `parsing time ${goQuote(value)} as "2006-01-02T15:04:05Z07:00": cannot parse it`,
  );
  return undefined;
}

function decodeTextMap(value: unknown, at: At, decoding: Decoding): unknown {
  if (!isObject(value)) {
    addTypeError(value, "map[string]string", at, decoding);
    return {};
  }
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value).sort(compareBytes)) {
    const decoded = decodeScalar(value[name], "string", "string", at, decoding);
    if (decoded === value[name]) continue;
    copy ??= { ...value };
    setMember(copy, name, decoded);
  }
  return copy ?? value;
}

function decodeList(value: unknown, member: Member, at: At, decoding: Decoding): unknown {
  if (!isArray(value)) {
    addTypeError(value, `[]${getGoType(member)}`, at, decoding);
    return [];
  }
  const decoded = value.map((element) => decodeElement(element, member, at, decoding));
  return decoded.every((element, index) => element === value[index]) ? value : decoded;
}

function decodeStruct(value: unknown, struct: Shape, at: At, decoding: Decoding): unknown {
  if (!isObject(value)) addTypeError(value, `v1.${getGoStruct(struct)}`, at, decoding);
  const from = isObject(value) ? value : {};
  const decoded: Record<string, unknown> = {};
  let isSame = isObject(value);
  for (const name of Object.keys(from).sort(compareBytes)) {
    const member = struct.byName.get(name);
    const below = { path: [...at.path, name], struct };
    const result =
      member === undefined
        ? rawJson(struct, from, name)
        : decodeMember(from[name], member, below, decoding);
    if (result !== from[name]) isSame = false;
    if (isWritten(result, from[name], member)) decoded[name] = result;
    else isSame = false;
  }
  for (const { name } of struct.alwaysSerialized) {
    if (Object.hasOwn(decoded, name)) continue;
    decoded[name] = "";
    isSame = false;
  }
  return isSame ? value : decoded;
}

/** Returns a member unchanged, or `undefined` if it is unknown. */
function rawJson(struct: Shape, from: JsonObject, name: string): unknown {
  return isRawJson(struct.name, name) ? from[name] : undefined;
}

function isWritten(result: unknown, sent: unknown, member: Member | undefined): boolean {
  if (member?.alwaysSerialized === true) return true;
  if (member === undefined || member.nullable)
    return jsonKind(sent) !== "null" && result !== undefined;
  if (isArray(result)) return result.length > 0;
  if (isObject(result)) return Object.keys(result).length > 0;
  return result !== undefined && result !== "" && result !== 0;
}

/** Null is a valid value of every type and means its zero value. */
function addTypeError(value: unknown, goType: string, at: At, { errors }: Decoding) {
  if (jsonKind(value) !== "null") errors.push(typeErrorText(value, goType, at));
}

function typeErrorText(value: unknown, goType: string, at: At): string {
  const kind = jsonKind(value);
  const shown = goType === "int64" && kind === "number" ? `number ${value}` : goKindNames[kind];
  const place =
    at.struct === undefined
      ? "Go value"
      : `Go struct field ${getGoStruct(at.struct)}.${at.path.join(".")}`;
  return `json: cannot unmarshal ${shown} into ${place} of type ${goType}`;
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

/** Returns the Go name of the type of a member or of a list's elements. */
function getGoType({ declaredBy, name, type, typedShape }: Member): string {
  if (typedShape !== undefined) return `v1.${getGoStruct(typedShape)}`;
  return goTypes.get(`${declaredBy}.${name}`) ?? scalars[type as keyof typeof scalars].go;
}

/** Strings that have their own type in Go. */
const goTypes: ReadonlyMap<string, string> = new Map([
  [`${METADATA}.uid`, "types.UID"],
  ["OwnerReference.uid", "types.UID"],
  ["ManagedFieldsEntry.operation", "v1.ManagedFieldsOperationType"],
]);

function getGoStruct({ name }: Shape): string {
  return name === METADATA ? "ObjectMeta" : name;
}
