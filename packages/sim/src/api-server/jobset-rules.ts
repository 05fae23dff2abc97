import { type AdmitBySchemaOptions, admitBySchema, formatSchemaError } from "@jobset-ts/crd";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

/** What the API server does with a JobSet by its CustomResourceDefinition. */
export const jobSetRules: Partial<KindRules> = {
  isCustomResource: true,
  countsGenerations: true,
  // What cannot be read is refused when it is checked.
  defaulted: (object) => (admitBySchema(object).object ?? object) as Stored,
  creationErrors: (object) => listErrors(object, {}),
  updateErrors: (after, before) => listErrors(after, { old: before }),
  statusErrors: (after, before) =>
    listErrors(ofStatus(after), { old: ofStatus(before), subresource: "status" }),
};

/** As much of a JobSet as a write of its status can change: all else was checked when it was written. */
function ofStatus({ apiVersion, kind, metadata, status }: Stored): Stored {
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    ...(status !== undefined && { status }),
  } as Stored;
}

function listErrors(object: Stored, options: AdmitBySchemaOptions): readonly string[] {
  return admitBySchema(object, options).errors.map(formatSchemaError);
}
