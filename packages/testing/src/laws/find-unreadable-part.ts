import { isObject } from "@jobset-ts/api/kubernetes";
import type { TestApiRequest } from "./api-request.ts";

/**
 * Returns the part of a request's object that an API server could not decode, if any. Checks only what other code
 * relies on: values that are not objects, null list elements, and owners without a name.
 */
export function findUnreadablePart({ verb, object }: TestApiRequest): string | undefined {
  const { metadata, spec, status } = object as Readonly<Record<string, unknown>>;
  if (!isObject(metadata)) return "metadata: an object is expected";
  const isPatch = verb === "patch" || verb === "apply";
  for (const [name, part] of Object.entries({ spec, status })) {
    const isLeftOut = part === undefined || (isPatch && part === null);
    if (!isLeftOut && !isObject(part)) return `${name}: an object is expected`;
  }
  return nullElementIn(object, "") ?? findInvalidOwner(metadata.ownerReferences);
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

function findInvalidOwner(owners: unknown): string | undefined {
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
