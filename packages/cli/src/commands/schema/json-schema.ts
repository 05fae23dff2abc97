import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import {
  getShape,
  isRawJson,
  isShapeName,
  MAX_INT32,
  type Member,
  MIN_INT32,
  type ShapeName,
} from "@jobset-ts/api/typed";
import { openAPIV3Schema, type StructuralSchema } from "@jobset-ts/crd";
import { descriptions } from "./descriptions.ts";

/** The part of JSON Schema that this package uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of a JobSet for editors, in draft 7, which all YAML language servers support.
 *
 * It defines each type once, from the CustomResourceDefinition. JSON Schema cannot express CEL rules and list keys. It
 * rejects values that an API server would drop: unknown fields, as kubectl does, and null, which in a manifest is
 * usually an unfinished line.
 *
 * @param schema - the schema of the CustomResourceDefinition; default: that of main
 */
export function jobSetJsonSchema(schema: StructuralSchema = openAPIV3Schema()): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const root = createObject("JobSet", schema, definitions);
  const metadata = createObject("FullObjectMeta", undefined, definitions);
  const { apiVersion, kind, metadata: own, ...properties } = listMembers(root);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "JobSet",
    description: `A ${JOBSET_KIND} of ${JOBSET_API_VERSION}: a group of Jobs that run as one unit.`,
    ...root,
    properties: {
      apiVersion: { ...apiVersion, const: JOBSET_API_VERSION },
      kind: { ...kind, const: JOBSET_KIND },
      metadata: {
        description: own?.description,
        ...metadata,
        // A server generates a name from `generateName`.
        anyOf: [{ required: ["name"] }, { required: ["generateName"] }],
      },
      ...properties,
    },
    required: ["apiVersion", "kind", "metadata"],
    definitions,
  };
}

function listMembers({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the schema of an object. The schemas of nested types go into `definitions`.
 *
 * @param schema - the schema in the CustomResourceDefinition; `undefined` if the API server validates the type
 */
function createObject(
  name: ShapeName,
  schema: StructuralSchema | undefined,
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  // An older schema does not have all members of the type.
  const members = getShape(name).members.filter((member) => {
    return schema?.properties === undefined || Object.hasOwn(schema.properties, member.name);
  });
  const properties = members.map((member) => {
    const memberSchema = schema?.properties?.[member.name];
    const described = descriptions[`${member.declaredBy}.${member.name}`];
    const property = getMember(member, memberSchema, definitions);
    // Draft 7 ignores all keywords next to a reference.
    const whole = "$ref" in property && described !== undefined ? { allOf: [property] } : property;
    return [member.name, described === undefined ? whole : { description: described, ...whole }];
  });
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      ...(isRawJson(name, "fieldsV1") && { fieldsV1: { type: "object" } }),
    },
    ...(schema?.required !== undefined && { required: schema.required }),
    additionalProperties: false,
  };
}

function getMember(
  member: Member,
  schema: StructuralSchema | undefined,
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  const element = (of: StructuralSchema | undefined) => getElement(member.type, of, definitions);
  switch (member.collection) {
    case "none":
      return element(schema);
    case "map":
      return { type: "object", additionalProperties: element(schema?.additionalProperties) };
    case "list": {
      const { maxItems, "x-kubernetes-list-type": list } = schema ?? {};
      return {
        type: "array",
        items: element(schema?.items),
        ...(maxItems !== undefined && { maxItems }),
        ...(list === "set" && { uniqueItems: true }),
      };
    }
  }
}

function getElement(
  type: Member["type"],
  schema: StructuralSchema | undefined,
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  if (isShapeName(type)) {
    // No type is recursive, so its definition is complete at this point.
    definitions[type] ??= createObject(type, schema, definitions);
    return { $ref: `#/definitions/${type}` };
  }
  const { minimum, minLength, maxLength, pattern, default: fallback } = schema ?? {};
  const limits = { minimum, minLength, maxLength, pattern, enum: schema?.enum };
  const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return {
    ...getScalar(type),
    ...Object.fromEntries(stated),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function getScalar(type: Exclude<Member["type"], ShapeName>): JsonSchema {
  switch (type) {
    case "string":
    case "boolean":
    case "integer":
      return { type };
    case "int32":
      return { type: "integer", minimum: MIN_INT32, maximum: MAX_INT32 };
    case "int64":
      return { type: "integer" };
    case "Time":
      return { type: "string", format: "date-time" };
    case "IntOrString":
    case "Quantity":
      // A pattern applies only to text.
      return { type: ["integer", "string"] };
  }
}
