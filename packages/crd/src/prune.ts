import type { JsonObject } from "@jobset-ts/api/kubernetes";

import { jsonKind, setMember } from "./json-kind.ts";
import { memberNode, type SchemaNode } from "./schema-node.ts";

/**
 * Removes an object's members that its schema does not know, and nulls where null has no meaning.
 *
 * A null with a default stays, and defaulting replaces it. A null in a list stays, and validation rejects it. If the
 * schema expects a value that is not an object, `{}` remains. The object itself is not changed.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1`, "pruning", and the dropping of nulls that are not nullable
 */
export function pruneMembers(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  const names = Object.keys(object);
  const isKept = (name: string) =>
    node !== undefined && shouldKeep(object[name], memberNode(node, name));
  if (names.every(isKept)) return object;
  const pruned: Record<string, unknown> = {};
  for (const name of names.filter(isKept)) setMember(pruned, name, object[name]);
  return pruned;
}

function shouldKeep(member: unknown, node: SchemaNode | undefined): boolean {
  if (node === undefined) return false;
  if (jsonKind(member) !== "null") return true;
  return node.schema.nullable === true || node.schema.default !== undefined;
}
