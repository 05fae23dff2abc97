import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TestApiServer } from "./api-server.ts";
import { createTestClient, type TestApiClient } from "./controller.ts";
import { historyLaws } from "./history-laws.ts";

/** Runs an action in a cluster and awaits it. */
type RunInEnvironment = (act: (client: TestApiClient) => Promise<void>) => Promise<void>;

const places: readonly (readonly [string, RunInEnvironment])[] = [
  ["of the laws of passes", (act) => act(createTestClient(new TestApiServer([], "ml")))],
  [
    "of the laws of histories",
    async (act) => {
      let acted: Promise<void> | undefined;
      // This law is not violated. A violated law would end the history.
      const law = historyLaws.get("terminalStateIsFinal")?.(async (client) => {
        acted ??= act(client);
        await acted;
      });
      await fc.assert(law as never, { seed: 1, numRuns: 1 });
      await acted;
      expect(acted).toBeDefined();
    },
  ],
];

function service(labels: Readonly<Record<string, string>>, spec: object = {}) {
  const metadata = { namespace: "ml", name: "mesh", labels };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None", ...spec } };
}

const key = { apiVersion: "v1", kind: "Service", metadata: { namespace: "ml", name: "mesh" } };

describe.each(places)("server-side apply in %s", (_, inCluster) => {
  it("server-side apply creates a missing object", () =>
    inCluster(async (client) => {
      expect(await client.apply(service({ a: "1" }))).toMatchObject(service({ a: "1" }));
    }));

  it("server-side apply removes only fields that were applied before and are omitted now", () =>
    inCluster(async (client) => {
      await client.apply(service({ a: "1", b: "2" }, { selector: { app: "x" } }));
      await client.patch({ ...key, metadata: { ...key.metadata, labels: { others: "3" } } });
      const { metadata, spec } = (await client.apply(service({ b: "4" }))) as ReturnType<
        typeof service
      >;
      expect(metadata.labels).toEqual({ b: "4", others: "3" });
      expect(spec).toMatchObject({ clusterIP: "None" });
      expect(spec).not.toHaveProperty("selector.app");
    }));

  it("server-side apply keeps fields that were created without it", () =>
    inCluster(async (client) => {
      await client.create(service({ a: "1" }));
      const applied = await client.apply(service({ b: "2" }));
      expect(applied.metadata.labels).toEqual({ a: "1", b: "2" });
    }));

  it("server-side apply ignores an earlier object of the same name", () =>
    inCluster(async (client) => {
      await client.apply(service({ a: "1" }));
      await client.delete(key, { propagationPolicy: "Background" });
      await client.create(service({ a: "2" }));
      const applied = await client.apply(service({ b: "2" }));
      expect(applied.metadata.labels).toEqual({ a: "2", b: "2" });
    }));

  it("server-side apply does not create an object for its status", () =>
    inCluster(async (client) => {
      const status = { ...key, status: { loadBalancer: {} } };
      await expect(client.applyStatus(status)).rejects.toMatchObject({ code: 404 });
    }));
});

const jobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { namespace: "ml", name: "train", uid: "u" },
};

function condition(type: string) {
  return { type, status: "True", lastTransitionTime: "2026-02-07T10:00:00Z" };
}

describe("server-side apply in TestApiServer", () => {
  const clientWith = (status: object) =>
    createTestClient(new TestApiServer([{ ...jobSet, status }] as never, "ml"));

  it("server-side apply keeps list elements that another client owns", async () => {
    const client = clientWith({ conditions: [condition("acme.com/Billed")] });
    const applied = await client.applyStatus({
      ...jobSet,
      status: { conditions: [condition("Suspended")] },
    });
    expect(applied).toMatchObject({
      status: { conditions: [{ type: "acme.com/Billed" }, { type: "Suspended" }] },
    });
  });

  it("server-side apply removes list elements and fields that were applied before", async () => {
    const client = clientWith({});
    const entry = { name: "w", ready: 1 };
    const conditions = [condition("Failed"), condition("Suspended")];
    await client.applyStatus({
      ...jobSet,
      status: { conditions, replicatedJobsStatus: [{ ...entry, jobRestarts: [1] }] },
    });
    const applied = await client.applyStatus({
      ...jobSet,
      status: { conditions: [condition("Failed")], replicatedJobsStatus: [entry] },
    });
    expect(applied).toMatchObject({
      status: { conditions: [condition("Failed")], replicatedJobsStatus: [entry] },
    });
    expect(JSON.stringify(applied)).not.toContain("jobRestarts");
  });

  it("server-side apply of a status removes fields that the controller wrote before", async () => {
    const replicatedJobsStatus = [{ name: "gone", ready: 0, jobRestarts: [1] }];
    const client = clientWith({
      replicatedJobsStatus,
      restarts: 1,
      later: 1,
      conditions: [condition("acme.com/Billed")],
    });
    const { status } = (await client.applyStatus({ ...jobSet, status: { restarts: 1 } })) as never;
    expect(status).toEqual({
      restarts: 1,
      later: 1,
      replicatedJobsStatus: [],
      conditions: [condition("acme.com/Billed")],
    });
  });
});
