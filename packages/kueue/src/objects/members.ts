// Readers for members of Pod templates and Workloads that may be absent or have the wrong type.
import { asArray, asRecord, isObject } from "@jobset-ts/api/kubernetes";

/** Returns the string values of a map and omits all others. */
export function getStringMap(
  map: Readonly<Record<string, string | undefined>> | null | undefined,
): Readonly<Record<string, string>> {
  const entries = Object.entries(asRecord(map));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Returns the elements of a list that are objects. */
export function listObjects<Item>(list: readonly Item[] | null | undefined): readonly Item[] {
  return asArray(list).filter(isObject) as readonly Item[];
}

/** Returns the string value of an own key. Returns `undefined` if it is absent or not a string. */
export function getString(
  map: Readonly<Record<string, string | undefined>> | null | undefined,
  key: string,
): string | undefined {
  if (!isObject(map) || !Object.hasOwn(map, key)) return undefined;
  const value: unknown = map[key];
  return typeof value === "string" ? value : undefined;
}

/** Drops absent members, empty maps and empty lists. */
export function withoutEmpty<Members extends object>(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value !== undefined &&
        value !== null &&
        (typeof value !== "object" || Object.keys(value).length > 0),
    ),
  ) as Members;
}
