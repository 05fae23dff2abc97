import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Loose } from "./edit.ts";

type Rewrite = (
  request: TestApiRequest,
  client: TestApiClient,
) => readonly TestApiRequest[] | Promise<readonly TestApiRequest[]>;

/** Our controller sends other requests instead of each, until one is rejected. The last response counts; without a request, it is ok. */
export function rewriting(rewrite: Rewrite): ControllerSubject {
  const own = createPlanController(reconcile);
  return (client, pass) =>
    own(
      {
        ...client,
        send: async (request) => {
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
        },
      },
      pass,
    );
}

export async function current({ object }: TestApiRequest, client: TestApiClient) {
  const { namespace = "default", name = "" } = object.metadata as Loose;
  return client.get(object.kind, namespace, name).catch(() => undefined);
}

/** Returns the verb, the kind and the subresource. */
export function describeRequest({ verb, object, subresource }: TestApiRequest): string {
  return `${verb} ${object.kind}${subresource === undefined ? "" : "/status"}`;
}
