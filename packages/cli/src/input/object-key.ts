import type { Observed } from "@jobset-ts/api";
import { isObject, nameOf, namespaceOf, type Pod, textOf } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import type { InputObject } from "./objects.ts";

/** What an object is called before a server has seen it. */
export function objectKeyOf({ value }: Pick<InputObject, "value">): ObjectKey {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const object = { metadata } as Observed<Pod>;
  const { apiVersion, kind } = value as { readonly apiVersion?: string; readonly kind?: string };
  const { generateName } = metadata as { readonly generateName?: string };
  return {
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
    namespace: namespaceOf(object) || "default",
    name: nameOf(object) || textOf(generateName),
  };
}
