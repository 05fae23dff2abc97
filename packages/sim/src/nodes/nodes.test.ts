import { findCondition } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { NodeCluster } from "../testing/node-cluster.ts";

function getTaints(cluster: NodeCluster, node: string): readonly string[] {
  return (cluster.node(node)?.spec?.taints ?? []).map(
    ({ key, effect }) => `${key.replace("node.kubernetes.io/", "")}:${effect}`,
  );
}

/** Creates a cluster with two nodes and a Pod that runs on the first. */
function createClusterWithRunningPod(spec: object = {}): NodeCluster {
  const cluster = new NodeCluster();
  cluster.createNode("a");
  cluster.createPod("p", spec);
  cluster.run(2);
  cluster.createNode("b");
  cluster.run(2);
  expect(cluster.pod("p")?.status?.phase).toBe("Running");
  return cluster;
}

describe("Node lifecycle controller", () => {
  it("the node lifecycle controller removes the taint of a node that is ready", () => {
    const cluster = new NodeCluster();
    cluster.createNode("a", { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } });
    expect(getTaints(cluster, "a")).toEqual(["k:NoSchedule", "not-ready:NoSchedule"]);
    cluster.run(1);
    expect(getTaints(cluster, "a")).toEqual(["k:NoSchedule"]);
  });

  it("the node lifecycle controller taints a node while it is cordoned", () => {
    const cluster = createClusterWithRunningPod();
    cluster.patch("Node", "b", { spec: { unschedulable: true } });
    cluster.run(1);
    expect(getTaints(cluster, "b")).toEqual(["unschedulable:NoSchedule"]);
    cluster.patch("Node", "b", { spec: { unschedulable: null } });
    cluster.run(1);
    expect(getTaints(cluster, "b")).toEqual([]);
  });

  it("a node is lost 50 s after its last heartbeat, and its Pods are evicted 300 s later", () => {
    const cluster = createClusterWithRunningPod();
    cluster.disconnect("a");
    cluster.run(39);
    expect(findCondition(cluster.node("a")?.status?.conditions, "Ready")?.status).toBe("True");
    cluster.run(17);
    const ready = findCondition(cluster.node("a")?.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown" });
    expect(getTaints(cluster, "a")).toEqual(["unreachable:NoSchedule", "unreachable:NoExecute"]);
    expect(cluster.condition("p", "Ready")?.status).toBe("False");
    cluster.run(280);
    expect(cluster.pod("p")?.metadata.deletionTimestamp).toBeUndefined();
    cluster.run(30);
    expect(cluster.condition("p", "DisruptionTarget")).toMatchObject({
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
    });
    // No kubelet can stop the Pod.
    cluster.run(3600);
    expect(cluster.pod("p")?.metadata.deletionTimestamp).toBeDefined();
    expect(cluster.isIdle).toBe(true);
    cluster.reconnect("a");
    cluster.run(40);
    expect(cluster.pod("p")).toBeUndefined();
    expect(getTaints(cluster, "a")).toEqual([]);
  });

  it("a Pod survives if its node reconnects in time", () => {
    const cluster = createClusterWithRunningPod();
    cluster.disconnect("a");
    cluster.run(120);
    cluster.reconnect("a");
    cluster.run(600);
    expect(cluster.condition("p", "Ready")?.status).toBe("True");
    expect(cluster.pod("p")?.metadata.deletionTimestamp).toBeUndefined();
    expect(getTaints(cluster, "a")).toEqual([]);
  });

  it("the node lifecycle controller does not taint a lost node while no other node is ready", () => {
    const cluster = createClusterWithRunningPod();
    cluster.disconnect("a");
    cluster.disconnect("b");
    cluster.run(3600);
    expect(getTaints(cluster, "a")).toEqual(["unreachable:NoSchedule"]);
    cluster.reconnect("b");
    cluster.patch("Node", "a", { metadata: { labels: { seen: "1" } } });
    cluster.run(5);
    expect(getTaints(cluster, "a")).toEqual(["unreachable:NoSchedule", "unreachable:NoExecute"]);
  });
});

describe("Taint eviction", () => {
  it("taint eviction evicts Pods without a toleration at once, and Pods with an unlimited toleration never", () => {
    const cluster = createClusterWithRunningPod({ terminationGracePeriodSeconds: 1 });
    const toleration = { key: "k", operator: "Exists", effect: "NoExecute" };
    const onA = { nodeSelector: { "kubernetes.io/hostname": "a" } };
    cluster.createPod("stays", { ...onA, tolerations: [toleration] });
    cluster.createPod("leaves", {
      ...onA,
      tolerations: [{ ...toleration, tolerationSeconds: 30 }],
    });
    cluster.run(2);
    cluster.patch("Node", "a", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } });
    cluster.run(5);
    expect(cluster.pod("p")).toBeUndefined();
    expect(cluster.pod("leaves")?.metadata.deletionTimestamp).toBeUndefined();
    cluster.run(30);
    expect(cluster.pod("leaves")).toBeUndefined();
    expect(cluster.pod("stays")?.status?.phase).toBe("Running");
  });

  it("taint eviction spares a Pod if the taint is removed in time", () => {
    const cluster = createClusterWithRunningPod();
    const tolerations = [
      { key: "k", operator: "Exists", tolerationSeconds: 30, effect: "NoExecute" },
    ];
    cluster.createPod("q", { tolerations, nodeSelector: { "kubernetes.io/hostname": "a" } });
    cluster.run(2);
    cluster.patch("Node", "a", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } });
    cluster.run(20);
    cluster.patch("Node", "a", { spec: { taints: null } });
    cluster.run(60);
    expect(cluster.pod("q")?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe("Pod garbage collection", () => {
  it("Pod garbage collection fails the Pods of a missing node after 40 s", () => {
    const cluster = createClusterWithRunningPod();
    cluster.patch("Pod", "p", { metadata: { finalizers: ["x.io/held"] } });
    cluster.delete("Node", "a");
    cluster.run(40);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
    cluster.run(40);
    expect(cluster.pod("p")?.status?.phase).toBe("Failed");
    expect(cluster.condition("p", "DisruptionTarget")).toMatchObject({
      reason: "DeletionByPodGC",
      message: "PodGC: node no longer exists",
    });
    expect(cluster.pod("p")?.metadata.deletionGracePeriodSeconds).toBe(0);
    expect(cluster.isIdle).toBe(true);
  });

  it("Pods are kept if their node is recreated in time", () => {
    const cluster = createClusterWithRunningPod();
    cluster.delete("Node", "a");
    cluster.run(30);
    cluster.createNode("a");
    cluster.run(120);
    expect(cluster.pod("p")?.status?.phase).toBe("Running");
  });

  it("Pod garbage collection removes a deleted Pod that has no node", () => {
    const cluster = createClusterWithRunningPod();
    cluster.createPod("q", { nodeSelector: { none: "such" } }, { finalizers: ["x.io/held"] });
    cluster.delete("Pod", "q");
    cluster.run(21);
    expect(cluster.pod("q")?.status?.phase).toBe("Failed");
  });

  it("Pod garbage collection removes a deleted Pod on a node that is out of service", () => {
    const cluster = createClusterWithRunningPod();
    cluster.disconnect("a");
    cluster.run(60);
    cluster.delete("Pod", "p");
    cluster.run(60);
    expect(cluster.pod("p")).toBeDefined();
    const taints = cluster.node("a")?.spec?.taints ?? [];
    const outOfService = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };
    cluster.patch("Node", "a", { spec: { taints: [...taints, outOfService] } });
    cluster.run(21);
    expect(cluster.pod("p")).toBeUndefined();
  });
});
