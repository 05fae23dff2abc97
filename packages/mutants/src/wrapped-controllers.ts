// Our controller with other requests. Correct and wrong controllers are built from it.
import type {
  ControllerSubject,
  ReconcileRequest,
  TestApiClient,
  TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Untyped } from "./edit.ts";
import { passes } from "./law-sets.ts";

/** Creates a controller. Each history gets a new one. */
export type CreateController = () => ControllerSubject;

/** Our controller, whose requests go to a function instead of the client. */
export function interceptRequests(
  send: (
    request: TestApiRequest,
    client: TestApiClient,
    pass: ReconcileRequest,
  ) => ReturnType<TestApiClient["send"]>,
): ControllerSubject {
  const own = passes.createOwn();
  return (client, pass) => own({ ...client, send: (request) => send(request, client, pass) }, pass);
}

/**
 * Our controller, which sends any number of other requests instead of each of its requests. It stops at the first
 * rejection and receives the last response. Without a request, it receives a success.
 */
export function replaceRequests(
  replace: (
    request: TestApiRequest,
    client: TestApiClient,
  ) => readonly TestApiRequest[] | Promise<readonly TestApiRequest[]>,
): ControllerSubject {
  return interceptRequests(async (request, client) => {
    const [first, ...others] = await replace(request, client);
    if (first === undefined) return { ok: true };
    let response = await client.send(first);
    for (const other of others) {
      if (!response.ok) break;
      const next = await client.send(other);
      // Only the first of two equal deletions can succeed, so it counts.
      if (other.verb !== "delete") response = next;
    }
    return response;
  });
}

/** Our controller, with an action before each pass. */
export function runBefore(
  act: (client: TestApiClient, pass: ReconcileRequest) => Promise<unknown>,
): CreateController {
  return () => {
    const own = passes.createOwn();
    return async (client, pass) => {
      await act(client, pass);
      await own(client, pass);
    };
  };
}

/** Reads the stored object that a request writes. */
export function readStored({ object }: TestApiRequest, client: TestApiClient): Promise<Untyped> {
  const { namespace = "default", name = "" } = object.metadata as Untyped;
  return readObject(client, object.kind, namespace, name);
}

/** Reads an object. Undefined if it does not exist. */
export function readObject(
  client: TestApiClient,
  kind: string,
  namespace: string,
  name: string,
): Promise<Untyped> {
  return client.get(kind, namespace, name).catch(() => undefined);
}

/** Returns the verb, the kind and the subresource, such as `update JobSet/status`. */
export function describeRequest({ verb, object, subresource }: TestApiRequest): string {
  return `${verb} ${object.kind}${subresource === undefined ? "" : "/status"}`;
}
