import { formatTime } from "@jobset-ts/api";

/**
 * A value as it goes over the wire: instants are RFC 3339 text, and members that are `undefined` are left out. A
 * part that is in wire form already comes back as it is.
 */
export function toWire<Value>(value: unknown): Value {
  return wireOf(value, 0) as Value;
}

/** Nothing that an API server stores is nested as deep. */
const maxDepth = 200;

function wireOf(value: unknown, depth: number): unknown {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? null : formatTime(value.getTime());
  if (typeof value !== "object" || value === null || depth === maxDepth) return value;
  if (Array.isArray(value)) {
    const elements = value.map((element) => wireOf(element, depth + 1));
    return elements.every((element, index) => element === value[index]) ? value : elements;
  }
  let changed = false;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const wire = wireOf(member, depth + 1);
    if (wire !== member || member === undefined) changed = true;
    if (wire !== undefined) members.push([name, wire]);
  }
  // fromEntries defines members, so that one named __proto__ stays a member.
  return changed ? Object.fromEntries(members) : value;
}
