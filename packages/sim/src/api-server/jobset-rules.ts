import { type AdmitBySchemaOptions, admitBySchema, formatSchemaError } from "@jobset-ts/crd";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

/** What the API server does with a JobSet by its CustomResourceDefinition. */
export const jobSetRules: Partial<KindRules> = {
  isCustomResource: true,
  countsGenerations: true,
  // What cannot be read is refused when it is checked.
  applyDefaults: (object) => (admitBySchema(object).object ?? object) as Stored,
  validateCreate: (object) => listSchemaErrors(object, {}),
  validateUpdate: (after, before) => listSchemaErrors(after, { old: before }),
  validateStatus: (after, before) =>
    listSchemaErrors(pickStatusFields(after), {
      old: pickStatusFields(before),
      subresource: "status",
    }),
};

/** As much of a JobSet as a write of its status can change: all else was checked when it was written. */
function pickStatusFields({ apiVersion, kind, metadata, status }: Stored): Stored {
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    ...(status !== undefined && { status }),
  } as Stored;
}

function listSchemaErrors(object: Stored, options: AdmitBySchemaOptions): readonly string[] {
  return admitBySchema(object, options).errors.map(formatSchemaError);
}
