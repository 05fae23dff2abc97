import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiServer } from "./api-server.ts";
import { type ApiClient, clientOf } from "./controller.ts";
import { historyLaws } from "./history-laws.ts";

/** Has something done in a cluster, and awaits it. */
type Place = (act: (client: ApiClient) => Promise<void>) => Promise<void>;

const places: readonly (readonly [string, Place])[] = [
  ["of the laws of passes", (act) => act(clientOf(new ApiServer([], "ml")))],
  [
    "of the laws of histories",
    async (act) => {
      let acted: Promise<void> | undefined;
      // What breaks no law: a history ends where one is broken.
      const law = historyLaws.get("theEndIsFinal")?.(async (client) => {
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

describe.each(places)("server-side apply in the cluster %s", (_, inCluster) => {
  it("makes what is not there", () =>
    inCluster(async (client) => {
      expect(await client.apply(service({ a: "1" }))).toMatchObject(service({ a: "1" }));
    }));

  it("takes away what was applied before and is left out, and nothing else", () =>
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

  it("leaves what was created without it", () =>
    inCluster(async (client) => {
      await client.create(service({ a: "1" }));
      const applied = await client.apply(service({ b: "2" }));
      expect(applied.metadata.labels).toEqual({ a: "1", b: "2" });
    }));

  it("knows nothing of an object that had the name before", () =>
    inCluster(async (client) => {
      await client.apply(service({ a: "1" }));
      await client.delete(key, { propagationPolicy: "Background" });
      await client.create(service({ a: "2" }));
      const applied = await client.apply(service({ b: "2" }));
      expect(applied.metadata.labels).toEqual({ a: "2", b: "2" });
    }));

  it("makes no object for its status", () =>
    inCluster(async (client) => {
      const status = { ...key, status: { loadBalancer: {} } };
      await expect(client.applyStatus(status)).rejects.toMatchObject({ code: 404 });
    }));
});
