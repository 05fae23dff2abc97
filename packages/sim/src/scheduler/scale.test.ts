import process from "node:process";
import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import { getLabel, type Node, type Pod } from "@jobset-ts/api/kubernetes";
import { expect, it } from "vitest";
import { NodeCluster } from "../testing/node-cluster.ts";

const PODS_PER_RACK = 15;

/** Adds racks. Each node fits one Pod, so a rack fits one Job. */
function addRacks(cluster: NodeCluster, racks: number): void {
  for (let rack = 0; rack < racks; rack++) {
    for (let node = 0; node < PODS_PER_RACK; node++) {
      const labels = { rack: `r${rack}`, pool: "tpu" };
      cluster.createNode(`n-${rack}-${node}`, { labels, allocatable: { "google.com/tpu": "4" } });
    }
  }
  cluster.run(1);
}

function createMember(cluster: NodeCluster, job: number, index: number, spec: object): void {
  const requests = { "google.com/tpu": "4" };
  const resources = { requests, limits: requests };
  cluster.createPod(
    `p-${job}-${index}`,
    { containers: [{ name: "main", image: "app:1", resources }], ...spec },
    { labels: { [JOB_KEY_KEY]: `k${job}`, [PRIORITY_KEY]: "0", index: String(index) } },
  );
}

function createLeader(cluster: NodeCluster, job: number): void {
  const term = (matchExpressions: readonly object[]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchExpressions }, topologyKey: "rack", namespaceSelector: {} },
    ],
  });
  const [key, own] = [JOB_KEY_KEY, [`k${job}`]];
  const affinity = {
    podAffinity: term([{ key, operator: "In", values: own }]),
    podAntiAffinity: term([
      { key, operator: "Exists" },
      { key, operator: "NotIn", values: own },
      { key: PRIORITY_KEY, operator: "In", values: ["0"] },
    ]),
  };
  createMember(cluster, job, 0, { affinity, nodeSelector: { pool: "tpu" } });
}

function createFollowers(cluster: NodeCluster, job: number): void {
  const rack = getRack(cluster, `p-${job}-0`);
  for (let index = 1; index < PODS_PER_RACK; index++) {
    createMember(cluster, job, index, { nodeSelector: { pool: "tpu", rack } });
  }
}

function getRack(cluster: NodeCluster, pod: string): string | undefined {
  const node = cluster.objects.get<Node>("Node", "", cluster.pod(pod)?.spec.nodeName ?? "");
  return node && getLabel(node, "rack");
}

/** Fills a cluster with Jobs that have a rack each. Returns the CPU microseconds per Pod. */
function fill(racks: number): { readonly cluster: NodeCluster; readonly perPod: number } {
  const cluster = new NodeCluster({ choice: "ByChance" });
  addRacks(cluster, racks);
  const startedAt = process.cpuUsage();
  const jobs = Array.from({ length: racks }, (_, job) => job);
  for (const job of jobs) createLeader(cluster, job);
  cluster.run(0.1);
  for (const job of jobs) createFollowers(cluster, job);
  cluster.run(0.1);
  const { user } = process.cpuUsage(startedAt);
  return { cluster, perPod: user / (racks * PODS_PER_RACK) };
}

it("each of many Jobs gets its own rack, at a cost that hardly depends on their number", () => {
  fill(20);
  const small = fill(20);
  const large = fill(160);
  const pods = large.cluster.objects.ofKind<Pod>("Pod");
  expect(pods.every(({ spec }) => spec.nodeName !== undefined)).toBe(true);
  const racks = new Map<string, Set<string | undefined>>();
  for (const pod of pods) {
    const rack = getRack(large.cluster, pod.metadata.name ?? "") ?? "";
    racks.set(rack, (racks.get(rack) ?? new Set()).add(getLabel(pod, JOB_KEY_KEY)));
  }
  expect([racks.size, [...racks.values()].every((jobs) => jobs.size === 1)]).toEqual([160, true]);
  expect(large.perPod / small.perPod).toBeLessThan(4);
});

it("the scheduler does not check all nodes for a waiting Pod while other Pods finish", () => {
  const { cluster } = fill(40);
  createLeader(cluster, 40);
  cluster.run(0.1);
  const countAttempts = () => cluster.listMessages("p-40-0").length;
  expect(countAttempts()).toBe(1);
  for (let index = 1; index < PODS_PER_RACK; index++) cluster.delete("Pod", `p-7-${index}`, 0);
  cluster.run(1);
  expect(countAttempts()).toBe(1);
  cluster.delete("Pod", "p-7-0", 0);
  cluster.run(1);
  expect(cluster.pod("p-40-0")?.spec.nodeName).toMatch(/^n-/);
});
