// Shared parts of controllers with habits.
import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type ReconcileResponse,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Loose } from "./edit.ts";
import { current, rewriting } from "./wrapped-controllers.ts";

/** Our controller with other created objects and Events. */
export function making(
  change: (object: Loose) => Loose,
  changeEvent: (event: Loose) => Loose = (event) => event,
): ControllerSubject {
  return rewriting((one) => {
    if (one.verb !== "create") return [one];
    const changed = one.object.kind === "Event" ? changeEvent : change;
    return [{ ...one, object: changed(one.object) }];
  });
}

/**
 * Our controller, except that `send` sends the requests of a pass. A pass that fails may have sent requests before it
 * failed.
 */
export function sending(
  send: (
    requests: readonly TestApiRequest[],
    client: TestApiClient,
    pass: ReconcileRequest,
  ) => Promise<ReconcileResponse | undefined>,
): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    const requests: TestApiRequest[] = [];
    const note: TestApiClient["send"] = async (request) => {
      requests.push(request);
      return { ok: true };
    };
    const planned = (async () => own({ ...client, send: note }, pass))();
    await planned.catch(() => undefined);
    const result = await send(requests, client, pass);
    await planned;
    return result;
  };
}

export async function createPatchRequest(
  request: TestApiRequest,
  client: TestApiClient,
): Promise<TestApiRequest> {
  const stored = await current(request, client);
  const { apiVersion, kind, metadata } = request.object as Loose;
  const { namespace, name, resourceVersion } = metadata;
  const changes = mergePatch(stored ?? {}, request.object);
  const named = { ...changes.metadata, namespace, name, resourceVersion };
  return { ...request, verb: "patch", object: { apiVersion, kind, ...changes, metadata: named } };
}

/** Returns the merge patch from one object to another. */
export function mergePatch(before: Loose, after: Loose): Loose {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.flatMap((name) => {
    const [was, is] = [before, after].map((one) => (Object.hasOwn(one, name) ? one[name] : null));
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const areMaps = [was, is].every((one) => one instanceof Object && !Array.isArray(one));
    return [[name, areMaps ? mergePatch(was, is) : is]];
  });
  return Object.fromEntries(changes);
}

export function isStatusOfJobSet({ object, subresource }: TestApiRequest): boolean {
  return object.kind === "JobSet" && subresource === "status";
}

export function withStatus(
  request: TestApiRequest,
  change: (status: Loose) => Loose,
): TestApiRequest {
  if (!isStatusOfJobSet(request)) return request;
  return { ...request, object: { ...request.object, status: change(request.object.status) } };
}

export function eventAbout(
  type: string,
  { namespace, name }: Pick<ReconcileRequest, "namespace" | "name">,
  words: object,
): TestApiRequest {
  const [apiVersion, kind] = type.split(" ");
  const metadata = { namespace, generateName: `${name}.` };
  const involvedObject = { apiVersion, kind, namespace, name };
  const event = { apiVersion: "v1", kind: "Event", metadata, involvedObject };
  return { verb: "create", object: { ...event, ...words } };
}

/** Applies a change to the objects of one kind. */
export function ofKind(kind: string, change: (object: Loose) => Loose): (object: Loose) => Loose {
  return (object) => (object.kind === kind ? change(object) : object);
}
