import { isEqualJson, isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { readTimestamp, type Timestamp } from "@jobset-ts/api/typed";
import { goJson, goTypeName } from "./go-text.ts";
import { parseGoLocalTime } from "./go-time.ts";
import { isArray, jsonKind } from "./json-kind.ts";
import { memberNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Why an expression has no value. An error propagates like a value: it fails a rule only if the rule's result
 * depends on it.
 */
export interface CelError {
  readonly error: string;
}

/** A value of an object in a rule, with the schema that defines its type. */
export interface Typed {
  readonly value: unknown;
  readonly node: SchemaNode;
}

export type CelValue = Typed | CelError;

/** The result of a condition. */
export type CelBoolean = boolean | CelError;

export function isCelError(result: CelValue | CelBoolean): result is CelError {
  return typeof result === "object" && "error" in result;
}

/**
 * Returns a value with the type that its schema declares, or an error if the value has another type. It checks only the
 * value itself. Nested values are checked when a rule reads them.
 *
 * @see Kubernetes `apiserver/pkg/cel/common.UnstructuredToVal`
 */
export function typed(value: unknown, node: SchemaNode): CelValue {
  const { schema } = node;
  const kind = jsonKind(value);
  if (kind === "null") {
    if (schema.nullable === true) return { value: null, node };
    return { error: "invalid data, got null for schema with nullable=false" };
  }
  const expected = getExpectedKind(schema);
  if (expected.kinds.includes(kind)) {
    if (schema.format === "date-time") {
      const time = parseTimeOfDay(value as string);
      return typeof time === "string" ? { error: time } : { value, node };
    }
    return { value, node };
  }
  const actual = expected.names ? `, got ${goTypeName(value)}` : "";
  return { error: `invalid data, expected ${expected.text}${actual}` };
}

interface ExpectedKind {
  readonly kinds: readonly string[];
  readonly text: string;
  /** Whether the error names the type that was found. */
  readonly names: boolean;
}

function getExpectedKind(schema: StructuralSchema): ExpectedKind {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString;
  return expectedKinds[schema.type ?? "object"];
}

const intOrString: ExpectedKind = {
  kinds: ["integer", "string"],
  text: "XIntOrString value to be either a string or integer",
  names: false,
};

const expectedKinds: Readonly<Record<NonNullable<StructuralSchema["type"]>, ExpectedKind>> = {
  object: {
    kinds: ["object"],
    text: "a map for the provided schema with type=object",
    names: false,
  },
  array: {
    kinds: ["array"],
    text: "an array for the provided schema with type=array",
    names: false,
  },
  string: { kinds: ["string"], text: "string", names: true },
  integer: { kinds: ["integer"], text: "int", names: true },
  boolean: { kinds: ["boolean"], text: "bool", names: true },
};

/** Returns the member of an object: `value.name`. */
export function select(value: CelValue, name: string): CelValue {
  if (isCelError(value)) return value;
  return getMember(value, name) ?? { error: `no such key: ${name}` };
}

/**
 * Reports whether an object has a member: `has(value.name)`. Returns an error if the member has the wrong
 * type.
 */
export function has(value: CelValue, name: string): CelBoolean {
  if (isCelError(value)) return value;
  const member = getMember(value, name);
  return member !== undefined && isCelError(member) ? member : member !== undefined;
}

/** Returns the elements of a list. */
export function getElements(value: CelValue): readonly CelValue[] | CelError {
  if (isCelError(value)) return value;
  const { items } = value.node;
  if (!isArray(value.value) || items === undefined) return { error: "no such overload" };
  return value.value.map((element) => typed(element, items));
}

/** `!condition`. */
export function not(condition: CelBoolean): CelBoolean {
  return isCelError(condition) ? condition : !condition;
}

/** `a && b && …`, and `list.all(…)`: one false is enough, even if the others are errors. */
export function every(conditions: readonly CelBoolean[]): CelBoolean {
  if (conditions.includes(false)) return false;
  return conditions.find(isCelError) ?? true;
}

/** `a || b || …`, and `list.exists(…)`: one true is enough, even if the others are errors. */
export function some(conditions: readonly CelBoolean[]): CelBoolean {
  if (conditions.includes(true)) return true;
  return conditions.find(isCelError) ?? false;
}

/** `one == other`. */
export function equals(one: CelValue, other: CelValue): CelBoolean {
  if (isCelError(one)) return one;
  return isCelError(other) ? other : sameValue(one, other);
}

/**
 * Whether two values with one schema are equal. Upstream compares the members in no fixed order. Here, they are compared
 * in the order of their names, so it is deterministic whether a difference or an error is found first.
 */
function sameValue(one: Typed, other: CelValue): CelBoolean {
  if (isArray(one.value)) {
    if (isCelError(other)) return other;
    return isArray(other.value) && sameList(one.value, other.value, one.node);
  }
  if (isObject(one.value)) {
    if (isCelError(other)) return other;
    return isObject(other.value) && sameObject(one.value, other.value, one.node);
  }
  // A value that is not a scalar differs, whatever the reason.
  if (isCelError(other)) return false;
  if (one.node.schema.format === "date-time") return sameTime(one.value, other.value);
  return one.value === other.value;
}

function sameObject(one: JsonObject, other: JsonObject, node: SchemaNode): CelBoolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names.sort(compareBytes)) {
    const below = memberNode(node, name);
    const isThere = Object.hasOwn(other, name);
    if (below === undefined) {
      if (isThere && !isEqualJson(one[name], other[name])) return false;
      continue;
    }
    if (!isThere) return false;
    const same = sameTyped(one[name], other[name], below);
    if (same !== true) return same;
  }
  return true;
}

function sameList(
  one: readonly unknown[],
  other: readonly unknown[],
  { items, listMapKeys, schema }: SchemaNode,
): CelBoolean {
  if (one.length !== other.length) return false;
  if (items === undefined) return true;
  if (schema["x-kubernetes-list-type"] === "set") return sameSet(one, other);
  if (listMapKeys !== undefined) return sameListMap(one, other, items, listMapKeys);
  for (const [index, element] of one.entries()) {
    const same = sameTyped(element, other[index], items);
    if (same !== true) return same;
  }
  return true;
}

function sameSet(one: readonly unknown[], other: readonly unknown[]): CelBoolean {
  const elements = new Set(one);
  const compound = [...one, ...other].find(isCompound);
  return compound === undefined
    ? other.every((element) => elements.has(element))
    : unhashable(compound);
}

/** The order does not matter. If several elements have the same keys, the last one counts. */
function sameListMap(
  one: readonly unknown[],
  other: readonly unknown[],
  items: SchemaNode,
  keys: readonly string[],
): CelBoolean {
  const byKey = new Map<string, unknown>();
  for (const element of one) {
    if (!isObject(element)) continue;
    const values = keyValues(element, keys);
    const compound = values.find(isCompound);
    if (compound !== undefined) return unhashable(compound);
    byKey.set(goJson(values), element);
  }
  for (const element of other) {
    if (!isObject(element)) return false;
    const values = keyValues(element, keys);
    const compound = values.find(isCompound);
    if (compound !== undefined) return unhashable(compound);
    const key = goJson(values);
    if (!byKey.has(key)) return false;
    const same = sameTyped(byKey.get(key), element, items);
    if (same !== true) return same;
  }
  return true;
}

function keyValues(element: JsonObject, keys: readonly string[]): readonly unknown[] {
  return keys.map((key) => (Object.hasOwn(element, key) ? element[key] : null));
}

function isCompound(value: unknown): boolean {
  return isArray(value) || isObject(value);
}

/** Upstream finds elements in a Go map, whose keys cannot be lists or objects. */
function unhashable(value: unknown): CelError {
  return {
    error: `internal error: runtime error: hash of unhashable type ${goTypeName(value)}`,
  };
}

function sameTyped(one: unknown, other: unknown, node: SchemaNode): CelBoolean {
  const left = typed(one, node);
  return isCelError(left) ? left : sameValue(left, typed(other, node));
}

function getMember({ value, node }: Typed, name: string): CelValue | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  const below = memberNode(node, name);
  if (below === undefined || (value[name] === null && node.members.size > 0)) {
    return undefined;
  }
  return typed(value[name], below);
}

function sameTime(one: unknown, other: unknown): boolean {
  const left = parseTimeOfDay(one as string);
  const right = parseTimeOfDay(other as string);
  return isEqualJson(left, right);
}

/** Returns the time of a timestamp, or the error for an invalid one. Empty text is the start of 1970. */
function parseTimeOfDay(text: string): Timestamp | string {
  if (text === "") return { seconds: 0, nanoseconds: 0 };
  const time = readTimestamp(text) ?? parseGoLocalTime(text);
  if (typeof time !== "string") return time;
  return `Invalid date-time formatted string ${text.toWellFormed()}: ${time}`;
}
