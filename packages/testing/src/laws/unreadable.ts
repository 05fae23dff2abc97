import { isObject } from "@jobset-ts/api/kubernetes";
import type { TestApiRequest } from "./api-request.ts";

/**
 * What of the object of a request an API server could not read into its type; `undefined` where that is nothing. It looks no
 * deeper than others rely on: objects that are none, lists with an element that is `null`, owners that name nobody.
 */
export function unreadableIn({ verb, object }: TestApiRequest): string | undefined {
  const { metadata, spec, status } = object as Readonly<Record<string, unknown>>;
  if (!isObject(metadata)) return "metadata: an object is expected";
  const isPatch = verb === "patch" || verb === "apply";
  for (const [name, part] of Object.entries({ spec, status })) {
    const isLeftOut = part === undefined || (isPatch && part === null);
    if (!isLeftOut && !isObject(part)) return `${name}: an object is expected`;
  }
  return nullElementIn(object, "") ?? nobodyIn(metadata.ownerReferences);
}

function nullElementIn(value: unknown, path: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}${path && "."}${name}`;
    if (Array.isArray(value) && member === null) return `${at}: an element is null`;
    const found = nullElementIn(member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nobodyIn(owners: unknown): string | undefined {
  if (owners === undefined || owners === null) return undefined;
  const path = "metadata.ownerReferences";
  if (!Array.isArray(owners)) return `${path}: a list is expected`;
  for (const [at, owner] of owners.entries()) {
    for (const name of ["kind", "name", "uid"]) {
      const value: unknown = isObject(owner) ? owner[name] : undefined;
      if (typeof value !== "string" || value === "")
        return `${path}[${at}].${name}: a text is expected`;
    }
  }
  return undefined;
}
