import type { JobSet, JobSetStatus } from "@jobset-ts/api";
import {
  applyMergePatch,
  asArray,
  isEqualJson,
  type Job,
  type ObjectMeta,
} from "@jobset-ts/api/kubernetes";
import { semanticEqual } from "@jobset-ts/api/typed";
import type { Plan } from "@jobset-ts/core";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { Objects } from "../api-server/objects.ts";
import type { PlanNote, RequestNote } from "../jobset-controller/pass-note.ts";
import { memoizeBy } from "./memoize-by.ts";

/** Returns a pass over a JobSet with the JobSet that it sees. `undefined` if it sees none or is a placement pass. */
export function createPass({
  plan,
  snapshot,
}: PlanNote): { readonly plan: Plan; readonly jobSet: JobSet } | undefined {
  if (!("jobSet" in plan)) return undefined;
  const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name) as JobSet | undefined;
  return jobSet && { plan, jobSet };
}

/** Returns the JobSet that the pass of a request sees. `undefined` if it sees none or is a placement pass. */
export function getObservedJobSet({ pass, snapshot }: RequestNote): JobSet | undefined {
  if (pass.kind !== "JobSet") return undefined;
  return snapshot.jobSet(pass.namespace, pass.name) as JobSet | undefined;
}

/** The object of a request: before, as the pass sees it, and after. */
export const getRequestedChange = memoizeBy(({ request, snapshot }: RequestNote) => {
  const { kind, metadata } = request.object;
  const { namespace = "", name = "" } = metadata ?? {};
  const before = snapshot.object(kind, namespace, name) as RequestedObject | undefined;
  return { before, after: applyRequest(before, request) };
});

/** Returns the object that results from a write. */
function applyRequest(
  before: RequestedObject | undefined,
  { verb, object }: ServerRequest,
): RequestedObject {
  return verb === "patch" ? (applyMergePatch(before, object) as RequestedObject) : object;
}

/**
 * A request of a pass to create or change a Job: the Job before, as the pass sees it, and after. For a patch, the Job
 * before is the stored one, because the pass may have patched it already.
 */
export interface JobWrite {
  readonly jobSet: JobSet;
  readonly verb: ServerRequest["verb"];
  readonly before: Job | undefined;
  readonly after: Job;
}

/** Returns the creation or change of a Job that a request contains. */
export function jobWrite(request: RequestNote, objects: Objects): JobWrite | undefined {
  const { verb, object, subresource } = request.request;
  if (object.kind !== "Job" || subresource !== undefined || verb === "delete") return undefined;
  const jobSet = getObservedJobSet(request);
  if (jobSet === undefined) return undefined;
  const { namespace = "", name = "" } = object.metadata ?? {};
  const stored = verb === "patch" ? objects.get<Job>("Job", namespace, name) : undefined;
  const before = stored ?? (request.snapshot.job(namespace, name) as Job | undefined);
  const after = applyRequest(before as unknown as RequestedObject | undefined, request.request);
  return { jobSet, verb, before, after: after as unknown as Job };
}

/** Reports whether a write starts a Job: creates it unsuspended, or resumes it. */
export function startsJob({ before, after }: JobWrite): boolean {
  return after.spec.suspend !== true && (before === undefined || before.spec.suspend === true);
}

/**
 * Returns the labels, annotations and finalizers that a request changes, with the prefix `added` for new ones.
 * `undefined` if the request changes anything else, or nothing.
 */
export function listMetadataChanges(request: RequestNote): readonly string[] | undefined {
  const { before, after } = getRequestedChange(request) as Readonly<
    Record<string, CleanableJobSet | undefined>
  >;
  if (request.request.verb === "delete" || before === undefined || after === undefined)
    return undefined;
  if (
    !isEqualJson(before.spec, after.spec) &&
    !semanticEqual(before.spec, after.spec, "JobSetSpec")
  )
    return undefined;
  if (!isEqualJson(before.metadata?.ownerReferences ?? [], after.metadata?.ownerReferences ?? []))
    return undefined;
  const [was, is] = [before, after].map(createMarks);
  const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const changed = names.filter((name) => was?.get(name) !== is?.get(name));
  return changed.length === 0
    ? undefined
    : changed.map((name) => (was?.has(name) ? name : `added ${name}`));
}

interface CleanableJobSet {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: unknown;
}

function createMarks({ metadata = {} }: CleanableJobSet): ReadonlyMap<string, string> {
  const { labels, annotations, finalizers } = metadata;
  return new Map([
    ...Object.entries(labels ?? {}).map(([key, value]) => [`label ${key}`, value] as const),
    ...Object.entries(annotations ?? {}).map(
      ([key, value]) => [`annotation ${key}`, value] as const,
    ),
    ...asArray(finalizers).map((name) => [`finalizer ${name}`, ""] as const),
  ]);
}

/** Returns a JobSet as a pass sees it, and the status that the pass writes. */
export function getStatusWrite(
  request: RequestNote,
): { readonly jobSet: JobSet; readonly status: JobSetStatus | undefined } | undefined {
  const { object, subresource } = request.request;
  if (object.kind !== "JobSet" || subresource !== "status") return undefined;
  const { before, after } = getRequestedChange(request) as unknown as Record<
    "before" | "after",
    JobSet
  >;
  return before && { jobSet: before, status: after.status ?? undefined };
}
