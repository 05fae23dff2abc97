// How members are read that are absent or of the wrong type, where a Pod template or a Workload is concerned.
import { asArray, asRecord, isObject } from "@jobset-ts/api/kubernetes";

/** Returns the text values of a map. Other values are left out. */
export function getStringMap(
  map: Readonly<Record<string, string | undefined>> | null | undefined,
): Readonly<Record<string, string>> {
  const entries = Object.entries(asRecord(map));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The elements of a list that are objects. */
export function listObjects<Item>(list: readonly Item[] | null | undefined): readonly Item[] {
  return asArray(list).filter(isObject) as readonly Item[];
}

/** The value of a map's own key; absent and not text are `undefined`. */
export function getString(
  map: Readonly<Record<string, string | undefined>> | null | undefined,
  key: string,
): string | undefined {
  if (!isObject(map) || !Object.hasOwn(map, key)) return undefined;
  const value: unknown = map[key];
  return typeof value === "string" ? value : undefined;
}

/** Members that are there; an empty map or list counts as absent. */
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
