import { isPlainObject, MAX_TYPED_DEPTH } from "./normalise.ts";

/**
 * Returns an object without the zeros that it did not have before. Zeros are empty text, 0, false, null, an empty list,
 * or an object of only such members. They are removed where `before` has no such member or null.
 *
 * Go prints them whether or not they were set. A list keeps all of its elements, because they have positions.
 *
 * @param value - the object as it was returned
 * @param before - the same object as it was sent
 * @example withoutAddedZeros({ spec: { name: "", replicas: 0 }, status: { restarts: 0 } }, { spec: { replicas: 0 } }) // => { spec: { replicas: 0 } }
 */
export function withoutAddedZeros(value: unknown, before: unknown): unknown {
  return cleanValue(value, before, 0);
}

function cleanValue(value: unknown, before: unknown, depth: number): unknown {
  if (depth === MAX_TYPED_DEPTH) return value;
  if (Array.isArray(value)) {
    const elements = Array.isArray(before) ? before : [];
    return value.map((element, index) => cleanValue(element, elements[index], depth + 1));
  }
  if (!isPlainObject(value)) return value;
  const members: [string, unknown][] = [];
  for (const [name, content] of Object.entries(value)) {
    const sent = isPlainObject(before) && Object.hasOwn(before, name) ? before[name] : null;
    const next = cleanValue(content, sent, depth + 1);
    if (sent === null && isZero(next)) continue;
    members.push([name, next]);
  }
  return Object.fromEntries(members);
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false || value === null || value === undefined;
}
