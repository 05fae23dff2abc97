import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { isObject } from "../jobset-members.ts";

/** An object that a snapshot cannot contain, and why. */
export interface InvalidObject {
  /** The path of the object: `[3]`, or `[3].items[5]` in a list, or `put[3]` and `remove[3]` in changes. */
  readonly at: string;
  readonly message: string;
  readonly object: unknown;
}

/** The identity of a kind. Two API groups may have kinds with the same name. */
export interface GroupKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object with the kind of its table. */
export interface UnpackedObject extends GroupKind {
  readonly object: Unvalidated<KubernetesObject>;
}

/**
 * Returns the objects of a list, and those inside Kubernetes lists in it (`List`, `PodList` and so on). Items of a
 * typed list need no kind, because servers omit it.
 *
 * @param path - the location of the objects, for error messages
 * @returns `lists`: the kinds for which there was a list, even an empty one
 */
export function unpackObjects(
  objects: Iterable<unknown> | null | undefined,
  path = "",
): {
  readonly unpacked: readonly UnpackedObject[];
  readonly lists: readonly GroupKind[];
  readonly invalidObjects: readonly InvalidObject[];
} {
  const unpacked: UnpackedObject[] = [];
  const lists: GroupKind[] = [];
  const invalidObjects: InvalidObject[] = [];
  const addInvalid = (at: string, object: unknown, message: string) => {
    invalidObjects.push({ at, message, object });
  };
  const add = (at: () => string, object: unknown, list?: GroupKind) => {
    if (!isObject(object as object | null)) return addInvalid(at(), object, "is not an object");
    const candidate = object as Unvalidated<KubernetesObject>;
    const kind = candidate.kind ?? list?.kind;
    const apiVersion = candidate.apiVersion ?? list?.apiVersion;
    if (typeof kind !== "string" || kind === "") return addInvalid(at(), object, "has no kind");
    if (typeof apiVersion !== "string") return addInvalid(at(), object, "has no apiVersion");
    const name = isObject(candidate.metadata) ? candidate.metadata.name : undefined;
    if (typeof name !== "string" || name === "")
      return addInvalid(at(), object, "has no metadata.name");
    const namespace = candidate.metadata?.namespace;
    if (namespace !== undefined && namespace !== null && typeof namespace !== "string") {
      return addInvalid(at(), object, "has a metadata.namespace that is not text");
    }
    unpacked.push({ apiVersion, kind, object: candidate });
  };

  const handed = objects ?? [];
  if (!isIterable(handed)) addInvalid(path, handed, "is not an array or other iterable of objects");
  let index = 0;
  for (const object of isIterable(handed) ? handed : []) {
    const position = index;
    const at = () => `${path}[${position}]`;
    const items = listItems(object);
    if (items === undefined) add(at, object);
    else {
      const { apiVersion, kind } = object as GroupKind;
      const itemKind = kind.slice(0, -"List".length);
      const list = itemKind === "" ? undefined : { apiVersion, kind: itemKind };
      if (list !== undefined && typeof apiVersion === "string") lists.push(list);
      items.forEach((item, itemPosition) => {
        add(() => `${at()}.items[${itemPosition}]`, item, list);
      });
    }
    index += 1;
  }
  return { unpacked, lists, invalidObjects };
}

/** Text is iterable, too, but not a list. */
function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** Returns the items of a Kubernetes list; `undefined` for any other value. */
function listItems(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value as object | null)) return undefined;
  const list = value as { kind?: unknown; items?: unknown; metadata?: { name?: unknown } | null };
  if (typeof list.kind !== "string" || !list.kind.endsWith("List")) return undefined;
  if (Array.isArray(list.items)) return list.items;
  // A server encodes an empty list as null. A value with a name is an object whose kind happens to end in List.
  const isEmpty = (list.items ?? undefined) === undefined && !list.metadata?.name;
  return isEmpty ? [] : undefined;
}
