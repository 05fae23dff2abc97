import { compilePattern, type PatternMatcher } from "@jobset-ts/api/text";
import type { Json, StructuralSchema } from "./structural-schema.ts";

/**
 * A node of a schema, prepared for walking: what the walkers ask at every value is answered once for each node, and the
 * members of an object are found by name without looking at the names that every JavaScript object has.
 */
export interface SchemaNode {
  readonly schema: StructuralSchema;
  /** The members of an object; empty for every other type. */
  readonly members: ReadonlyMap<string, SchemaNode>;
  /** What the values of a map are. */
  readonly values: SchemaNode | undefined;
  /** What the elements of a list are. */
  readonly items: SchemaNode | undefined;
  /** The members that have a default. */
  readonly defaults: readonly MemberDefault[];
  /** The keys of a list whose elements are objects told apart by them; `undefined` for everything else. */
  readonly listMapKeys: readonly string[] | undefined;
  /** Whether a text matches the schema's pattern; `undefined` when it has none. */
  readonly matches: PatternMatcher | undefined;
  /** The type of values of which the schema asks nothing more; `undefined` where it does, or knows other types. */
  readonly plainType: "string" | "boolean" | "integer" | undefined;
  /** Whether a rule stands here or below. */
  readonly holdsRules: boolean;
  /** Whether this or something below is a list in which something may occur only once. */
  readonly holdsUniqueLists: boolean;
  /** Whether a value here counts as unchanged when it is the very same, which holds not for all: see `Ratchet`. */
  readonly equalsItself: boolean;
}

export interface MemberDefault {
  readonly name: string;
  readonly value: Json;
  readonly nullable: boolean;
}

const known = new WeakMap<StructuralSchema, SchemaNode>();

/**
 * Returns the node of a schema; prepared on first use and remembered, since a schema is a value and does not change.
 */
export function createNode(schema: StructuralSchema): SchemaNode {
  let node = known.get(schema);
  if (node === undefined) {
    node = prepare(schema);
    known.set(schema, node);
  }
  return node;
}

/** What a member of an object or a value of a map is; `undefined` when the schema does not know the name. */
export function memberNode(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.members.get(name) ?? node.values;
}

/** Reports whether a name is a key that the user chose rather than a member that the schema lists. */
export function isMapKey(node: SchemaNode, name: string): boolean {
  return node.values !== undefined && !node.members.has(name);
}

function prepare(schema: StructuralSchema): SchemaNode {
  const { properties = {}, additionalProperties, items } = schema;
  const named = Object.entries(properties);
  const members = new Map(named.map(([name, member]) => [name, createNode(member)]));
  const values = additionalProperties && createNode(additionalProperties);
  const elements = items && createNode(items);
  const below = [...members.values(), values, elements].filter((node) => node !== undefined);
  const listType = schema["x-kubernetes-list-type"];
  return {
    schema,
    members,
    values,
    items: elements,
    defaults: named.flatMap(([name, { default: value, nullable = false }]) =>
      value === undefined ? [] : [{ name, value, nullable }],
    ),
    matches: schema.pattern === undefined ? undefined : compilePattern(schema.pattern),
    plainType: getPlainType(schema),
    listMapKeys: listType === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : undefined,
    holdsRules:
      (schema["x-kubernetes-validations"] ?? []).length > 0 ||
      below.some((node) => node.holdsRules),
    holdsUniqueLists:
      listType === "map" || listType === "set" || below.some((node) => node.holdsUniqueLists),
    equalsItself:
      listType !== "map" &&
      (schema.type !== "object" || members.size > 0 || values !== undefined) &&
      below.every((node) => node.equalsItself),
  };
}

function getPlainType({ type, format, ...limits }: StructuralSchema): SchemaNode["plainType"] {
  if (Object.keys(limits).some((name) => name !== "default" && name !== "description")) {
    return undefined;
  }
  if (type === "string") return format === undefined ? type : undefined;
  return type === "boolean" || type === "integer" ? type : undefined;
}
