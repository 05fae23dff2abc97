// How a member is read that is absent or, in an object which no server has checked, of the wrong type: both the
// same, as the empty value of the type that the member should have. What is built on these answers for every JSON value.

import type { KubernetesObject } from "./object-meta.ts";
import type { Unvalidated } from "./observed.ts";

/** The elements of a list; anything else has none. */
export function asArray<Element>(value: readonly Element[] | null | undefined): readonly Element[] {
  return Array.isArray(value) ? value : [];
}

/** An object's members; anything else, a list included, has none. */
export function asRecord<Members extends object>(
  value: Members | null | undefined,
): string extends keyof Members ? Members : Partial<Members>;
export function asRecord(value: object | null | undefined): object {
  return isObject(value) ? value : {};
}

/** Text; anything else is empty. */
export function asString(value: string | null | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A whole number; anything else is `otherwise`. */
export function asInteger(value: unknown, otherwise: number): number {
  return Number.isSafeInteger(value) ? (value as number) : otherwise;
}

/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members, not a list. */
export function isObject<Value>(
  value: Value,
): value is Value & (object extends Value ? JsonObject : object) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The condition of a type; the first one where, against the API, there are several. */
export function findCondition<Condition extends { readonly type?: string }>(
  conditions: readonly Condition[] | null | undefined,
  type: string,
): Condition | undefined {
  return asArray(conditions).find((condition) => isObject(condition) && condition.type === type);
}

/** An object's `metadata.name`; empty when absent. */
export function getName(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.name);
}

/** An object's `metadata.namespace`; empty when absent, as for what lives in no namespace. */
export function getNamespace(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.namespace);
}

/**
 * What names an object among those of its kind: `<namespace>/<name>`. No name holds a slash.
 *
 * @example namespacedName({ metadata: { namespace: "ml", name: "train" } }) // => "ml/train"
 * @example namespacedName({ metadata: { name: "node-1" } }) // => "/node-1"
 */
export function namespacedName(object: Unvalidated<KubernetesObject>): string {
  return `${getNamespace(object)}/${getName(object)}`;
}

/** An object's `metadata.uid`; empty when absent, as before the server has seen it. */
export function getUid(object: Unvalidated<KubernetesObject>): string {
  return asString(object?.metadata?.uid);
}

/** A label's value; absent and not text are `undefined`. */
export function getLabel(
  object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
  key: string,
): string | undefined {
  return textMember(object?.metadata?.labels, key);
}

/** An annotation's value; absent and not text are `undefined`. */
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
