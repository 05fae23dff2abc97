import { reconcile } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aJobSet } from "../builders/a-jobset.ts";
import { deepFreeze } from "../testing/freezing.ts";
import type { TestApiRequest, TestApiResponse } from "./api-request.ts";
import { TestApiServer } from "./api-server.ts";
import {
  createPlanController,
  createRequestController,
  createTestClient,
  type TestApiClient,
} from "./controller.ts";

const pass = { namespace: "default", name: "train", now: "2026-08-18T10:05:10Z", features: [] };

/** Returns a client of a server that accepts Events and rejects all other requests. */
function createRejectingClient(sent: TestApiRequest[]) {
  return createTestClient({
    state: [aJobSet("train").withReplicatedJob("w")],
    get: () => undefined,
    perform(request): TestApiResponse {
      sent.push(request);
      if (request.object.kind === "Event") return { ok: true };
      return { ok: false, code: 500, reason: "InternalError", message: "no" };
    },
  });
}

it("createPlanController fails a pass whose plan cannot be executed", async () => {
  await expect(createPlanController(reconcile)(createRejectingClient([]), pass)).rejects.toThrow(
    "no",
  );
});

it("createRequestController sends all requests, reports failed creations in Events, and fails the pass", async () => {
  const sent: TestApiRequest[] = [];
  const named = (name: string) => ({ kind: "Service", metadata: { name } });
  const controller = createRequestController(() => [
    { verb: "create", object: named("a") },
    { verb: "create", object: named("b") },
    { verb: "delete", object: named("c") },
  ]);
  await expect(controller(createRejectingClient(sent), pass)).rejects.toMatchObject({ code: 500 });
  expect(sent.map(({ object }) => object.message ?? object.metadata?.name)).toEqual([
    "a",
    "Service a cannot be created: no",
    "b",
    "Service b cannot be created: no",
    "c",
  ]);
  const about = { kind: "JobSet", namespace: "default", name: "train" };
  expect(sent[1]?.object).toMatchObject({ type: "Warning", involvedObject: about });
});

describe("createTestClient", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the test changes a readonly object
  type Anything = any;
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "train" } };
  const update: TestApiRequest = { verb: "update", object: service };

  it.each<readonly [string, (client: TestApiClient) => Promise<Anything>]>([
    ["get", (client) => client.get("JobSet", "default", "train")],
    ["list", async (client) => (await client.list("JobSet"))[0]],
    ["create", (client) => client.create({ kind: "Job", metadata: { name: "train-w-0" } })],
    ["update", (client) => client.update(service)],
    ["updateStatus", (client) => client.updateStatus(service)],
    ["patch", (client) => client.patch(service)],
    ["patchStatus", (client) => client.patchStatus(service)],
    ["apply", (client) => client.apply(service)],
    ["applyStatus", (client) => client.applyStatus(service)],
    ["send", async (client) => ((await client.send(update)) as Anything).object],
  ])("createTestClient returns a copy from %s", async (_verb, request) => {
    const jobSet = deepFreeze(aJobSet("train").withReplicatedJob("w"));
    const server = new TestApiServer([jobSet], "default");
    server.put({ ...service, metadata: { ...service.metadata, namespace: "default" } });
    const object = await request(createTestClient(server));
    const stored = JSON.stringify(server.state);
    object.metadata.labels = { scribbled: "over" };
    object.metadata.name = "another";
    expect(JSON.stringify(server.state)).toBe(stored);
    expect(JSON.stringify(server.exchanges)).not.toContain("another");
  });

  it("createTestClient sends a copy of its input", async () => {
    const server = new TestApiServer([], "default");
    const sent: Anything = { kind: "Service", metadata: { name: "train", labels: {} } };
    await createTestClient(server).create(sent);
    sent.metadata.labels.scribbled = "over";
    expect(JSON.stringify([server.state, server.exchanges])).not.toContain("scribbled");
  });
});
