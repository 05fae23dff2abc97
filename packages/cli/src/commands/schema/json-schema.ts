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

/** As much of JSON Schema as is needed here. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a JobSet, for editors: draft 7, which the YAML servers of all of them read.
 *
 * It says what the CustomResourceDefinition says, each type once, but for what JSON Schema has no words for: rules in CEL, and
 * lists whose elements are identified by keys. It rejects what an API server would drop: fields that it does not know, as kubectl
 * does, and null, which in a manifest is mostly a line that was not finished.
 */
export function jobSetJsonSchema(): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const root = createObject("JobSet", openAPIV3Schema(), definitions);
  const metadata = createObject("FullObjectMeta", undefined, definitions);
  const { apiVersion, kind, metadata: own, ...properties } = listMembers(root);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "JobSet",
    description: `A ${JOBSET_KIND} of ${JOBSET_API_VERSION}: many Jobs run as one unit.`,
    ...root,
    properties: {
      apiVersion: { ...apiVersion, const: JOBSET_API_VERSION },
      kind: { ...kind, const: JOBSET_KIND },
      metadata: {
        description: own?.description,
        ...metadata,
        // A server makes a name of the second.
        anyOf: [{ required: ["name"] }, { required: ["generateName"] }],
      },
      ...properties,
    },
    required: ["apiVersion", "kind", "metadata", "spec"],
    definitions,
  };
}

function listMembers({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>;
}

/**
 * The schema of an object, whose types' own go into `definitions`.
 *
 * @param schema - what the CustomResourceDefinition says of it; `undefined` where it leaves that to the API server
 */
function createObject(
  name: ShapeName,
  schema: StructuralSchema | undefined,
  definitions: Record<string, JsonSchema>,
): JsonSchema {
  const properties = getShape(name).members.map((member) => {
    const said = schema?.properties?.[member.name];
    const described = descriptions[`${member.declaredBy}.${member.name}`];
    const property = getMember(member, said, definitions);
    // Beside a reference nothing else counts in draft 7.
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
