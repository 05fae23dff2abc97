// Sample values of the types in the table of shapes.
import type { ReplicatedJob } from "@jobset-ts/api";
import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { type ElementType, getShape, isShapeName, type Member } from "@jobset-ts/api/typed";

/**
 * Returns a value of a type that is neither zero nor a default, and depends on the number. Quantities are not
 * canonical.
 */
export function drawSample(type: ElementType, number: number): unknown {
  switch (type) {
    case "boolean":
      return number % 2 === 1;
    case "int32":
    case "int64":
    case "integer":
    case "IntOrString":
      return 40 + number;
    case "Quantity":
      return `${40 + number}000m`;
    case "Time":
      return `2026-02-07T06:56:${10 + number}Z`;
    case "string":
      return `x${number}`;
    default: {
      const required = getRequired(type, number);
      const [first] = getShape(type).members;
      if (Object.keys(required).length > 0 || first === undefined) return required;
      return { [first.name]: readContent(first, number) };
    }
  }
}

function readContent({ type, collection }: Member, number: number): unknown {
  const sample = drawSample(type, number);
  if (collection === "list") return [sample];
  return collection === "map" ? { key: sample } : sample;
}

/** Returns the required fields of a type. */
export function getRequired(type: ElementType, number: number): JsonObject {
  if (!isShapeName(type)) return {};
  const required = getShape(type).members.filter((member) => member.required);
  return Object.fromEntries(required.map((member) => [member.name, readContent(member, number)]));
}

/** Returns a value with every field of a type and of the types below it. No type contains itself. */
export function listAllMembers(type: ElementType): unknown {
  if (!isShapeName(type)) return drawSample(type, 1);
  const members = getShape(type).members.map(({ name, type, collection, nullable }) => {
    // An optional boolean is often true by default.
    const value = nullable && type === "boolean" ? false : listAllMembers(type);
    if (collection === "list") return [name, [value]];
    return [name, collection === "map" ? { key: value } : value];
  });
  return Object.fromEntries(members);
}

/** Returns a ReplicatedJob with every field of the schema. Its own fields are kept, except containers. */
export function withEveryMember(job: ReplicatedJob): ReplicatedJob {
  const every = listAllMembers("ReplicatedJob") as ReplicatedJob;
  const containers = every.template.spec.template.spec?.containers;
  const ofContainers = { template: { spec: { template: { spec: { containers } } } } };
  return mergeValues(mergeValues(every, job), ofContainers) as ReplicatedJob;
}

/** Merges two values. Fields of the second one take precedence, and lists are replaced. */
export function mergeValues(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return other;
  const members: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(other)) {
    members[name] = mergeValues(members[name], member);
  }
  return members;
}
