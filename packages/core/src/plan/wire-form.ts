import { formatTime } from "@jobset-ts/api";

/**
 * Returns a value in its wire form: instants are RFC 3339 text, and members that are `undefined` are omitted. Parts
 * that are already in wire form are returned unchanged.
 */
export function toWire<Value>(value: unknown): Value {
  return toWireForm(value, 0) as Value;
}

/** No stored object is nested that deep. */
const maxDepth = 200;

function toWireForm(value: unknown, depth: number): unknown {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? null : formatTime(value.getTime());
  if (typeof value !== "object" || value === null || depth === maxDepth) return value;
  if (Array.isArray(value)) {
    const elements = value.map((element) => toWireForm(element, depth + 1));
    return elements.every((element, index) => element === value[index]) ? value : elements;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  const wires = names.map((name) => toWireForm(members[name], depth + 1));
  if (wires.every((wire, at) => wire !== undefined && wire === members[names[at] as string])) {
    return value;
  }
  // fromEntries defines members, so that a member named __proto__ is kept.
  return Object.fromEntries(
    names.map((name, at) => [name, wires[at]] as const).filter(([, wire]) => wire !== undefined),
  );
}
