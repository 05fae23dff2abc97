import { isObject, type JsonObject } from "../members.ts";
import { canonicalQuantity } from "../quantity.ts";
import { isScalar } from "./decode.ts";
import { isAbsent } from "./json-object.ts";
import {
  type Element,
  type ElementType,
  getTypedShape,
  type Member,
  type Scalar,
  type Shape,
} from "./shape.ts";
import type { ShapeName } from "./shapes.ts";
import { mapShared } from "./shared-list.ts";
import { formatTimestamp, readTimestamp } from "./timestamp.ts";

/**
 * Returns the object that a webhook produces by decoding an object into upstream's types and encoding it again, without
 * the removals, which its patch leaves out. Also reports whether the value can be decoded.
 *
 * Members that are always printed are added (`{}` metadata, `""` for a missing name, `null` for missing containers).
 * Quantities and times take their canonical text. A null list element or map value becomes its zero value, and so does
 * a null member that is always printed. Everything else remains: unknown members, explicit zeros, `[]`, other nulls.
 *
 * @param value - any JSON value; what does not decode stays as it is
 * @returns the same object when nothing changes; untouched parts are shared with the input. `decodes` is also false
 * for some values with inherited members; use `decodeErrors` for those
 * @see JobSet webhooks; controller-runtime `admission.WithDefaulter`
 * @example reserializeAndCheck({ limits: { memory: "1024Mi" } }, "ResourceRequirements").value // => { limits: { memory: "1Gi" } }
 * @example reserializeAndCheck({ replicatedJob: null }, "Coordinator").value // => { replicatedJob: "" }
 */
export function reserializeAndCheck(
  value: unknown,
  type: ShapeName,
): { readonly value: unknown; readonly decodes: boolean } {
  const walk: Walk = { decodes: true };
  if (!isObject(value)) return { value, decodes: isAbsent(value) };
  return { value: serializeObject(value, getTypedShape(type), walk), decodes: walk.decodes };
}

interface Walk {
  /** Whether every visited value has the right type. */
  decodes: boolean;
}

function serializeObject(object: JsonObject, shape: Shape, walk: Walk): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const name in object) {
    const member = shape.byName.get(name);
    if (member === undefined) continue;
    const content = object[name];
    // Text is not changed. Most members are text.
    if (content === undefined || (typeof content === "string" && member.isText)) continue;
    const serialized = serializeMember(content, member, walk);
    // Inherited members are not members of the object.
    if (Object.is(serialized, content) || !Object.hasOwn(object, name)) continue;
    changed ??= { ...object };
    changed[name] = serialized;
  }
  for (const member of shape.alwaysSerialized) {
    if (object[member.name] !== undefined && Object.hasOwn(object, member.name)) continue;
    changed ??= { ...object };
    changed[member.name] = getPrintedZero(member);
  }
  return changed ?? object;
}

function serializeMember(content: unknown, member: Member, walk: Walk): unknown {
  if (content === null) return member.alwaysSerialized ? getPrintedZero(member) : null;
  switch (member.collection) {
    case "list":
      return Array.isArray(content)
        ? serializeList(content, member, walk)
        : keepUnchanged(content, walk);
    case "map":
      return isObject(content) ? serializeMap(content, member, walk) : keepUnchanged(content, walk);
    case "none": {
      const serialized = serializeElement(content, member, walk);
      // An optional zero time is omitted. The result contains no member that would only remove something.
      const isLeftOut = serialized === null && !member.nullable && !member.alwaysSerialized;
      return isLeftOut ? content : serialized;
    }
  }
}

function serializeList(list: readonly unknown[], element: Element, walk: Walk): readonly unknown[] {
  return mapShared(list, (content) => serializeElement(content, element, walk));
}

function serializeMap(map: JsonObject, element: Element, walk: Walk): JsonObject {
  const contents = Object.values(map);
  const serialized = serializeList(contents, element, walk);
  if (serialized === contents) return map;
  // fromEntries defines members, so a key such as `__proto__` is kept.
  return Object.fromEntries(Object.keys(map).map((key, index) => [key, serialized[index]]));
}

function serializeElement(content: unknown, { type, typedShape }: Element, walk: Walk): unknown {
  if (isAbsent(content)) return zeroValue(type);
  if (typedShape !== undefined) {
    return isObject(content)
      ? serializeObject(content, typedShape, walk)
      : keepUnchanged(content, walk);
  }
  switch (type) {
    case "Quantity":
      return canonicalQuantity(content) ?? keepUnchanged(content, walk);
    case "Time": {
      const timestamp = readTimestamp(content);
      return timestamp === undefined ? keepUnchanged(content, walk) : formatTimestamp(timestamp);
    }
    default:
      return isScalar(content, type as Scalar) ? content : keepUnchanged(content, walk);
  }
}

/** A value that cannot be decoded does not change. */
function keepUnchanged(content: unknown, walk: Walk): unknown {
  walk.decodes = false;
  return content;
}

/** Returns the value that is printed for an absent member that is always serialized. */
function getPrintedZero(member: Member): unknown {
  return member.collection !== "none" || member.nullable ? null : zeroValue(member.type);
}

function zeroValue(type: ElementType): unknown {
  switch (type) {
    case "string":
      return "";
    case "boolean":
      return false;
    case "int32":
    case "int64":
    case "integer":
    case "IntOrString":
      return 0;
    case "Quantity":
      return "0";
    case "Time":
      return null;
    default:
      return serializeObject({}, getTypedShape(type), { decodes: true });
  }
}
