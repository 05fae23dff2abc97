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
import type { FieldChange } from "./member-changes.ts";
import { toWire } from "./wire-form.ts";

/** Points at one object. */
export interface ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One request to the API server; `createApiRequest` puts it into words. The `kind` of an `object` tells its type. */
export type Effect = CreateEffect | UpdateEffect | UpdateStatusEffect | PatchEffect | DeleteEffect;

/** Create an object. */
export interface CreateEffect {
  readonly verb: "create";
  readonly target: ObjectKey;
  /** Plans hold no Event: those are reported, not planned. */
  readonly object:
    | ToCreate<Job>
    | ToCreate<Service>
    | ToCreate<PersistentVolumeClaim>
    | ReportedEvent;
  /** What it means that an object of that name exists already. */
  readonly onExists: "Fail" | "Succeed";
}

/** Change members of a Job, on condition that it has not changed since it was observed. */
export interface UpdateEffect {
  readonly verb: "update";
  readonly target: ObjectKey;
  /**
   * The Job afterwards, to read and to compare. It was observed through a client, which may have dropped what it does
   * not know, so it is not sent; its `resourceVersion` is, as the condition.
   */
  readonly object: Job;
  /** What is sent. When an earlier effect on the same object returned a newer one, `object` is made of that instead. */
  readonly changes: readonly FieldChange[];
}

/**
 * Change the status subresource, on the same condition. A JobSet's status is replaced as a whole: of the JobSet,
 * `object` has nothing else, save for what says which one is meant.
 */
export interface UpdateStatusEffect {
  readonly verb: "updateStatus";
  readonly target: ObjectKey;
  readonly object: Job | Pod | Omit<JobSet, "spec">;
  readonly changes: readonly FieldChange[];
}

/** Change members of an object, whatever its resourceVersion: a JSON merge patch. */
export interface PatchEffect {
  readonly verb: "patch";
  readonly target: ObjectKey;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** Delete an object. */
export interface DeleteEffect {
  readonly verb: "delete";
  readonly target: ObjectKey;
  readonly propagationPolicy: "Foreground" | "Background";
  /** What it means that there is no such object, or another of its name in its place. */
  readonly onNotFound: "Fail" | "Succeed";
  /** Only the object with this UID is meant; absent when the observed one had none. */
  readonly uid?: string;
}

/**
 * Something that happened to an object, in the form in which controllers report it.
 *
 * @see Kubernetes `events.k8s.io/v1` `Event`
 */
export interface ReportedEvent {
  apiVersion: "events.k8s.io/v1";
  kind: "Event";
  metadata: ObjectMeta;
  /** When it was first seen, with microseconds. */
  eventTime: string;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  /** With the resourceVersion that the object had then. */
  regarding: ObjectReference;
  /** A sentence for a person, of at most 1024 bytes. */
  note: string;
  type: "Normal" | "Warning";
  /** Present from the second time on; the API server takes no count below 2. */
  series?: { count: number; lastObservedTime: string };
}

/** What the API server answered to an effect. */
export type EffectResult =
  /** Done; `object` is what the server returned, where it returned the object. */
  | { readonly ok: true; readonly object?: Unvalidated<KubernetesObject> }
  | { readonly ok: false; readonly error: EffectError };

/** Why the API server refused, in the words of its `Status`. */
export interface EffectError {
  readonly message: string;
  /** `AlreadyExists`, `NotFound`, `Conflict` and so on; absent when the server did not answer. */
  readonly reason?: string;
}

/** How many requests of one step may be under way at once. */
export const MAX_CONCURRENT_EFFECTS = 50;

/** What names a Job. */
export function jobTarget(job: Unvalidated<Job>): ObjectKey {
  return target("batch/v1", "Job", job);
}

/** What names a Pod. */
export function podTarget(pod: Unvalidated<Pod>): ObjectKey {
  return target("v1", "Pod", pod);
}

/** What names a JobSet. */
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

/** Deletes an object and, in the foreground unless told otherwise, everything it owns first. */
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

/** Returns the write of a JobSet's status. Of other members it contains only the identity. */
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

/** Returns the update of a Pod's status for a Pod that has the changes already. */
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
