// Our controller with changed requests. Right and wrong controllers are made of these.
import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Loose } from "./edit.ts";

/** Creates a controller. Each history gets a new one. */
export type CreateController = () => ControllerSubject;

type Response = Awaited<ReturnType<TestApiClient["send"]>>;

/** Our controller, whose requests this function sends. */
export function intercepting(
  send: (
    request: TestApiRequest,
    client: TestApiClient,
    pass: ReconcileRequest,
  ) => Promise<Response>,
): ControllerSubject {
  const own = createPlanController(reconcile);
  return (client, pass) => own({ ...client, send: (request) => send(request, client, pass) }, pass);
}

type Rewrite = (
  request: TestApiRequest,
  client: TestApiClient,
) => readonly TestApiRequest[] | Promise<readonly TestApiRequest[]>;

/** Our controller sends other requests instead of each, until one is rejected. The last response counts; without a request, it is ok. */
export function rewriting(rewrite: Rewrite): ControllerSubject {
  return intercepting(async (request, client) => {
    const [first, ...others] = await rewrite(request, client);
    if (first === undefined) return { ok: true };
    let outcome = await client.send(first);
    for (const other of others) {
      if (!outcome.ok) break;
      const next = await client.send(other);
      // Only the first of two equal deletions can succeed, so it counts.
      if (other.verb !== "delete") outcome = next;
    }
    return outcome;
  });
}

/** Our controller does something before each pass. */
export function before(
  act: (client: TestApiClient, pass: ReconcileRequest) => Promise<unknown>,
): CreateController {
  return () => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      await act(client, pass);
      await own(client, pass);
    };
  };
}

/** Returns the stored object of a request. */
export function current({ object }: TestApiRequest, client: TestApiClient): Promise<Loose> {
  const { namespace = "default", name = "" } = object.metadata as Loose;
  return readObject(client, object.kind, namespace, name);
}

/** Returns an object, or `undefined` if it does not exist. */
export function readObject(
  client: TestApiClient,
  kind: string,
  namespace: string,
  name: string,
): Promise<Loose> {
  return client.get(kind, namespace, name).catch(() => undefined);
}

/** Returns the verb, the kind and the subresource. */
export function describeRequest({ verb, object, subresource }: TestApiRequest): string {
  return `${verb} ${object.kind}${subresource === undefined ? "" : "/status"}`;
}
