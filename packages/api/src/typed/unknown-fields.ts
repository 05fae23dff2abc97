import { compareBytes } from "../byte-order.ts";
import { fieldPath, type PathStep } from "../field-path.ts";
import { isObject, type JsonObject } from "../members.ts";

import { getShape, isRawJson, isShapeName, type Member, type Shape } from "./shape.ts";

/** A field that an API server does not know. */
export interface UnknownField {
  /** The path. */
  readonly field: string;
  /** The last name of its path, as written. */
  readonly name: string;
  /** The known fields of the same object, as suggestions. */
  readonly known: readonly string[];
}

/**
 * Returns the fields that an API server does not know and drops or rejects: first those of the metadata, then all
 * others.
 *
 * A null counts as a field. A value of the wrong type yields nothing, except for an object in place of a scalar, whose
 * members are all unknown.
 *
 * @param value - the object as a client sends it; any JSON value
 * @param type - a JobSet is read by its schema, which keeps five members of a template's metadata; a Pod is read by
 * Go's types
 * @see Kubernetes `fieldValidation`; for a JobSet, the order is that of the server
 * @example findUnknownFields({ spec: { suspended: true }, metadata: { lables: {} } }, "JobSet").map(({ field }) => field) // => ["metadata.lables", "spec.suspended"]
 */
export function findUnknownFields(value: unknown, type: "JobSet" | "Pod"): readonly UnknownField[] {
  if (!isObject(value)) return [];
  const { metadata, ...body } = value;
  const shape = getShape(type);
  const ofMetadata = unknownMembers({ metadata }, shape, typedShape, []);
  const ofBody = unknownMembers(body, shape, type === "JobSet" ? schemaShape : typedShape, []);
  return [...ofMetadata.sort(byField), ...ofBody.sort(byField)];
}

function byField(one: UnknownField, other: UnknownField): number {
  return compareBytes(one.field, other.field);
}

/** Returns the known members of a member's value, or `undefined` for a scalar. */
type MemberShape = (member: Member) => Shape | undefined;

const typedShape: MemberShape = (member) => member.typedShape;
const schemaShape: MemberShape = ({ type }) => (isShapeName(type) ? getShape(type) : undefined);

function unknownMembers(
  object: JsonObject,
  { name: type, byName }: Shape,
  shapeOfMember: MemberShape,
  path: readonly PathStep[],
): UnknownField[] {
  const found: UnknownField[] = [];
  for (const name of Object.keys(object)) {
    const member = byName.get(name);
    const below = [...path, name];
    if (member !== undefined) {
      for (const one of unknownBelow(object[name], member, shapeOfMember, below)) found.push(one);
    } else if (object[name] !== undefined && !isRawJson(type, name)) {
      found.push({ field: fieldPath(below), name, known: [...byName.keys()] });
    }
  }
  return found;
}

function unknownBelow(
  value: unknown,
  member: Member,
  shapeOfMember: MemberShape,
  path: readonly PathStep[],
): readonly UnknownField[] {
  const shape = shapeOfMember(member);
  const findInElement = (element: unknown, below: readonly PathStep[]) => {
    if (!isObject(element)) return [];
    if (shape !== undefined) return unknownMembers(element, shape, shapeOfMember, below);
    return Object.keys(element).map((name) => {
      return { field: fieldPath([...below, name]), name, known: [] };
    });
  };
  switch (member.collection) {
    case "none":
      return findInElement(value, path);
    case "list":
      if (!Array.isArray(value)) return [];
      return value.flatMap((element, index) => findInElement(element, [...path, index]));
    case "map":
      if (!isObject(value)) return [];
      return Object.entries(value).flatMap(([key, one]) => findInElement(one, [...path, key]));
  }
}
