import * as z from "zod";
import type { ObjectMeta } from "../object-meta.ts";
import type { Open } from "../unvalidated.ts";
import { createOpaqueSchema, optional, textMap } from "./members.ts";

/** Returns the schema of the metadata of every object. */
export function objectMetaSchema(): z.ZodType<ObjectMeta> {
  const ownerReference = z.looseObject({
    apiVersion: z.string(),
    kind: z.string(),
    name: z.string(),
    uid: z.string(),
    controller: optional(z.boolean()),
    blockOwnerDeletion: optional(z.boolean()),
  });
  return z.looseObject({
    name: optional(z.string()),
    generateName: optional(z.string()),
    namespace: optional(z.string()),
    uid: optional(z.string()),
    resourceVersion: optional(z.string()),
    generation: optional(z.int()),
    creationTimestamp: optional(z.string()),
    deletionTimestamp: optional(z.string()),
    deletionGracePeriodSeconds: optional(z.int()),
    labels: optional(textMap()),
    annotations: optional(textMap()),
    ownerReferences: optional(z.array(ownerReference)),
    finalizers: optional(z.array(z.string())),
    managedFields: optional(z.array(createOpaqueSchema<Open>())),
  });
}
