import { asRecord, isObject } from "@jobset-ts/api/kubernetes";
import { type AdmitBySchemaOptions, admitBySchema, formatSchemaError } from "@jobset-ts/crd";
import type { KindRules, ServedVersions } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

/** The API server's rules for JobSets, from the CustomResourceDefinition. */
export const jobSetRules: Partial<KindRules> = {
  isCustomResource: true,
  countsGenerations: true,
  // Validation rejects an object that cannot be read.
  applyDefaults: (object, versions) =>
    (admitBySchema(object, schemaOptions(versions)).object ?? object) as Stored,
  validateCreate: (object, versions) => listSchemaErrors(object, schemaOptions(versions)),
  validateUpdate: (after, before, versions) =>
    listSchemaErrors(after, { ...schemaOptions(versions), old: before }),
  validateStatus: (after, before, versions) =>
    listSchemaErrors(pickStatus(after, before, versions), {
      ...schemaOptions(versions),
      old: pickStatus(before, after, versions),
      subresource: "status",
    }),
};

/**
 * Returns the part of a JobSet that a status write changes. Everything else was validated when it was written. The
 * rules of another schema may need the whole status.
 */
function pickStatus(
  { apiVersion, kind, status }: Stored,
  other: Stored,
  { jobSetSchema }: ServedVersions,
): object {
  if (jobSetSchema !== undefined || !isObject(status)) return { apiVersion, kind, status };
  const known = asRecord(other.status as Members | undefined);
  // Equal parts are shared, so identity is enough.
  const changed = Object.entries(status).filter(([name, value]) => value !== known[name]);
  return { apiVersion, kind, status: Object.fromEntries(changed) };
}

type Members = Readonly<Record<string, unknown>>;

function schemaOptions({ jobSetSchema }: ServedVersions): AdmitBySchemaOptions {
  return jobSetSchema === undefined ? {} : { schema: jobSetSchema };
}

function listSchemaErrors(object: object, options: AdmitBySchemaOptions): readonly string[] {
  return admitBySchema(object, options).errors.map(formatSchemaError);
}
