import type { JobSet, JobSetStatus, ToCreate, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import type {
  Job,
  KubernetesObject,
  ObjectMeta,
  ObjectReference,
  PersistentVolumeClaim,
  Pod,
  Service,
} from "@jobset-ts/api/kubernetes";
import { getName, getNamespace, getUid } from "../jobset-members.ts";
import type { FieldChange } from "./field-changes.ts";
import { toWire } from "./wire-form.ts";

/** Identifies one object. */
export interface ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * One request to the API server; `createApiRequest` converts it to HTTP. The `kind` of an `object` determines its type.
 */
export type Effect = CreateEffect | UpdateEffect | UpdateStatusEffect | PatchEffect | DeleteEffect;

/** Creates an object. */
export interface CreateEffect {
  readonly verb: "create";
  readonly target: ObjectKey;
  /** Plans contain no Events: those are reported, not planned. */
  readonly object:
    | ToCreate<Job>
    | ToCreate<Service>
    | ToCreate<PersistentVolumeClaim>
    | ReportedEvent;
  /** Whether an existing object with that name is a failure. */
  readonly onExists: "Fail" | "Succeed";
}

/** Changes members of a Job, provided that it has not changed since it was observed. */
export interface UpdateEffect {
  readonly verb: "update";
  readonly target: ObjectKey;
  /**
   * The Job after the update, for reading and comparing. It is not sent, because a client may have dropped members that
   * it does not know. Its `resourceVersion` is sent as the precondition.
   */
  readonly object: Job;
  /**
   * The changes to send. If an earlier effect on the same object returned a newer version, `object` is built from that.
   */
  readonly changes: readonly FieldChange[];
}

/**
 * Changes the status subresource with the same precondition. A JobSet's status is replaced as a whole. Besides the
 * status, `object` contains only the JobSet's identity.
 */
export interface UpdateStatusEffect {
  readonly verb: "updateStatus";
  readonly target: ObjectKey;
  readonly object: Job | Pod | Omit<JobSet, "spec">;
  readonly changes: readonly FieldChange[];
}

/** Changes members of an object, whatever its resourceVersion: a JSON merge patch. */
export interface PatchEffect {
  readonly verb: "patch";
  readonly target: ObjectKey;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** Deletes an object. */
export interface DeleteEffect {
  readonly verb: "delete";
  readonly target: ObjectKey;
  readonly propagationPolicy: "Foreground" | "Background";
  /** Whether a missing object, or another object with its name, is a failure. */
  readonly onNotFound: "Fail" | "Succeed";
  /** The UID of the object to delete. Absent if the observed object had none. */
  readonly uid?: string;
}

/**
 * An Event in the form in which controllers report it.
 *
 * @see Kubernetes `events.k8s.io/v1` `Event`
 */
export interface ReportedEvent {
  apiVersion: "events.k8s.io/v1";
  kind: "Event";
  metadata: ObjectMeta;
  /** The time of the first occurrence, with microseconds. */
  eventTime: string;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  /** The object of the Event, with its resourceVersion at that time. */
  regarding: ObjectReference;
  /** A sentence for people, of at most 1024 bytes. */
  note: string;
  type: "Normal" | "Warning";
  /** Present from the second occurrence on. The API server rejects a count below 2. */
  series?: { count: number; lastObservedTime: string };
}

/** The API server's response to an effect. */
export type EffectResult =
  /** Success. `object` is the returned object, if the server returned it. */
  | { readonly ok: true; readonly object?: Unvalidated<KubernetesObject> }
  | { readonly ok: false; readonly error: EffectError };

/** The API server's reason for the rejection, as in its `Status`. */
export interface EffectError {
  readonly message: string;
  /** `AlreadyExists`, `NotFound`, `Conflict` and so on. Absent if the server did not respond. */
  readonly reason?: string;
}

/** The maximum number of concurrent requests of one step. */
export const MAX_CONCURRENT_EFFECTS = 50;

/** Returns the key of a Job. */
export function jobTarget(job: Unvalidated<Job>): ObjectKey {
  return target("batch/v1", "Job", job);
}

/** Returns the key of a Pod. */
export function podTarget(pod: Unvalidated<Pod>): ObjectKey {
  return target("v1", "Pod", pod);
}

/** Returns the key of a JobSet. */
export function jobSetTarget(jobSet: Unvalidated<JobSet>): ObjectKey {
  return target("jobset.x-k8s.io/v1alpha2", "JobSet", jobSet);
}

function target(
  apiVersion: string,
  kind: string,
  object: Unvalidated<KubernetesObject>,
): ObjectKey {
  return { apiVersion, kind, namespace: getNamespace(object), name: getName(object) };
}

export function createEffect(object: CreateEffect["object"]): CreateEffect {
  return {
    verb: "create",
    target: target(object.apiVersion, object.kind, object),
    object,
    onExists: "Fail",
  };
}

/** Returns the effect that deletes an object, by default in the foreground: first everything that it owns. */
export function deleteEffect(
  key: ObjectKey,
  object: Unvalidated<KubernetesObject>,
  onNotFound: DeleteEffect["onNotFound"],
  propagationPolicy: DeleteEffect["propagationPolicy"] = "Foreground",
): DeleteEffect {
  const uid = getUid(object);
  return {
    verb: "delete",
    target: key,
    propagationPolicy,
    onNotFound: onNotFound,
    ...(uid !== "" && { uid }),
  };
}

export function updateEffect(job: Unvalidated<Job>, changes: readonly FieldChange[]): UpdateEffect {
  return { verb: "update", target: jobTarget(job), object: wireJob(job), changes };
}

export function updateStatusEffect(
  job: Unvalidated<Job>,
  changes: readonly FieldChange[],
): UpdateStatusEffect {
  return { verb: "updateStatus", target: jobTarget(job), object: wireJob(job), changes };
}

/** Returns the write of a JobSet's status. The object contains no other members except its identity. */
export function jobSetStatusEffect(
  jobSet: ObjectKey & { readonly uid?: string; readonly resourceVersion?: string },
  status: JobSetStatus,
): UpdateStatusEffect {
  const { apiVersion, kind, namespace, name, uid, resourceVersion } = jobSet;
  const metadata = {
    namespace,
    name,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    verb: "updateStatus",
    target: { apiVersion, kind, namespace, name },
    object: { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata, status },
    changes: [{ path: ["status"], value: status }],
  };
}

/** Returns the update of a Pod's status for a Pod that already has the changes. */
export function updatePodStatusEffect(
  pod: Unvalidated<Pod>,
  changes: readonly FieldChange[],
): UpdateStatusEffect {
  const object = toWire<Pod>({ ...pod, apiVersion: "v1", kind: "Pod" });
  return { verb: "updateStatus", target: podTarget(pod), object, changes };
}

export function patchEffect(
  job: Unvalidated<Job>,
  patch: Readonly<Record<string, unknown>>,
): PatchEffect {
  return { verb: "patch", target: jobTarget(job), patch };
}

/** Returns a Job in wire form, with the kind that list items lack. */
function wireJob(job: Unvalidated<Job>): Job {
  return toWire({ ...job, apiVersion: "batch/v1", kind: "Job" });
}
