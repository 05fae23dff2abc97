import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { isInt64 } from "@jobset-ts/api/typed";
import { isArray } from "./json-kind.ts";

// Members of objects of known types. An absent member and one of another type read as empty, because the API server
// rejects the latter before it validates.

/** Returns a member that is text. */
export function textIn(object: JsonObject, name: string): string {
  const value = readMember(object, name);
  return typeof value === "string" ? value : "";
}

/** Returns a member that is text, if it is present. */
export function optionalTextIn(object: JsonObject, name: string): string | undefined {
  const value = readMember(object, name);
  return typeof value === "string" ? value : undefined;
}

/** Returns a member that is an integer, if it is present. */
export function integerIn(object: JsonObject, name: string): number | undefined {
  const value = readMember(object, name);
  return isInt64(value) ? (value as number) : undefined;
}

/** Returns a member that is a boolean, if it is present. */
export function flagIn(object: JsonObject, name: string): boolean | undefined {
  const value = readMember(object, name);
  return typeof value === "boolean" ? value : undefined;
}

/** Returns the elements of a member that is a list. */
export function listIn(object: JsonObject, name: string): readonly unknown[] {
  const value = readMember(object, name);
  return isArray(value) ? value : NONE;
}

const NONE: readonly never[] = [];

/** Returns the elements of a member that is a list of texts. */
export function textsIn(object: JsonObject, name: string): readonly string[] {
  return listIn(object, name).map((element) => (typeof element === "string" ? element : ""));
}

/** Returns the elements of a member that is a list of objects, each with its path. */
export function elementsIn(
  object: JsonObject,
  name: string,
  path: string,
): readonly (readonly [element: JsonObject, path: string, index: number])[] {
  const list = listIn(object, name);
  return list.length === 0
    ? NONE
    : list.map((element, index) => [
        isObject(element) ? element : {},
        `${path}.${name}[${index}]`,
        index,
      ]);
}

/** Returns a member that is an object, if it is present. */
export function objectIn(object: JsonObject, name: string): JsonObject | undefined {
  const value = readMember(object, name);
  return isObject(value) ? value : undefined;
}

/** Returns a member that is a map or an object by value. */
export function mapIn(object: JsonObject, name: string): JsonObject {
  return objectIn(object, name) ?? {};
}

/** Reports whether a member is present, whatever its type. */
export function hasMember(object: JsonObject, name: string): boolean {
  return (readMember(object, name) ?? null) !== null;
}

function readMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
