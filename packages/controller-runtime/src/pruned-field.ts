/**
 * Returns the path, without indexes, of the first field that was sent but not stored. An API server prunes fields that
 * the schema of a CustomResourceDefinition does not define, without an error. Zero, false, empty strings and empty
 * lists may be omitted.
 *
 * @example findPrunedField({ status: { restarts: 1, phase: "x" } }, { status: { restarts: 1 } }) // => "status.phase"
 */
export function findPrunedField(sent: unknown, stored: unknown, path = ""): string | undefined {
  if (typeof sent !== "object" || sent === null) return undefined;
  const storedMembers = (stored ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(sent)) {
    if (!value || (Array.isArray(value) && value.length === 0)) continue;
    const below = Array.isArray(sent) ? path : path === "" ? name : `${path}.${name}`;
    const dropped = Object.hasOwn(storedMembers, name)
      ? findPrunedField(value, storedMembers[name], below)
      : below;
    if (dropped !== undefined) return dropped;
  }
  return undefined;
}
