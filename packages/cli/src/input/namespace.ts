import { isObject } from "@jobset-ts/api/kubernetes";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { InputObject } from "./objects.ts";

/** Adds the namespace to an object without one, if its kind is namespaced. */
export function withNamespace(input: InputObject, namespace: string): InputObject {
  const { value } = input;
  const metadata = value.metadata ?? {};
  if (!isNamespaced(input) || !isObject(metadata) || hasNamespace(input)) return input;
  return { ...input, value: { ...value, metadata: { ...metadata, namespace } } };
}

/** Returns whether an object has a namespace field with any value. */
export function hasNamespace({ value: { metadata } }: InputObject): boolean {
  const own = isObject(metadata) ? (metadata as Metadata).namespace : undefined;
  return own !== undefined && own !== null && own !== "";
}

/**
 * Rejects objects that are not in the requested namespace. Uses kubectl's message.
 *
 * @param namespace - the requested namespace; absent if there is none
 */
export function rejectOtherNamespaces(
  objects: readonly InputObject[],
  namespace: string | undefined,
): readonly Diagnostic[] {
  if (namespace === undefined) return [];
  return objects.filter(isNamespaced).flatMap(({ value: { metadata }, diagnose }) => {
    const own = isObject(metadata) ? (metadata as Metadata).namespace : undefined;
    if (typeof own !== "string" || own === "" || own === namespace) return [];
    const message =
      `the namespace from the provided object "${own}" does not match the namespace "${namespace}". ` +
      `You must pass '--namespace=${own}' to perform this operation.`;
    return [diagnose("metadata.namespace", message)];
  });
}

interface Metadata {
  readonly namespace?: unknown;
}

function isNamespaced({ value: { kind } }: InputObject): boolean {
  return typeof kind === "string" && SNAPSHOT_KINDS.get(kind)?.isNamespaced === true;
}
