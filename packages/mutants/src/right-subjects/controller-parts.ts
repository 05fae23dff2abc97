// What controllers built from ours share.
import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type ReconcileResponse,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Untyped } from "../edit.ts";
import {
  type CreateController,
  describeRequest,
  readObject,
  readStored,
  replaceRequests,
} from "../wrapped-controllers.ts";

/** Our controller, which replaces each request of one kind, such as `update Job/status`, with other requests. */
export function replaceKind(
  kind: string,
  replace: (request: TestApiRequest, client: TestApiClient) => Promise<Untyped> | Untyped,
): CreateController {
  return () =>
    replaceRequests(async (one, client) =>
      describeRequest(one) === kind ? [await replace(one, client)].flat() : [one],
    );
}

/** Our controller with other created objects and Events. */
export function changeCreated(
  change: (object: Untyped) => Untyped,
  changeEvent: (event: Untyped) => Untyped = (event) => event,
): CreateController {
  return () =>
    replaceRequests((one) => {
      if (one.verb !== "create") return [one];
      const changed = one.object.kind === "Event" ? changeEvent : change;
      return [{ ...one, object: changed(one.object) }];
    });
}

/** Our controller with another status of the JobSet. */
export function changeStatus(change: (status: Untyped) => Untyped): CreateController {
  return () =>
    replaceRequests((one) =>
      isStatusOfJobSet(one)
        ? [{ ...one, object: { ...one.object, status: change(one.object.status) } }]
        : [one],
    );
}

/** Our controller with other times in the status of the JobSet. */
export function changeTimeSuffix(zone: string): CreateController {
  return changeStatus((status) =>
    JSON.parse(JSON.stringify(status).replace(/(T\d\d:\d\d:\d\d)Z/g, `$1${zone}`)),
  );
}

/** Our controller with another condition of the JobSet. */
export function addCondition(type: string): CreateController {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const own = { type, status: "True", reason: "Seen", message: "", lastTransitionTime };
  return changeStatus((status) => {
    const others = (status.conditions ?? []).filter((one: Untyped) => one.type !== type);
    return { ...status, conditions: [...others, own] };
  });
}

/**
 * Our controller, except that `send` sends the requests of a pass. A pass that fails may have sent requests before it
 * failed.
 */
export function sendPlanned(
  send: (
    requests: readonly TestApiRequest[],
    client: TestApiClient,
    pass: ReconcileRequest,
  ) => Promise<ReconcileResponse | undefined>,
): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    const requests: TestApiRequest[] = [];
    const record: TestApiClient["send"] = async (request) => {
      requests.push(request);
      return { ok: true };
    };
    const planned = (async () => own({ ...client, send: record }, pass))();
    await planned.catch(() => undefined);
    const result = await send(requests, client, pass);
    await planned;
    return result;
  };
}

/** Our controller runs only in every nth pass. */
export function skipPasses(period: number, meanwhile: ReconcileResponse): CreateController {
  return () => {
    const own = createPlanController(reconcile);
    let passes = 0;
    return async (client, pass) => {
      passes += 1;
      if (passes % period !== 0) return meanwhile;
      await own(client, pass);
      return {};
    };
  };
}

/** Returns the JobSet of a pass, if our controller manages it. */
export async function readManagedJobSet(
  client: TestApiClient,
  { namespace, name }: ReconcileRequest,
): Promise<Untyped> {
  const jobSet = await readObject(client, "JobSet", namespace, name);
  const own = "jobset.sigs.k8s.io/jobset-controller";
  return (jobSet?.spec.managedBy ?? own) === own ? jobSet : undefined;
}

/** Returns the JobSet of a pass, if our controller manages it and it is not being deleted. */
export async function readJobSet(client: TestApiClient, pass: ReconcileRequest): Promise<Untyped> {
  const jobSet = await readManagedJobSet(client, pass);
  return jobSet?.metadata.deletionTimestamp === undefined ? jobSet : undefined;
}

export function isControlledBy({ metadata }: Untyped, jobSet: Untyped): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner: Untyped) => owner.controller && owner.uid === jobSet?.metadata.uid,
  );
}

export function isStatusOfJobSet({ object, subresource }: TestApiRequest): boolean {
  return object.kind === "JobSet" && subresource === "status";
}

/** Returns the kind, name and observed version of a request's object, for a patch. */
export function identify({ object }: TestApiRequest): Untyped {
  const { apiVersion, kind, metadata } = object as Untyped;
  const { namespace, name, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { namespace, name, resourceVersion } };
}

/** Returns the request with only some members of its object. */
export function sendOnly(
  request: TestApiRequest,
  verb: "patch" | "apply",
  members: object,
): TestApiRequest {
  return { ...request, verb, object: { ...identify(request), ...members } };
}

/** Returns the request as an apply of what a client may own. */
export function createApplyRequest(request: TestApiRequest): TestApiRequest {
  const { metadata, spec } = request.object as Untyped;
  const { labels, annotations, ownerReferences } = metadata;
  const own = { ...identify(request).metadata, labels, annotations, ownerReferences };
  return sendOnly(request, "apply", { metadata: own, spec });
}

/** Returns an update as a merge patch. */
export async function createPatchRequest(
  request: TestApiRequest,
  client: TestApiClient,
): Promise<TestApiRequest> {
  const changes = mergePatch((await readStored(request, client)) ?? {}, request.object);
  const metadata = { ...changes.metadata, ...identify(request).metadata };
  return sendOnly(request, "patch", { ...changes, metadata });
}

/** Returns the merge patch from one object to another. `getRemoval` returns the value that removes a member. */
export function mergePatch(
  before: Untyped = {},
  after: Untyped = {},
  getRemoval: (was: Untyped) => Untyped = () => null,
): Untyped {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.flatMap((name) => {
    const [was, next] = [before, after].map((one) => (Object.hasOwn(one, name) ? one[name] : null));
    const is = next ?? getRemoval(was);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [[name, [was, is].every(isMap) ? mergePatch(was, is, getRemoval) : is]];
  });
  return Object.fromEntries(changes);
}

export function isMap(value: unknown): boolean {
  return value instanceof Object && !Array.isArray(value);
}

/** Returns the request to create an Event. */
export function createEventRequest(
  type: string,
  { namespace, name }: Pick<ReconcileRequest, "namespace" | "name">,
  text: object,
): TestApiRequest {
  const [apiVersion, kind] = type.split(" ");
  const metadata = { namespace, generateName: `${name}.` };
  const involvedObject = { apiVersion, kind, namespace, name };
  const event = { apiVersion: "v1", kind: "Event", metadata, involvedObject };
  return { verb: "create", object: { ...event, ...text } };
}

/** Applies a change to the objects of one kind. */
export function changeKind(
  kind: string,
  change: (object: Untyped) => Untyped,
): (object: Untyped) => Untyped {
  return (object) => (object.kind === kind ? change(object) : object);
}
