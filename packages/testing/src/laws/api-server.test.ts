import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { aJob } from "../builders/a-job.ts";
import { TestApiServer } from "./api-server.ts";
import { createTestClient } from "./controller.ts";

const event = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { namespace: "default", generateName: "train." },
  reason: "JobCreated",
};

const hosts = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name: "hosts" },
};

describe("TestApiServer", () => {
  it("TestApiServer returns the Event that it stores, and patches it", async () => {
    const client = createTestClient(new TestApiServer([], "default"));
    const { metadata } = await client.create(event);
    expect(metadata.name).toMatch(/^train\.\d+$/);
    const name = metadata.name ?? "";
    await client.patch({ ...event, metadata: { namespace: "default", name }, count: 2 });
    expect(await client.get("Event", "default", name)).toMatchObject({
      reason: "JobCreated",
      count: 2,
    });
    expect(await client.list("Event")).toHaveLength(1);
  });

  it("TestApiServer serves objects of unrelated kinds and omits them from its state", async () => {
    const server = new TestApiServer([], "default");
    const client = createTestClient(server);
    const { state } = server;
    await client.create(hosts);
    await expect(client.create(hosts)).rejects.toMatchObject({ reason: "AlreadyExists" });
    await client.update({ ...hosts, data: { a: "1" } });
    expect(await client.list("ConfigMap", "default")).toMatchObject([{ data: { a: "1" } }]);
    await client.delete(hosts);
    await expect(client.get("ConfigMap", "default", "hosts")).rejects.toMatchObject({ code: 404 });
    expect(server.state).toBe(state);
  });

  it("TestApiServer returns objects of any kind that a test stores", async () => {
    const server = new TestApiServer([], "default");
    server.put(hosts as KubernetesObject);
    expect(server.state).toMatchObject([hosts]);
    await createTestClient(server).update({ ...hosts, data: { a: "1" } });
    expect(server.state).toMatchObject([{ data: { a: "1" } }]);
  });

  it("TestApiServer accepts an equivalent template of a started Job and rejects other templates", async () => {
    const job = aJob("train-w-0").withStatus({ active: 1, startTime: "2026-02-07T10:00:00Z" });
    const client = createTestClient(new TestApiServer([job], "default"));
    const patchPod = (pod: object) =>
      client.patch({ ...key(job), spec: { template: { spec: pod } } });
    await patchPod({ nodeSelector: {}, tolerations: [], dnsPolicy: "ClusterFirst" });
    await expect(patchPod({ nodeSelector: { disk: "a" } })).rejects.toMatchObject({ code: 422 });
  });
});

function key({ apiVersion, kind, metadata: { namespace, name } }: ReturnType<typeof aJob>) {
  return { apiVersion, kind, metadata: { namespace, name } };
}
