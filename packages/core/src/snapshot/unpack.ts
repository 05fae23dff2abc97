import type { KubernetesObject, Observed } from "@jobset-ts/api";
import { isObject } from "../reading.ts";

/** An object that a snapshot does not hold, and why. */
export interface RefusedObject {
  /** Where it stood: `[3]`, or `[3].items[5]` in a list. */
  readonly at: string;
  readonly message: string;
  readonly object: unknown;
}

/** An object with the kind by which it is filed. */
export interface UnpackedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Observed<KubernetesObject>;
}

/**
 * The objects of a list, and those inside the Kubernetes lists in it (`List`, `PodList` and so on). The items of
 * a typed list need no kind of their own: servers leave it out.
 */
export function unpackObjects(objects: Iterable<unknown>): {
  readonly unpacked: readonly UnpackedObject[];
  readonly kinds: ReadonlySet<string>;
  readonly refused: readonly RefusedObject[];
} {
  const unpacked: UnpackedObject[] = [];
  const kinds = new Set<string>();
  const refused: RefusedObject[] = [];
  const refuse = (at: string, object: unknown, message: string) => {
    refused.push({ at, message, object });
  };
  const add = (at: string, object: unknown, list?: { apiVersion: string; kind: string }) => {
    if (!isObject(object as object | null)) return refuse(at, object, "is no object");
    const candidate = object as Observed<KubernetesObject>;
    const kind = candidate.kind ?? list?.kind;
    const apiVersion = candidate.apiVersion ?? list?.apiVersion;
    if (typeof kind !== "string" || kind === "") return refuse(at, object, "has no kind");
    if (typeof apiVersion !== "string") return refuse(at, object, "has no apiVersion");
    const name = isObject(candidate.metadata) ? candidate.metadata.name : undefined;
    if (typeof name !== "string" || name === "") return refuse(at, object, "has no metadata.name");
    const namespace = candidate.metadata?.namespace;
    if (namespace !== undefined && namespace !== null && typeof namespace !== "string") {
      return refuse(at, object, "has a metadata.namespace that is no text");
    }
    unpacked.push({ apiVersion, kind, object: candidate });
  };

  let index = 0;
  for (const object of objects) {
    const at = `[${index}]`;
    const items = itemsOf(object);
    if (items === undefined) add(at, object);
    else {
      const { apiVersion, kind } = object as { apiVersion: string; kind: string };
      const itemKind = kind.slice(0, -"List".length);
      if (itemKind !== "") kinds.add(itemKind);
      const list = itemKind === "" ? undefined : { apiVersion, kind: itemKind };
      items.forEach((item, position) => {
        add(`${at}.items[${position}]`, item, list);
      });
    }
    index += 1;
  }
  for (const { kind } of unpacked) kinds.add(kind);
  return { unpacked, kinds, refused };
}

/** The items of a Kubernetes list; `undefined` for any other value. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value as object | null)) return undefined;
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind !== "string" || !kind.endsWith("List")) return undefined;
  // A server writes an empty list as null.
  if (items === null || items === undefined) return [];
  return Array.isArray(items) ? items : undefined;
}
