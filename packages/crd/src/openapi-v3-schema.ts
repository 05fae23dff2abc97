import type { ShapeName } from "@jobset-ts/api/typed";
import { type ElementType, getShape, isShapeName, type Member } from "@jobset-ts/api/typed";
import { atomicTypes, type Constraint, constraints } from "./constraints.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The text of a quantity, like `500m` or `1.5Gi`. */
const QUANTITY_PATTERN =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

let schema: StructuralSchema | undefined;

/**
 * Returns the schema of a JobSet, as in its CustomResourceDefinition. Built on first use from the members of every type
 * and their constraints, frozen and shared. `metadata` is only described as an object, because the API server knows its
 * fields.
 *
 * @see JobSet v1alpha2, CustomResourceDefinition `jobsets.jobset.x-k8s.io`
 * @example openAPIV3Schema().properties?.metadata // => { type: "object" }
 */
export function openAPIV3Schema(): StructuralSchema {
  if (schema === undefined) {
    const { properties, ...root } = createShapeSchema("JobSet", new Map());
    schema = { ...root, properties: { ...properties, metadata: { type: "object" } } };
    deepFreeze(schema);
  }
  return schema;
}

/** `known` contains the finished types, so that each type is one object wherever it is used. */
function createShapeSchema(
  name: ShapeName,
  known: Map<ShapeName, StructuralSchema>,
): StructuralSchema & { readonly type: "object" } {
  const { members } = getShape(name);
  const required = members.filter((member) => member.required).map((member) => member.name);
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map((member) => [member.name, createMemberSchema(member, known)]),
    ),
    ...(required.length > 0 && { required: required.sort() }),
    ...(atomicTypes.has(name) && { "x-kubernetes-map-type": "atomic" as const }),
  };
}

function createMemberSchema(
  member: Member,
  known: Map<ShapeName, StructuralSchema>,
): StructuralSchema {
  const key = `${member.declaredBy}.${member.name}`;
  const constraint = Object.hasOwn(constraints, key) ? constraints[key] : undefined;
  const element = createTypeSchema(member.type, known);
  const { keys, set, rules, items, ...limits } = constraint ?? {};
  const validations = rules && { "x-kubernetes-validations": rules };
  switch (member.collection) {
    case "none":
      return constraint === undefined ? element : { ...element, ...limits, ...validations };
    case "map":
      return {
        type: "object",
        additionalProperties: element,
        ...(atomicTypes.has(key) && { "x-kubernetes-map-type": "atomic" as const }),
      };
    case "list":
      return {
        type: "array",
        items: items === undefined ? element : { ...element, ...items },
        ...limits,
        ...getListType(constraint),
        ...validations,
      };
  }
}

function getListType(constraint: Constraint | undefined): Partial<StructuralSchema> {
  if (constraint?.set === true) return { "x-kubernetes-list-type": "set" };
  if (constraint?.keys === undefined) return { "x-kubernetes-list-type": "atomic" };
  return { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": constraint.keys };
}

function createTypeSchema(
  type: ElementType,
  known: Map<ShapeName, StructuralSchema>,
): StructuralSchema {
  if (isShapeName(type)) {
    const done = known.get(type) ?? createShapeSchema(type, known);
    known.set(type, done);
    return done;
  }
  switch (type) {
    case "string":
    case "boolean":
    case "integer":
      return { type };
    case "int32":
    case "int64":
      return { type: "integer", format: type };
    case "Time":
      return { type: "string", format: "date-time" };
    case "IntOrString":
      return intOrString;
    case "Quantity":
      return { ...intOrString, pattern: QUANTITY_PATTERN };
  }
}

const intOrString = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
} as const satisfies StructuralSchema;

function deepFreeze(value: object) {
  if (Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
}
