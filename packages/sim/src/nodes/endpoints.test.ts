import type { Service } from "@jobset-ts/api/kubernetes";
import { expect, it } from "vitest";
import { NodeCluster } from "../testing/node-cluster.ts";
import { getEndpoints } from "./endpoints.ts";

function createService(publishNotReadyAddresses: boolean): Service {
  const spec = { clusterIP: "None", selector: { app: "train" }, publishNotReadyAddresses };
  return { apiVersion: "v1", kind: "Service", metadata: { name: "mesh", namespace: "ns" }, spec };
}

it("getEndpoints returns the Pods with an address that a headless Service selects", () => {
  const cluster = new NodeCluster({
    workloads: [
      { index: 0, readyMs: 60_000 },
      { index: 1, runMs: 1000 },
      { index: 2, stopMs: 20_000 },
    ],
  });
  cluster.createNode("a");
  cluster.run(1);
  const labels = { app: "train" };
  for (const index of [0, 1, 2]) {
    const annotations = { "batch.kubernetes.io/job-completion-index": String(index) };
    const spec = { hostname: `h-${index}`, subdomain: index === 2 ? "other" : "mesh" };
    cluster.createPod(`p-${index}`, spec, { labels, annotations });
  }
  cluster.createPod("waiting", { nodeSelector: { none: "such" } }, { labels });
  cluster.createPod("foreign", {}, { labels: { app: "other" } });
  cluster.run(10);
  cluster.delete("Pod", "p-2");
  cluster.run(1);
  const endpoints = (service: Service) =>
    getEndpoints(cluster.objects, service).map(({ address: _, ...endpoint }) => endpoint);
  expect(endpoints(createService(false))).toEqual([
    { pod: "p-0", hostname: "h-0", serving: false, terminating: false, ready: false },
    { pod: "p-2", hostname: undefined, serving: true, terminating: true, ready: false },
  ]);
  expect(endpoints(createService(true)).map(({ ready }) => ready)).toEqual([true, true]);
});

it("getEndpoints returns nothing for a Service without a selector", () => {
  const cluster = new NodeCluster();
  const service = createService(true);
  expect(getEndpoints(cluster.objects, { ...service, spec: { clusterIP: "None" } })).toEqual([]);
});
