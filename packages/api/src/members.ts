// Accessors for members that may be absent or, in an unvalidated object, have the wrong type. In both cases, they
// return the empty value of the expected type. Code that uses them supports every JSON value.

import type { KubernetesObject } from "./object-meta.ts";
import type { Unvalidated } from "./unvalidated.ts";

/** Returns the elements of a list. Any other value has none. */
export function asArray<Element>(value: readonly Element[] | null | undefined): readonly Element[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the members of an object. Any other value, including a list, has none. */
export function asRecord<Members extends object>(
  value: Members | null | undefined,
): string extends keyof Members ? Members : Partial<Members>;
export function asRecord(value: object | null | undefined): object {
  return isObject(value) ? value : {};
}

/** Returns text, or empty text for any other value. */
export function asString(value: string | null | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns a whole number, or `otherwise` for any other value. */
export function asInteger(value: unknown, fallback: number): number {
  return Number.isSafeInteger(value) ? (value as number) : fallback;
}

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports whether a value is an object with members, not a list. */
export function isObject<Value>(
  value: Value,
): value is Value & (object extends Value ? JsonObject : object) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the condition of a type: the first one if there are several, which the API does not allow. */
export function findCondition<Condition extends { readonly type?: string }>(
  conditions: readonly Condition[] | null | undefined,
  type: string,
): Condition | undefined {
  return asArray(conditions).find((condition) => isObject(condition) && condition.type === type);
}

/** Returns an object's `metadata.name`, or empty text if absent. */
export function getName(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.name);
}

/** Returns an object's `metadata.namespace`, or empty text if absent, as for cluster-scoped objects. */
export function getNamespace(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.namespace);
}

/**
 * Returns the key of an object among those of its kind: `<namespace>/<name>`. Names contain no slash.
 *
 * @example namespacedName({ metadata: { namespace: "ml", name: "train" } }) // => "ml/train"
 * @example namespacedName({ metadata: { name: "node-1" } }) // => "/node-1"
 */
export function namespacedName(object: Unvalidated<KubernetesObject>): string {
  return `${getNamespace(object)}/${getName(object)}`;
}

/** Returns an object's `metadata.uid`, or empty text if absent, as before the object is created. */
export function getUid(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.uid);
}

/** Returns whether an object is being deleted, because it has a deletion timestamp. */
export function isBeingDeleted(object: Unvalidated<KubernetesObject>): boolean {
  return (object?.metadata?.deletionTimestamp ?? undefined) !== undefined;
}

/** Returns the value of a label. `undefined` if it is absent or not text. */
export function getLabel(
  object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
  key: string,
): string | undefined {
  return textMember(object?.metadata?.labels, key);
}

/** Returns the value of an annotation. `undefined` if it is absent or not text. */
export function getAnnotation(
  object: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } },
  key: string,
): string | undefined {
  return textMember(object?.metadata?.annotations, key);
}

function textMember(
  members: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  if (!isObject(members) || !Object.hasOwn(members, key)) return undefined;
  const value = members[key];
  return typeof value === "string" ? value : undefined;
}
