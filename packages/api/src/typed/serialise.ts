import { isObject, type JsonObject } from "../members.ts";
import { canonicalQuantity } from "../quantity.ts";
import { isAbsent } from "./json-object.ts";
import { type Element, type ElementType, type Member, type Shape, typedShapeOf } from "./shape.ts";
import type { ShapeName } from "./shapes.ts";
import { mapShared } from "./shared-list.ts";
import { readTimestamp, wireTimestamp } from "./timestamp.ts";

/**
 * What a webhook makes of an object by decoding it into upstream's types and writing it again, when the patch
 * that it sends leaves out whatever it would only remove.
 *
 * Members that are always printed are added (`{}` metadata, `""` for a missing name, `null` for missing
 * containers); quantities and times take their canonical text; a null list element or map value becomes its
 * zero, and so does a null member that is always printed. Everything else survives: unknown members, explicit
 * zeros, `[]`, other nulls.
 *
 * @param value - any JSON value; what does not decode stays as it is
 * @returns the same object when nothing changes; untouched parts are shared with the input
 * @see JobSet webhooks; controller-runtime `admission.WithDefaulter`
 * @example reserialise({ limits: { memory: "1024Mi" } }, "ResourceRequirements") // => { limits: { memory: "1Gi" } }
 * @example reserialise({ replicatedJob: null }, "Coordinator") // => { replicatedJob: "" }
 */
export function reserialise(value: unknown, type: ShapeName): unknown {
  return isObject(value) ? objectAgain(value, typedShapeOf(type)) : value;
}

function objectAgain(object: JsonObject, shape: Shape): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const name in object) {
    const content = object[name];
    const member = shape.byName.get(name);
    if (member === undefined || content === undefined || isWrittenAsItIs(content, member)) continue;
    const again = memberAgain(content, member);
    // What is inherited comes by here, too, and is nobody's member.
    if (Object.is(again, content) || !Object.hasOwn(object, name)) continue;
    changed ??= { ...object };
    changed[name] = again;
  }
  for (const member of shape.alwaysPrinted) {
    if (object[member.name] !== undefined && Object.hasOwn(object, member.name)) continue;
    changed ??= { ...object };
    changed[member.name] = printedZero(member);
  }
  return changed ?? object;
}

/** A plain scalar, or plain scalars without a null among them, which most of what people write is. */
function isWrittenAsItIs(content: unknown, { isPlain, collection }: Member): boolean {
  if (!isPlain || content === null) return false;
  switch (collection) {
    case "none":
      return true;
    case "list":
      return Array.isArray(content) && !content.includes(null) && !content.includes(undefined);
    case "map":
      return hasNoNull(content as JsonObject);
  }
}

function hasNoNull(map: JsonObject): boolean {
  for (const key in map) if (isAbsent(map[key])) return false;
  return true;
}

function memberAgain(content: unknown, member: Member): unknown {
  if (content === null) return member.alwaysPrinted ? printedZero(member) : null;
  switch (member.collection) {
    case "list":
      if (!Array.isArray(content)) return content;
      return mapShared(content, (element) => elementAgain(element, member));
    case "map":
      return isObject(content) ? mapAgain(content, member) : content;
    case "none": {
      const again = elementAgain(content, member);
      // A zero time that may be left out is left out, and nothing is sent that only removes.
      const isLeftOut = again === null && !member.nullable && !member.alwaysPrinted;
      return isLeftOut ? content : again;
    }
  }
}

function mapAgain(map: JsonObject, element: Element): JsonObject {
  const contents = Object.values(map);
  const again = mapShared(contents, (content) => elementAgain(content, element));
  if (again === contents) return map;
  // fromEntries keeps a key such as `__proto__` a key.
  return Object.fromEntries(Object.keys(map).map((key, index) => [key, again[index]]));
}

function elementAgain(element: unknown, { type, typedShape }: Element): unknown {
  if (isAbsent(element)) return zeroOf(type);
  if (typedShape !== undefined) {
    return isObject(element) ? objectAgain(element, typedShape) : element;
  }
  if (type === "Quantity") return canonicalQuantity(element) ?? element;
  const timestamp = type === "Time" ? readTimestamp(element) : undefined;
  return timestamp === undefined ? element : wireTimestamp(timestamp);
}

/** What stands for a member that is absent and printed all the same. */
function printedZero(member: Member): unknown {
  return member.collection !== "none" || member.nullable ? null : zeroOf(member.type);
}

function zeroOf(type: ElementType): unknown {
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
      return objectAgain({}, typedShapeOf(type));
  }
}
