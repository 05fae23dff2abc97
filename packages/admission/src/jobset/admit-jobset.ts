import { defaultJobSet, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { asRecord, getUid, isObject } from "@jobset-ts/api/kubernetes";
import { decodeErrors, jobSetDecodeErrors, listUnknownFields } from "@jobset-ts/api/typed";
import type { Snapshot } from "@jobset-ts/core";
import {
  admitBySchema,
  decodeObject,
  decodeStoredObject,
  openAPIV3Schema,
  type SchemaAdmissionResult,
  type SchemaError,
} from "@jobset-ts/crd";
import type { Denial } from "../denial/denial.ts";
import type {
  AdmissionContext,
  AdmissionDecision,
  WebhookOptions,
  WebhookRequest,
} from "../webhook-shape.ts";
import { appliedDefaults } from "./applied-defaults.ts";
import { conflictDenial, fieldsDenial, undecodableDenial } from "./jobset-denial.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import { nameOrGenerated } from "./jobset-view.ts";
import { mutateJobSet } from "./mutate-jobset.ts";
import { validateJobSet } from "./validate-jobset.ts";

/** What a client is told although the request goes on. */
export interface AdmissionWarning {
  /** The path; empty where the warning names it itself. */
  readonly field: string;
  readonly message: string;
}

/**
 * Who refuses a JobSet: the API server by its schema, the mutating webhook that fills in defaults, or the validating
 * webhook.
 */
export type AdmissionStage = "schema" | "default" | "validate";

/** What becomes of a request for a JobSet in a cluster. */
export type JobSetAdmissionResult =
  | {
      readonly allowed: true;
      /**
       * The JobSet as it is stored, but for the metadata that only the server sets; absent when it is deleted.
       */
      readonly stored?: Unvalidated<JobSet>;
      readonly warnings: readonly AdmissionWarning[];
      /** What was filled in, and by whom. */
      readonly decisions: readonly AdmissionDecision[];
    }
  | {
      readonly allowed: false;
      readonly stage: AdmissionStage;
      /** As the stage that refuses says it; `apiServerStatus` says what a client sees of a webhook's refusal. */
      readonly denial: Denial<JobSetRuleId>;
      readonly warnings: readonly AdmissionWarning[];
      readonly decisions: readonly AdmissionDecision[];
    };

/**
 * The whole way of a request for a JobSet through a cluster with JobSet installed.
 *
 * A creation: the API server reads the object, drops what it does not know and fills in the schema's defaults; the
 * mutating webhook fills in its own; the server does its part again, names the object and checks metadata, schema and
 * the rules of the CRD; the validating webhook has the last word. An update goes the same way but for the mutating
 * webhook, and what was wrong before and did not change is forgiven by the schema; one that names another UID than that of
 * the stored object is refused with 409 before anything else is asked of it. A deletion is not looked at.
 *
 * The first stage that refuses ends the request; errors of different stages are never mixed.
 *
 * @param request - with the object as a client sends it, and for an update the one that is stored
 * @param snapshot - asked for volume claims only
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const object = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train" }, spec: {} };
 * const admitted = admitJobSet({ operation: "CREATE", object }, createSnapshot([]), createContext({ now: 0 }));
 * admitted.allowed && admitted.stored?.spec?.startupPolicy // => { startupPolicyOrder: "AnyOrder" }
 */
export function admitJobSet(
  { operation, object, oldObject }: WebhookRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
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
  context: AdmissionContext,
  options: WebhookOptions,
): JobSetAdmissionResult {
  const { generatedNameSuffix } = options;
  const decoded = decodeObject(object, openAPIV3Schema());
  if (!decoded.ok) return unreadable(object, decoded.error);
  const read = decoded.object;
  const warnings = droppedFields(object);
  const ofSchema = appliedDefaults(object, read, "SchemaDefault");

  const request = { operation: "CREATE", object: read } as const;
  const defaulted = mutateJobSet(request, snapshot, context);
  if (!defaulted.allowed) {
    const { denial } = defaulted;
    return { allowed: false, stage: "default", denial, warnings, decisions: ofSchema };
  }
  const decisions = [...ofSchema, ...appliedDefaults(read, defaultJobSet(read), "WebhookDefault")];

  const admission = admitBySchema(defaulted.object, { generatedNameSuffix });
  if (!admission.ok) {
    const named = withName(defaulted.object, generatedNameSuffix);
    return refusedBySchema(named, admission, { warnings, decisions });
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
  context: AdmissionContext,
): JobSetAdmissionResult {
  const admission = admitBySchema(object, { old: old ?? {} });
  const { object: read } = admission;
  if (read === undefined) return unreadable(object, admission.errors[0]);
  const conflict = uidConflict(old, read);
  if (conflict !== undefined) {
    return { allowed: false, stage: "schema", denial: conflict, warnings: [], decisions: [] };
  }
  const ratcheted = admission.warnings.map((message) => ({ field: "", message }));
  const warnings = [...droppedFields(object), ...ratcheted];
  const decisions = appliedDefaults(object, read, "SchemaDefault");
  if (!admission.ok) return refusedBySchema(read, admission, { warnings, decisions });
  const stored = admission.stored as Unvalidated<JobSet>;

  const before = decodeStoredObject(old, openAPIV3Schema());
  const update = { operation: "UPDATE", object: stored, oldObject: before } as const;
  const validated = validateJobSet(update, snapshot, context);
  if (validated.allowed) return { allowed: true, stored, warnings, decisions };
  const { denial } = validated;
  return { allowed: false, stage: "validate", denial, warnings, decisions };
}

/** An update that names no UID is of whatever has the name; what is no server's object has none, and is compared by nobody. */
function uidConflict(old: unknown, read: Unvalidated<JobSet>): Denial<JobSetRuleId> | undefined {
  const stored = old as Unvalidated<JobSet>;
  const sent = getUid(read);
  if (sent === "" || getUid(stored) === "" || sent === getUid(stored)) return undefined;
  return conflictDenial(stored, sent);
}

/** The server answers with the words of its decoder; the findings name the fields, and all of them. */
function unreadable(object: unknown, error: SchemaError | undefined): JobSetAdmissionResult {
  const words = error?.body ?? "";
  const { told, omitted } = isObject(object)
    ? decodeErrors(object, "JobSet")
    : jobSetDecodeErrors(object);
  const unnamed: FieldError = { type: "FieldValueTypeInvalid", field: NO_FIELD, body: words };
  const [first = unnamed, ...others] = told;
  const denial = undecodableDenial(object, { errors: [first, ...others], omitted }, words);
  return { allowed: false, stage: "schema", denial, warnings: [], decisions: [] };
}

function refusedBySchema(
  jobSet: Unvalidated<JobSet>,
  { errors, omitted = 0 }: Extract<SchemaAdmissionResult, { ok: false }>,
  told: Pick<JobSetAdmissionResult, "warnings" | "decisions">,
): JobSetAdmissionResult {
  const [first, ...others] = errors;
  if (!isOfField(first)) return unreadable(jobSet, first);
  const refused = { errors: [first, ...others.filter(isOfField)], omitted } as const;
  const denial = fieldsDenial(jobSet, "schema-valid", refused);
  return { allowed: false, stage: "schema", denial, ...told };
}

function isOfField(error: SchemaError): error is FieldError {
  return error.type !== "BadRequest";
}

/** The server names an object before it checks it, and so names it in its refusal. */
function withName(jobSet: Unvalidated<JobSet>, suffix: string | undefined): Unvalidated<JobSet> {
  const name = nameOrGenerated(jobSet, suffix);
  return { ...jobSet, metadata: { ...asRecord(jobSet.metadata), name } };
}

function droppedFields(sent: unknown): readonly AdmissionWarning[] {
  const message = "unknown field, dropped";
  return listUnknownFields(sent, "JobSet").map((field) => ({ field, message }));
}
