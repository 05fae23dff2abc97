import { JOBSET_GROUP } from "@jobset-ts/api/keys";
import { isObject } from "@jobset-ts/api/kubernetes";
import type { InputObject } from "../input/objects.ts";

type Value = InputObject["value"];

/**
 * Returns the parts of an object that a diagnosis may use. Omits long parts that no check reads: the last
 * applied configuration, the images of a node, and the schema of a CustomResourceDefinition.
 *
 * @returns undefined for a Secret and for a CustomResourceDefinition of another project
 */
export function keepForDiagnosis(object: Value): Value | undefined {
  switch (object.kind) {
    case "Secret":
    case "SecretList":
      return undefined;
    case "Node":
      return withMember(withShortMetadata(object), "status", (status) =>
        omit(status, ["images", "volumesAttached", "volumesInUse"]),
      );
    case "CustomResourceDefinition":
      return isOfJobSet(object)
        ? withMember(withShortMetadata(object), "spec", (spec) => withoutSchemas(spec))
        : undefined;
    default:
      return withShortMetadata(object);
  }
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

function withShortMetadata(object: Value): Value {
  return withMember(object, "metadata", (metadata) =>
    withMember(metadata, "annotations", (annotations) => omit(annotations, [LAST_APPLIED])),
  );
}

/** Returns the object with another value of a member that is an object. */
function withMember(object: Value, name: string, change: (member: Value) => Value): Value {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  if (!isObject(member) || Array.isArray(member)) return object;
  const changed = change(member as Value);
  return changed === member ? object : { ...object, [name]: changed };
}

/** Returns the object without members, or the object itself if it has none of them. */
function omit(object: Value, names: readonly string[]): Value {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function isOfJobSet({ spec }: Value): boolean {
  return isObject(spec) && (spec as Value).group === JOBSET_GROUP;
}

function withoutSchemas(spec: Value): Value {
  const { versions } = spec;
  if (!Array.isArray(versions)) return spec;
  return {
    ...spec,
    versions: versions.map((version: unknown) =>
      isObject(version) ? omit(version as Value, ["schema"]) : version,
    ),
  };
}
