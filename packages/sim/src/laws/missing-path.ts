import { isObject } from "@jobset-ts/api/kubernetes";
import { isEqualJson } from "../api-server/stored-values.ts";

/**
 * Where a value does not say what another one says, as a path; it may say more. What is false, zero or empty is as good as
 * absent, and the elements of a list may be in any order and among others.
 */
export function findMissingPath(whole: unknown, part: unknown, path: string): string | undefined {
  if (whole === part || isNothing(part)) return undefined;
  if (Array.isArray(part)) {
    const elements = Array.isArray(whole) ? whole : [];
    const at = part.findIndex((one) =>
      elements.every((other) => findMissingPath(other, one, "") !== undefined),
    );
    return at === -1 ? undefined : `${path}[${at}]`;
  }
  if (!isObject(part)) return isEqualJson(whole, part) ? undefined : path;
  const members = isObject(whole) ? whole : {};
  for (const [name, member] of Object.entries(part)) {
    const missing = findMissingPath(members[name], member, `${path}.${name}`);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function isNothing(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return !value || (Array.isArray(value) && value.length === 0);
}
