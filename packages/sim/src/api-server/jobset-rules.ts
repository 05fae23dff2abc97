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
    listSchemaErrors(pickStatus(after), {
      ...schemaOptions(versions),
      old: pickStatus(before),
      subresource: "status",
    }),
};

/** Returns the part of a JobSet that a status write can change. Everything else was validated when it was written. */
function pickStatus({ apiVersion, kind, status }: Stored): object {
  return { apiVersion, kind, status };
}

function schemaOptions({ jobSetSchema }: ServedVersions): AdmitBySchemaOptions {
  return jobSetSchema === undefined ? {} : { schema: jobSetSchema };
}

function listSchemaErrors(object: object, options: AdmitBySchemaOptions): readonly string[] {
  return admitBySchema(object, options).errors.map(formatSchemaError);
}
