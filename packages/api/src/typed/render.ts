import { truncateList } from "../bounded-text.ts";
import { compareBytes } from "../byte-order.ts";
import { formatInt64 } from "../integers.ts";
import { isObject, type JsonObject } from "../members.ts";
import { canonicalQuantity } from "../quantity.ts";
import { jsonQuote } from "../quote.ts";
import { getMember, isAbsent } from "./json-object.ts";
import { type ElementType, getTypedShape, isShapeName, type Member } from "./shape.ts";
import { formatTimestamp, readTimestamp } from "./timestamp.ts";

/**
 * Returns a value of a type as upstream prints it in error messages: the compact JSON of the typed value, not of the
 * received one. Members are in the order of the type. Zeros are omitted if the type says so, and unknown members
 * always. Keys of a map are sorted by their bytes. Quantities and times have their canonical text. `<`, `>`, `&` and
 * the line separators are escaped.
 *
 * @param value - any JSON value; a value that cannot be decoded is printed as if it were absent
 * @param type - an absent scalar is printed as `null`, an absent object as `{}`
 * @see Go `encoding/json.Marshal`
 * @example renderJson({ status: "Ready", name: "a<b" }, "DependsOn") // => '{"name":"a\\u003cb","status":"Ready"}'
 * @example renderJson(undefined, "int32") // => "null"
 */
export function renderJson(value: unknown, type: ElementType): string {
  return elementText(value, type) ?? (isShapeName(type) ? zeroText(type) : "null");
}

/**
 * Returns a list of elements of a type, like {@link renderJson}. A null element is printed as zero. If the list is
 * longer than an error message can show (about 16 KiB), prints the start and the number of omitted elements.
 *
 * @param list - `null` is printed for an absent list, `[]` for an empty one
 * @example renderJsonList([{ name: "a" }], "DependsOn") // => '[{"name":"a","status":""}]'
 */
export function renderJsonList(list: unknown, elementType: ElementType): string {
  if (!Array.isArray(list)) return "null";
  return truncateList(list, (element) => textOrZero(element, elementType), ["[", ",", "]"]);
}

function listText(list: readonly unknown[], elementType: ElementType): string {
  return `[${list.map((element) => textOrZero(element, elementType)).join(",")}]`;
}

function objectText(object: JsonObject, members: readonly Member[]): string {
  const texts: string[] = [];
  for (const member of members) {
    const text = memberText(getMember(object, member.name), member);
    if (text !== undefined) texts.push(`"${member.name}":${text}`);
  }
  return `{${texts.join(",")}}`;
}

/** Returns the text of a member, or `undefined` if it is omitted. */
function memberText(content: unknown, member: Member): string | undefined {
  const isPrinted = member.alwaysSerialized;
  switch (member.collection) {
    case "list":
      if (!Array.isArray(content)) return isPrinted ? "null" : undefined;
      return content.length > 0 || isPrinted ? listText(content, member.type) : undefined;
    case "map": {
      if (!isObject(content)) return isPrinted ? "null" : undefined;
      const text = mapText(content, member.type);
      return text !== "{}" || isPrinted ? text : undefined;
    }
    case "none": {
      if (member.nullable) {
        return elementText(content, member.type) ?? (isPrinted ? "null" : undefined);
      }
      const text = textOrZero(content, member.type);
      return isPrinted || text !== zeroText(member.type) ? text : undefined;
    }
  }
}

function mapText(map: JsonObject, type: ElementType): string {
  // Go replaces lone surrogates by one character, so two keys may become equal. The last one remains.
  const contents = new Map(
    Object.entries(map).map(([key, content]) => [key.toWellFormed(), content]),
  );
  const keys = [...contents.keys()].sort(compareBytes);
  const texts = keys.map((key) => `${jsonQuote(key)}:${textOrZero(contents.get(key), type)}`);
  return `{${texts.join(",")}}`;
}

function textOrZero(value: unknown, type: ElementType): string {
  return elementText(value, type) ?? zeroText(type);
}

/** Returns the text of a value, or `undefined` if it is absent or of another type. */
function elementText(value: unknown, type: ElementType): string | undefined {
  if (isAbsent(value)) return undefined;
  switch (type) {
    case "string":
      return typeof value === "string" ? jsonQuote(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "int32":
    case "int64":
    case "integer":
      return integerText(value);
    case "IntOrString":
      return typeof value === "string" ? jsonQuote(value) : integerText(value);
    case "Quantity": {
      const text = canonicalQuantity(value);
      return text === undefined ? undefined : jsonQuote(text);
    }
    case "Time": {
      const timestamp = readTimestamp(value);
      return timestamp === undefined ? undefined : JSON.stringify(formatTimestamp(timestamp));
    }
    default:
      return isObject(value) ? objectText(value, getTypedShape(type).members) : undefined;
  }
}

function zeroText(type: ElementType): string {
  switch (type) {
    case "string":
      return '""';
    case "boolean":
      return "false";
    case "int32":
    case "int64":
    case "integer":
    case "IntOrString":
      return "0";
    case "Quantity":
      return '"0"';
    case "Time":
      return "null";
    default:
      return objectText({}, getTypedShape(type).members);
  }
}

function integerText(value: unknown): string | undefined {
  return Number.isInteger(value) ? formatInt64(value as number) : undefined;
}
