import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";

import { isArray, setMember } from "./json-kind.ts";
import { memberNode, type SchemaNode } from "./schema-node.ts";

/**
 * Rewrites the members of one object. Returns the same object if nothing changes. Nested values are rewritten later.
 *
 * @param node - `undefined` if no schema describes the object; then nothing in it is rewritten
 */
export type RewriteMembers = (object: JsonObject, node: SchemaNode | undefined) => JsonObject;

/** The input and the result of an earlier rewrite of a similar value. */
export interface OldObject {
  readonly value: unknown;
  readonly rewritten: unknown;
}

/**
 * Rewrites a value from the top down along its schema, object by object.
 *
 * The input is not changed. Unchanged parts are shared with it, and a value without changes is returned itself. The
 * recursion stops at the depth of the schema, however deep the value is.
 *
 * @param old - if the value shares a part with an old value at the same path, the result of that part is reused
 */
export function rewrite(
  value: unknown,
  node: SchemaNode,
  rewriteMembers: RewriteMembers,
  old?: OldObject,
): unknown {
  if (old !== undefined && old.value === value) return old.rewritten;
  if (isArray(value)) return rewriteElements(value, node, rewriteMembers, old);
  if (isObject(value)) return rewriteObject(value, node, rewriteMembers, old);
  return value;
}

function rewriteElements(
  list: readonly unknown[],
  { items }: SchemaNode,
  rewriteMembers: RewriteMembers,
  old: OldObject | undefined,
): readonly unknown[] {
  if (items === undefined) return rewriteUnknown(list, rewriteMembers);
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    if (!isListOrObject(element)) continue;
    const before = old && getElement(old, index);
    const rewritten = rewrite(element, items, rewriteMembers, before);
    if (rewritten === element) continue;
    copy ??= [...list];
    copy[index] = rewritten;
  }
  return copy ?? list;
}

/**
 * Rewrites the objects in a list that the schema does not describe: a list of scalars, or a list in a position that
 * does not allow one.
 */
function rewriteUnknown(
  list: readonly unknown[],
  rewriteMembers: RewriteMembers,
): readonly unknown[] {
  let changes = false;
  const root: unknown[] = [];
  const pending: [readonly unknown[], unknown[]][] = [[list, root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next;
    for (const element of from) {
      if (isArray(element)) {
        const copy: unknown[] = [];
        to.push(copy);
        pending.push([element, copy]);
      } else {
        const rewritten = isObject(element) ? rewriteMembers(element, undefined) : element;
        changes ||= rewritten !== element;
        to.push(rewritten);
      }
    }
  }
  return changes ? root : list;
}

function rewriteObject(
  object: JsonObject,
  node: SchemaNode,
  rewriteMembers: RewriteMembers,
  old: OldObject | undefined,
): JsonObject {
  const kept = rewriteMembers(object, node);
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(kept)) {
    const member = kept[name];
    if (!isListOrObject(member)) continue;
    const below = memberNode(node, name);
    if (below === undefined) continue;
    const before = old && getMember(old, name);
    const rewritten = rewrite(member, below, rewriteMembers, before);
    if (rewritten === member) continue;
    copy ??= { ...kept };
    setMember(copy, name, rewritten);
  }
  return copy ?? kept;
}

/** Reports whether a value is a list or an object. Other values are never rewritten. */
function isListOrObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function getElement({ value, rewritten }: OldObject, index: number): OldObject | undefined {
  if (!isArray(value) || !isArray(rewritten)) return undefined;
  return { value: value[index], rewritten: rewritten[index] };
}

function getMember({ value, rewritten }: OldObject, name: string): OldObject | undefined {
  if (!isObject(value) || !isObject(rewritten)) return undefined;
  if (!Object.hasOwn(value, name) || !Object.hasOwn(rewritten, name)) return undefined;
  return { value: value[name], rewritten: rewritten[name] };
}
