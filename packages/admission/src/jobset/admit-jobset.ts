import { defaultJobSet, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { asRecord, getUid, isObject } from "@jobset-ts/api/kubernetes";
import { decodeErrors, findUnknownFields, jobSetDecodeErrors } from "@jobset-ts/api/typed";
import type { Snapshot } from "@jobset-ts/core";
import {
  admitBySchema,
  decodeObject,
  decodeStoredObject,
  findPrunedFields,
  openAPIV3Schema,
  type SchemaAdmissionResult,
  type SchemaError,
} from "@jobset-ts/crd";
import type { Denial } from "../denial/denial.ts";
import type {
  AdmissionDecision,
  ClusterContext,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import { listAppliedDefaults } from "./applied-defaults.ts";
import { conflictDenial, fieldsDenial, undecodableDenial } from "./jobset-denial.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { nameOrGenerated } from "./jobset-view.ts";
import { mutateJobSet } from "./mutate-jobset.ts";
import { validateJobSet } from "./validate-jobset.ts";

/** A warning for the client of an admitted request. */
export interface AdmissionWarning {
  /** The path. Empty if the message names it. */
  readonly field: string;
  readonly message: string;
}

/**
 * The stage that denies a JobSet: the API server with its schema, the mutating webhook with its defaults, or the
 * validating webhook.
 */
export type AdmissionStage = "schema" | "default" | "validate";

/** The result of admitting a JobSet into a cluster. */
export type JobSetAdmissionResult =
  | {
      readonly allowed: true;
      /** The stored JobSet without metadata that only the server sets. Absent for a deletion. */
      readonly stored?: Unvalidated<JobSet>;
      readonly warnings: readonly AdmissionWarning[];
      /** The defaults that were set, and the stage that set each one. */
      readonly decisions: readonly AdmissionDecision[];
    }
  | {
      readonly allowed: false;
      readonly stage: AdmissionStage;
      /** The denial of the stage. */
      readonly denial: Denial<JobSetRuleId>;
      readonly warnings: readonly AdmissionWarning[];
      readonly decisions: readonly AdmissionDecision[];
    };

/**
 * Admits a request for a JobSet as a cluster with JobSet installed does.
 *
 * For a creation, the API server decodes the object, prunes unknown fields and fills in the schema's defaults. The
 * mutating webhook adds its own defaults. The API server repeats its part, generates the name and validates metadata,
 * schema and CRD rules. Finally, the validating webhook decides. An update skips the mutating webhook, and ratcheting
 * ignores schema errors that existed before. An update with another UID than the stored object is denied with 409
 * first. A deletion is not checked.
 *
 * The first stage that denies ends the request. Errors of different stages are never mixed.
 *
 * @param request - with the object as a client sends it, and for an update the one that is stored
 * @param snapshot - used only for PersistentVolumeClaims
 * @param context - its `schema` also decides which fields are pruned
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const object = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train" }, spec: {} };
 * const admitted = admitJobSet({ operation: "CREATE", object }, createSnapshot([]), createContext({ now: 0 }));
 * admitted.allowed && admitted.stored?.spec?.startupPolicy // => { startupPolicyOrder: "AnyOrder" }
 */
export function admitJobSet(
  { operation, object, oldObject }: WebhookRequest,
  snapshot: Snapshot,
  context: ClusterContext,
  options: WebhookOptions = {},
): JobSetAdmissionResult {
  switch (operation) {
    case "CREATE":
      return admitCreation(object, snapshot, context, options);
    case "UPDATE":
      return admitUpdate(oldObject, object, snapshot, context);
    case "DELETE":
    case "CONNECT":
      return { allowed: true, warnings: [], decisions: [] };
  }
}

function admitCreation(
  object: unknown,
  snapshot: Snapshot,
  context: ClusterContext,
  options: WebhookOptions,
): JobSetAdmissionResult {
  const { generatedNameSuffix } = options;
  const { schema = openAPIV3Schema() } = context;
  const decoded = decodeObject(object, schema);
  if (!decoded.ok) return unreadable(object, decoded.error);
  const read = decoded.object;
  const warnings = droppedFields(object, context);
  const ofSchema = listAppliedDefaults(object, read, "SchemaDefault");

  const request = { operation: "CREATE", object: read } as const;
  const defaulted = mutateJobSet(request, snapshot, context);
  if (!defaulted.allowed) {
    const { denial } = defaulted;
    return { allowed: false, stage: "default", denial, warnings, decisions: ofSchema };
  }
  const decisions = [
    ...ofSchema,
    ...listAppliedDefaults(read, defaultJobSet(read), "WebhookDefault"),
  ];

  const admission = admitBySchema(defaulted.object, { generatedNameSuffix, schema });
  if (!admission.ok) {
    const named = withName(defaulted.object, generatedNameSuffix);
    return denyBySchema(named, admission, { warnings, decisions });
  }
  const stored = admission.stored as Unvalidated<JobSet>;

  const creation = { operation: "CREATE", object: stored } as const;
  const validated = validateJobSet(creation, snapshot, context, options);
  if (validated.allowed) return { allowed: true, stored, warnings, decisions };
  const { denial } = validated;
  return { allowed: false, stage: "validate", denial, warnings, decisions };
}

function admitUpdate(
  old: unknown,
  object: unknown,
  snapshot: Snapshot,
  context: ClusterContext,
): JobSetAdmissionResult {
  const { schema = openAPIV3Schema() } = context;
  const admission = admitBySchema(object, { old: old ?? {}, schema });
  const { object: read } = admission;
  if (read === undefined) return unreadable(object, admission.errors[0]);
  const conflict = uidConflict(old, read);
  if (conflict !== undefined) {
    return { allowed: false, stage: "schema", denial: conflict, warnings: [], decisions: [] };
  }
  const ratcheted = admission.warnings.map((message) => ({ field: "", message }));
  const warnings = [...droppedFields(object, context), ...ratcheted];
  const decisions = listAppliedDefaults(object, read, "SchemaDefault");
  if (!admission.ok) return denyBySchema(read, admission, { warnings, decisions });
  const stored = admission.stored as Unvalidated<JobSet>;

  const before = decodeStoredObject(old, schema);
  const update = { operation: "UPDATE", object: stored, oldObject: before } as const;
  const validated = validateJobSet(update, snapshot, context);
  if (validated.allowed) return { allowed: true, stored, warnings, decisions };
  const { denial } = validated;
  return { allowed: false, stage: "validate", denial, warnings, decisions };
}

/**
 * An update without a UID matches any object with that name. A value that no server stored has no UID and is not
 * compared.
 */
function uidConflict(old: unknown, read: Unvalidated<JobSet>): Denial<JobSetRuleId> | undefined {
  const stored = old as Unvalidated<JobSet>;
  const sent = getUid(read);
  if (sent === "" || getUid(stored) === "" || sent === getUid(stored)) return undefined;
  return conflictDenial(stored, sent);
}

/** The server's message is that of its decoder. The findings name all fields. */
function unreadable(object: unknown, error: SchemaError | undefined): JobSetAdmissionResult {
  const words = error?.body ?? "";
  const { errors, omitted } = isObject(object)
    ? decodeErrors(object, "JobSet")
    : jobSetDecodeErrors(object);
  const unnamed: FieldError = { type: "FieldValueTypeInvalid", field: NO_FIELD, body: words };
  const [first = unnamed, ...others] = errors;
  const denial = undecodableDenial(object, { errors: [first, ...others], omitted }, words);
  return { allowed: false, stage: "schema", denial, warnings: [], decisions: [] };
}

function denyBySchema(
  jobSet: Unvalidated<JobSet>,
  { errors, omitted = 0 }: Extract<SchemaAdmissionResult, { ok: false }>,
  report: Pick<JobSetAdmissionResult, "warnings" | "decisions">,
): JobSetAdmissionResult {
  const [first, ...others] = errors;
  if (!isFieldError(first)) return unreadable(jobSet, first);
  const rejected = { errors: [first, ...others.filter(isFieldError)], omitted } as const;
  const denial = fieldsDenial(jobSet, "schema-valid", rejected);
  return { allowed: false, stage: "schema", denial, ...report };
}

function isFieldError(error: SchemaError): error is FieldError {
  return error.type !== "BadRequest";
}

/** The server generates the name before validation, so its errors contain the name. */
function withName(jobSet: Unvalidated<JobSet>, suffix: string | undefined): Unvalidated<JobSet> {
  const name = nameOrGenerated(jobSet, suffix);
  return { ...jobSet, metadata: { ...asRecord(jobSet.metadata), name } };
}

function droppedFields(sent: unknown, { schema }: ClusterContext): readonly AdmissionWarning[] {
  const message = "unknown field, dropped";
  // The table of types has the fields of main's schema, and is faster.
  const dropped =
    schema === undefined ? findUnknownFields(sent, "JobSet") : findPrunedFields(sent, schema);
  return dropped.map(({ field }) => ({ field, message }));
}
