import type { Unvalidated } from "@jobset-ts/api";
import { asString, getName, getNamespace, isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import type { InputObject } from "./objects.ts";

/** Returns the key of an object that a server may not have stored yet. */
export function getObjectKey({ value }: Pick<InputObject, "value">): ObjectKey {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const object = { metadata } as Unvalidated<Pod>;
  const { apiVersion, kind } = value as { readonly apiVersion?: string; readonly kind?: string };
  const { generateName } = metadata as { readonly generateName?: string };
  return {
    apiVersion: asString(apiVersion),
    kind: asString(kind),
    namespace: getNamespace(object) || "default",
    name: getName(object) || asString(generateName),
  };
}
