import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { findUnknownFields } from "@jobset-ts/api/typed";

import { isArray } from "./json-kind.ts";
import { createNode, memberNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** A field that an API server drops. */
export interface PrunedField {
  /** The path. */
  readonly field: string;
  /** The last step of its path, as written. */
  readonly name: string;
  /** The known fields of the same object, as suggestions. */
  readonly known: readonly string[];
}

/**
 * Finds the fields of a JobSet that an API server with a schema prunes: first those of the metadata, then all others,
 * each sorted by path. A null counts as a field.
 *
 * @param object - any JSON value; it yields nothing if it is not an object
 * @see Kubernetes `apiextensions.k8s.io/v1`, "pruning"
 * @example findPrunedFields({ spec: { pause: true } }, openAPIV3Schema()).map(({ field }) => field) // => ["spec.pause"]
 */
export function findPrunedFields(
  object: unknown,
  schema: StructuralSchema,
): readonly PrunedField[] {
  if (!isObject(object)) return [];
  const { apiVersion: _, kind: __, metadata, ...body } = object;
  const found: PrunedField[] = [];
  collectMembers(body, createNode(schema), [], found);
  found.sort((one, other) => compareBytes(one.field, other.field));
  return [...findUnknownFields({ metadata }, "JobSet"), ...found];
}

function collectMembers(
  object: JsonObject,
  node: SchemaNode,
  path: readonly PathStep[],
  found: PrunedField[],
): void {
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue;
    const below = [...path, name];
    const member = memberNode(node, name);
    if (member !== undefined) collectBelow(object[name], member, below, found);
    else found.push({ field: fieldPath(below), name, known: [...node.members.keys()] });
  }
}

function collectBelow(
  value: unknown,
  node: SchemaNode,
  path: readonly PathStep[],
  found: PrunedField[],
): void {
  if (isObject(value)) collectMembers(value, node, path, found);
  const { items } = node;
  if (!isArray(value) || items === undefined) return;
  value.forEach((element, index) => {
    if (isObject(element)) collectMembers(element, items, [...path, index], found);
  });
}
