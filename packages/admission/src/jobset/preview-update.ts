import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asRecord, isObject } from "@jobset-ts/api/kubernetes";
import { type Context, type Plan, reconcile, type Snapshot } from "@jobset-ts/core";
import { decodeStoredObject, openAPIV3Schema } from "@jobset-ts/crd";
import type { ClusterContext, WebhookRequest } from "../webhook-shape.ts";
import { admitJobSet, type JobSetAdmissionResult } from "./admit-jobset.ts";
import { listChangedFields, type UpdatedField } from "./changed-fields.ts";
import {
  countJobActions,
  type JobActionCounts,
  type JobImpact,
  jobConsequences,
} from "./job-impact.ts";

/** The changes of an update, its admission, and its impact. */
export interface UpdatePreview {
  /** The changes. Empty if the new JobSet cannot be decoded. */
  readonly changes: readonly UpdatedField[];
  readonly admission: JobSetAdmissionResult;
  /** The effects on the cluster. Undefined if the update is denied. */
  readonly impact?: UpdateImpact;
}

/** The controller's next pass with and without the update. */
export interface UpdateImpact {
  readonly jobs: readonly JobImpact[];
  readonly counts: { readonly before: JobActionCounts; readonly after: JobActionCounts };
  readonly plans: { readonly before: Plan; readonly after: Plan };
}

/**
 * Previews an update of a JobSet: applies the admission rules and plans one pass of the controller. The preview covers
 * a single pass. Effects of the next pass, such as those of completed deletions, are not included.
 *
 * @param edit - the stored JobSet with its status, and the complete JobSet as a client would send it
 * @param snapshot - the cluster before the edit: the Jobs, Services, Pods and PersistentVolumeClaims that the
 *   controller reads
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const train = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml" } };
 * const edit = { oldObject: { ...train, spec: {} }, object: { ...train, spec: { suspend: true } } };
 * const { changes } = previewUpdate(edit, createSnapshot([], { kinds: "all" }), createContext({ now: 0 }));
 * changes.map(({ path, permitted }) => [path, permitted]) // => [["spec.suspend", true]]
 */
export function previewUpdate(
  { oldObject: old, object }: Pick<WebhookRequest, "object" | "oldObject">,
  snapshot: Snapshot,
  context: Context & ClusterContext,
): UpdatePreview {
  const { schema = openAPIV3Schema() } = context;
  const request = { operation: "UPDATE", oldObject: old, object } as const;
  const admission = admitJobSet(request, snapshot, context);
  const before = decodeStoredObject(old, schema) as Unvalidated<JobSet>;
  const next = admission.allowed ? admission.stored : decodeStoredObject(object, schema);
  const after = withServersMetadata(next ?? {}, before);
  const changes = listChangedFields(before, after, context);
  if (!admission.allowed) return { changes, admission };
  return {
    changes,
    admission,
    impact: evaluateConsequences(before, after, snapshot, context),
  };
}

function evaluateConsequences(
  before: Unvalidated<JobSet>,
  after: Unvalidated<JobSet>,
  snapshot: Snapshot,
  context: Context,
): UpdateImpact {
  const plans = {
    before: reconcile(snapshot.with({ put: [before] }), before, context),
    after: reconcile(snapshot.with({ put: [after] }), after, context),
  };
  const jobs = jobConsequences(snapshot, after, plans);
  const counts = {
    before: countJobActions(jobs.map((job) => job.before)),
    after: countJobActions(jobs.map((job) => job.after)),
  };
  return { jobs, counts, plans };
}

/** Metadata that only the server sets, so that clients need not send it. */
const serversMetadata = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "namespace",
] as const;

function withServersMetadata(next: object, before: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const jobSet = next as Unvalidated<JobSet>;
  const own = asRecord(jobSet.metadata) as Readonly<Record<string, unknown>>;
  const old = before.metadata as Readonly<Record<string, unknown>> | undefined;
  if (!isObject(old)) return jobSet;
  const known = serversMetadata
    .filter((name) => Object.hasOwn(old, name) && !Object.hasOwn(own, name))
    .map((name) => [name, old[name]]);
  return { ...jobSet, metadata: { ...own, ...Object.fromEntries(known) } };
}
