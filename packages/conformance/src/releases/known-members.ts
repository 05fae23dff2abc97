import type { StructuralSchema } from "@jobset-ts/crd";
import { isPlainObject } from "../normalise.ts";

/**
 * Returns a JobSet with only the members that a schema knows, as a decoder with older types returns it. Values are not
 * changed or defaulted. The schema does not describe metadata, so metadata does not change.
 */
export function withKnownMembers(jobSet: unknown, schema: StructuralSchema): unknown {
  if (!isPlainObject(jobSet)) return jobSet;
  const { metadata } = jobSet;
  const known = cleanValue(jobSet, schema) as object;
  return metadata === undefined ? known : { ...known, metadata };
}

function cleanValue(value: unknown, schema: StructuralSchema): unknown {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((element) => cleanValue(element, items));
  }
  if (!isPlainObject(value) || additionalProperties !== undefined || properties === undefined) {
    return value;
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known === undefined ? [] : [[name, cleanValue(member, known)]];
  });
  return Object.fromEntries(members);
}
