import { reconcile } from "@jobset-ts/core";
import { expect, it } from "vitest";
import { aJobSet } from "../builders/a-jobset.ts";
import type { ApiOutcome, ApiRequest } from "./api-request.ts";
import { clientOf, controllerOfPlans, controllerOfRequests } from "./controller.ts";

const pass = { namespace: "default", name: "train", now: "2026-08-18T10:05:10Z", features: [] };

/** A server that takes Events and refuses all else. */
function refusing(sent: ApiRequest[]) {
  return clientOf({
    state: [aJobSet("train").withReplicatedJob("w")],
    get: () => undefined,
    perform(request): ApiOutcome {
      sent.push(request);
      if (request.object.kind === "Event") return { ok: true };
      return { ok: false, code: 500, reason: "InternalError", message: "no" };
    },
  });
}

it("a plan that cannot be carried out is a pass that fails", async () => {
  await expect(controllerOfPlans(reconcile)(refusing([]), pass)).rejects.toThrow("no");
});

it("a request that is refused is a pass that fails, once all others are sent", async () => {
  const sent: ApiRequest[] = [];
  const named = (name: string) => ({ kind: "Service", metadata: { name } });
  const controller = controllerOfRequests(() => [
    { verb: "create", object: named("a") },
    { verb: "create", object: named("b") },
  ]);
  await expect(controller(refusing(sent), pass)).rejects.toMatchObject({ code: 500 });
  expect(sent.map(({ object }) => object.metadata?.name)).toEqual(["a", "b"]);
});
