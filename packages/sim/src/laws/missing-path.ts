import { isEqualJson, isObject } from "@jobset-ts/api/kubernetes";

/**
 * Returns the path of a part of another value that a value does not contain. The value may contain more. False,
 * zero and empty values equal absent ones, and lists may have other elements and another order.
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
