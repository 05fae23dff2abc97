/** Members that upstream's types always print, even if they are empty. */
const printedEvenWhenEmpty: ReadonlySet<string> = new Set(["status", "resources", "strategy"]);

/**
 * Returns a value without the additions of Go's encoder. Then an object written by hand can be compared with one that
 * went through upstream's types. It removes null members (such as `creationTimestamp: null`), empty `status`,
 * `resources` and `strategy` objects, and `metadata.resourceVersion`.
 *
 * It keeps what upstream writes intentionally: zeros, empty text, empty lists and maps, null elements of a list, and
 * the nulls under `patch`, which remove a member.
 *
 * @example withoutGoArtefacts({ status: { restarts: 0 }, metadata: { creationTimestamp: null } }) // => { status: { restarts: 0 }, metadata: {} }
 */
export function withoutGoArtefacts(value: unknown): unknown {
  return cleanValue(value, "", 0);
}

/** Upstream's types are less deep. Deeper values did not come from their encoders, so they do not change. */
export const MAX_TYPED_DEPTH = 500;

function cleanValue(value: unknown, member: string, depth: number): unknown {
  if (depth === MAX_TYPED_DEPTH) return value;
  if (Array.isArray(value)) return value.map((element) => cleanValue(element, "", depth + 1));
  if (!isPlainObject(value) || member === "patch") return value;
  const members: [string, unknown][] = [];
  for (const [key, content] of Object.entries(value)) {
    if (content === null || content === undefined) continue;
    if (key === "resourceVersion" && member === "metadata") continue;
    const next = cleanValue(content, key, depth + 1);
    if (printedEvenWhenEmpty.has(key) && isEmptyObject(next)) continue;
    members.push([key, next]);
  }
  return Object.fromEntries(members);
}

function isEmptyObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Returns whether a value is a JSON object and not an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
