import { compilePattern } from "@jobset-ts/api/text";
import type { Json, StructuralSchema } from "./structural-schema.ts";

/**
 * A node of a schema, prepared for traversal. Properties that every value needs are computed once per node. Members
 * are found by name, without the inherited names of JavaScript objects.
 */
export interface SchemaNode {
  readonly schema: StructuralSchema;
  /** The members of an object; empty for every other type. */
  readonly members: ReadonlyMap<string, SchemaNode>;
  /** The node of a map's values. */
  readonly values: SchemaNode | undefined;
  /** The node of a list's elements. */
  readonly items: SchemaNode | undefined;
  /** The members that have a default. */
  readonly defaults: readonly MemberDefault[];
  /** The keys that identify the elements of a list of objects; `undefined` for other types. */
  readonly listMapKeys: readonly string[] | undefined;
  /** Reports whether a text matches the schema's pattern; `undefined` if it has none. */
  readonly matches: ((text: string) => boolean) | undefined;
  /** The type of the values, if the schema has no other constraints; `undefined` otherwise. */
  readonly plainType: "string" | "boolean" | "integer" | undefined;
  /** Whether this node or one below has a rule. */
  readonly holdsRules: boolean;
  /** Whether this node or one below is a list whose values must be unique. */
  readonly holdsUniqueLists: boolean;
  /** Whether an identical value counts as unchanged. See `Ratchet` for the exceptions. */
  readonly equalsItself: boolean;
}

export interface MemberDefault {
  readonly name: string;
  readonly value: Json;
  readonly nullable: boolean;
}

const known = new WeakMap<StructuralSchema, SchemaNode>();

/** Returns the node of a schema. Prepared on first use and cached, because a schema does not change. */
export function createNode(schema: StructuralSchema): SchemaNode {
  let node = known.get(schema);
  if (node === undefined) {
    node = prepare(schema);
    known.set(schema, node);
  }
  return node;
}

/** Returns the node of an object's member or a map's value; `undefined` if the schema does not know the name. */
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
