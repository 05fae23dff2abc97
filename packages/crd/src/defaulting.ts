import type { JsonObject } from "@jobset-ts/api/kubernetes";

import { jsonKind, setMember } from "./json-kind.ts";
import { rewrite } from "./rewrite.ts";
import { type MemberDefault, nodeOf, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A value with the schema's defaults in place of members that are absent, or null where null has no meaning.
 *
 * Defaults are given only inside objects that exist, and nothing present is replaced, `""` and `0` included. The value
 * itself is not changed. Expects a value that was pruned.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1`, "defaulting"
 * @example applyDefaults({}, { type: "object", properties: { n: { type: "integer", default: 1 } } }) // => { n: 1 }
 */
export function applyDefaults(value: unknown, schema: StructuralSchema): unknown {
  return rewrite(value, nodeOf(schema), defaultMembers);
}

/** {@link applyDefaults} to an object's own members only. */
export function defaultMembers(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const member of node?.defaults ?? []) {
    if (isGiven(object, member)) continue;
    copy ??= { ...object };
    setMember(copy, member.name, member.value);
  }
  return copy ?? object;
}

function isGiven(object: JsonObject, { name, nullable }: MemberDefault): boolean {
  if (!Object.hasOwn(object, name)) return false;
  return nullable || jsonKind(object[name]) !== "null";
}
