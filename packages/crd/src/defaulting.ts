import type { JsonObject } from "@jobset-ts/api/kubernetes";

import { jsonKind, setMember } from "./json-kind.ts";
import type { MemberDefault, SchemaNode } from "./schema-node.ts";

/**
 * Returns an object with the schema's defaults for members that are absent, or null where null is not allowed. Does not
 * replace a present member, not even `""` or `0`, and does not change the object. The object must be pruned.
 *
 * @see Kubernetes `apiextensions.k8s.io/v1`, "defaulting"
 */
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
