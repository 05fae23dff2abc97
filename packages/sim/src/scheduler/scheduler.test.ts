import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import { createRequestSpec, NodeCluster } from "../testing/node-cluster.ts";

const NOT_HELPFUL = "Preemption is not helpful for scheduling";
const NO_VICTIMS = "No preemption victims found for incoming pod";
const preemptionTail = (nodes: number, ...parts: readonly string[]) =>
  `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${parts.join(", ")}.`;

/** Creates a cluster whose nodes are ready. */
function createCluster(...nodes: readonly Parameters<NodeCluster["createNode"]>[]): NodeCluster {
  const cluster = new NodeCluster();
  for (const node of nodes) cluster.createNode(...node);
  cluster.run(1);
  return cluster;
}

const small = { allocatable: { cpu: "4", memory: "8Gi" } };

/** Returns the leader Pod of a Job with exclusive placement by rack, as JobSet creates it. */
function leader(jobKey: string, priority = "0"): readonly [spec: object, metadata: object] {
  const term = (matchExpressions: readonly object[]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchExpressions }, topologyKey: "rack", namespaceSelector: {} },
    ],
  });
  const affinity = {
    podAffinity: term([{ key: JOB_KEY_KEY, operator: "In", values: [jobKey] }]),
    podAntiAffinity: term([
      { key: JOB_KEY_KEY, operator: "Exists" },
      { key: JOB_KEY_KEY, operator: "NotIn", values: [jobKey] },
      { key: PRIORITY_KEY, operator: "In", values: [priority] },
    ]),
  };
  return [{ affinity }, { labels: { [JOB_KEY_KEY]: jobKey, [PRIORITY_KEY]: priority } }];
}

describe("createScheduler", () => {
  it("the scheduler binds a Pod and reports an Event", () => {
    const cluster = createCluster(["a"]);
    cluster.createPod("p");
    cluster.run(0.01);
    expect(cluster.pod("p")?.spec.nodeName).toBe("a");
    expect(cluster.condition("p", "PodScheduled")).toMatchObject({ status: "True" });
    expect(cluster.listMessages("p")).toEqual(["Scheduled: Successfully assigned ns/p to a"]);
  });

  it("the scheduler counts nodes by failure reason and reports where preemption does not help", () => {
    const cluster = createCluster(
      ["tainted", { labels: { g: "1" }, spec: { taints: [{ key: "k", effect: "NoExecute" }] } }],
      ["other", { labels: { g: "2" } }],
      ["cordoned", { labels: { g: "1" }, spec: { unschedulable: true } }],
      ["small", { labels: { g: "1" }, allocatable: { cpu: "1", memory: "1Gi" } }],
      ["full", { labels: { g: "1" }, allocatable: { pods: "0" } }],
    );
    const resources = { requests: { cpu: "2", memory: "2Gi" }, limits: { "google.com/tpu": "1" } };
    cluster.createPod("p", {
      containers: [{ name: "main", image: "app:1", resources }],
      nodeSelector: { g: "1" },
    });
    cluster.run(1);
    const reasons = [
      "1 Insufficient cpu",
      "1 Insufficient memory",
      "1 Too many pods",
      "1 node(s) didn't match Pod's node affinity/selector",
      "1 node(s) had untolerated taint(s)",
      "1 node(s) were unschedulable",
      "2 Insufficient google.com/tpu",
    ];
    expect(cluster.getUnschedulableMessage("p")).toBe(
      `0/5 nodes are available: ${reasons.join(", ")}. ${preemptionTail(5, `5 ${NOT_HELPFUL}`)}`,
    );
  });

  it("the scheduler checks only the nodes that a Pod requires by name", () => {
    const cluster = createCluster(["a"], ["b", { spec: { unschedulable: true } }]);
    const names = (...values: readonly string[]) => ({
      matchFields: [{ key: "metadata.name", operator: "In", values }],
    });
    const podWithTerms = (...nodeSelectorTerms: readonly object[]) => ({
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
      },
    });
    const labelled = { matchExpressions: [{ key: "g", operator: "Exists" }] };
    cluster.createPod("p", podWithTerms(names("c")));
    cluster.createPod("q", podWithTerms(names("b"), names("c")));
    cluster.createPod("r", podWithTerms(names("c"), labelled));
    cluster.run(1);
    expect(cluster.getUnschedulableMessage("p")).toBe(
      `0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${preemptionTail(2, `2 ${NOT_HELPFUL}`)}`,
    );
    expect(cluster.getUnschedulableMessage("q")).toBe(
      `0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) were unschedulable. ${preemptionTail(2, `2 ${NOT_HELPFUL}`)}`,
    );
    expect(cluster.getUnschedulableMessage("r")).toBe(
      `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable. ${preemptionTail(2, `2 ${NOT_HELPFUL}`)}`,
    );
    cluster.createNode("c");
    cluster.run(4);
    expect(["p", "q", "r"].map((name) => cluster.pod(name)?.spec.nodeName)).toEqual([
      "c",
      "c",
      "c",
    ]);
  });

  it("the scheduler reports that there are no nodes, and retries in whole seconds after the back-off", () => {
    const cluster = new NodeCluster();
    const object = { kind: "PriorityClass", metadata: { name: "high" }, value: 5 };
    cluster.request({ verb: "create", object });
    cluster.createPod("p", createRequestSpec("1"));
    cluster.run(0.9);
    cluster.createPod("q", createRequestSpec("1", { priorityClassName: "high" }));
    cluster.run(1);
    expect(cluster.getUnschedulableMessage("p")).toBe("no nodes available to schedule pods");
    expect(cluster.isIdle).toBe(true);
    cluster.createNode("a", { allocatable: { cpu: "1" } });
    const nodes = () => ["p", "q"].map((name) => cluster.pod(name)?.spec.nodeName);
    cluster.run(0.09);
    expect(nodes()).toEqual([undefined, undefined]);
    cluster.run(0.02);
    expect(nodes()).toEqual([undefined, "a"]);
  });

  it("the scheduler counts attempts without any node, and becomes idle when the last node is gone again", () => {
    const cluster = new NodeCluster();
    cluster.createPod("p", { nodeSelector: { g: "1" } });
    cluster.run(3.5);
    cluster.createPod("q", { nodeSelector: { g: "1" } });
    cluster.createNode("a", { labels: { g: "1" } });
    cluster.delete("Node", "a");
    cluster.run(60);
    expect(cluster.isIdle).toBe(true);
    // After the message, many attempts followed that did not change it.
    const spec = { taints: [{ key: "k", effect: "NoSchedule" }] };
    cluster.createNode("b", { labels: { g: "1" }, spec });
    cluster.run(20);
    expect(cluster.getUnschedulableMessage("p")).toContain("1 node(s) had untolerated taint(s)");
    expect(cluster.listMessages("p")).toEqual([
      "FailedScheduling: no nodes available to schedule pods",
    ]);
  });

  it("the scheduler repeats its message only if the Pod has changed since", () => {
    const cluster = createCluster(["a"]);
    cluster.createPod("p", { nodeSelector: { g: "1" } });
    const members = { labels: { g: "1" }, spec: { taints: [{ key: "k", effect: "NoSchedule" }] } };
    const messages = () => {
      cluster.run(12);
      const [, count] =
        /(\d) node\(s\) had untolerated/.exec(cluster.getUnschedulableMessage("p") ?? "") ?? [];
      return [cluster.listMessages("p").length, count];
    };
    expect(messages()).toEqual([1, undefined]);
    // The Pod is retried when the node is added, which changes its condition, and when the node is ready, which does
    // not.
    cluster.createNode("b", members);
    expect(messages()).toEqual([3, "1"]);
    cluster.createNode("c", members);
    expect(messages()).toEqual([4, "2"]);
    cluster.createNode("d", members);
    expect(messages()).toEqual([5, "3"]);
  });

  it("the scheduler ignores a gated Pod until its last gate is removed", () => {
    const cluster = createCluster(["a"]);
    cluster.createPod("p", { schedulingGates: [{ name: "x.io/a" }, { name: "x.io/b" }] });
    cluster.run(1);
    expect(cluster.condition("p", "PodScheduled")).toMatchObject({ reason: "SchedulingGated" });
    cluster.patch("Pod", "p", { spec: { schedulingGates: [{ name: "x.io/b" }] } });
    cluster.run(1);
    expect([cluster.pod("p")?.spec.nodeName, cluster.listMessages("p")]).toEqual([undefined, []]);
    cluster.patch("Pod", "p", { spec: { schedulingGates: [] } });
    cluster.run(1);
    expect(cluster.pod("p")?.spec.nodeName).toBe("a");
  });

  it("a terminating Pod uses resources, and a finished Pod does not", () => {
    const cluster = createCluster(["a", small]);
    cluster.createPod("p", createRequestSpec("3", { terminationGracePeriodSeconds: 60 }));
    cluster.run(2);
    cluster.disconnect("a");
    cluster.delete("Pod", "p");
    cluster.createPod("q", createRequestSpec("2"));
    cluster.run(10);
    expect(cluster.getUnschedulableMessage("q")).toBe(
      `0/1 nodes are available: 1 Insufficient cpu. ${preemptionTail(1, `1 ${NO_VICTIMS}`)}`,
    );
    cluster.patch("Pod", "p", { status: { phase: "Succeeded" } }, "status");
    cluster.run(1);
    expect(cluster.pod("q")?.spec.nodeName).toBe("a");
  });

  it("the scheduler retries a Pod after a new node, a label change or a removed taint that may help", () => {
    const cluster = createCluster(
      ["a", { allocatable: { cpu: "1" } }],
      ["b", { allocatable: { cpu: "1" } }],
    );
    cluster.createPod("big", createRequestSpec("4"));
    cluster.createPod("picky", { nodeSelector: { zone: "z" } });
    cluster.run(1);
    cluster.patch("Node", "b", { metadata: { labels: { zone: "z" } } });
    cluster.createNode("c", { allocatable: { cpu: "2" } });
    cluster.run(1);
    expect(cluster.pod("picky")?.spec.nodeName).toBe("b");
    expect(cluster.getUnschedulableMessage("big")).toContain(
      "0/3 nodes are available: 3 Insufficient cpu.",
    );
    cluster.createNode("d", { allocatable: { cpu: "8" } });
    cluster.run(1);
    // The scheduler tried the new node before its taint was removed.
    expect(cluster.listMessages("big").at(-2)).toContain("1 node(s) had untolerated taint(s)");
    expect(cluster.pod("big")?.spec.nodeName).toBe("d");
  });

  it("the scheduler tries waiting Pods in order of priority", () => {
    const cluster = createCluster(["a", { allocatable: { cpu: "1" } }]);
    const createClass = (name: string, value: number) =>
      cluster.request({
        verb: "create",
        object: { kind: "PriorityClass", metadata: { name }, value },
      });
    createClass("mid", 5);
    createClass("top", 99);
    cluster.createPod("blocker", createRequestSpec("1", { priorityClassName: "top" }));
    cluster.run(1);
    cluster.createPod("low", createRequestSpec("1"));
    cluster.run(2);
    cluster.createPod("mid", createRequestSpec("1", { priorityClassName: "mid" }));
    cluster.run(2);
    cluster.delete("Pod", "blocker");
    cluster.run(5);
    expect(cluster.pod("mid")?.spec.nodeName).toBe("a");
    expect(cluster.listMessages("low").every((text) => text.startsWith("FailedScheduling"))).toBe(
      true,
    );
  });
});

describe("Pod affinity", () => {
  it("each Job gets its own rack", () => {
    const cluster = createCluster(
      ["r1-1", { labels: { rack: "r1" } }],
      ["r1-2", { labels: { rack: "r1" } }],
      ["r2-1", { labels: { rack: "r2" } }],
      ["bare"],
    );
    for (const key of ["aa", "bb", "cc"]) cluster.createPod(`lead-${key}`, ...leader(key));
    cluster.run(1);
    expect(cluster.pod("lead-aa")?.spec.nodeName).toBe("r1-1");
    expect(cluster.pod("lead-bb")?.spec.nodeName).toBe("r2-1");
    expect(cluster.getUnschedulableMessage("lead-cc")).toBe(
      `0/4 nodes are available: 1 node(s) didn't match pod affinity rules, 3 node(s) didn't match pod anti-affinity rules. ${preemptionTail(4, `1 ${NOT_HELPFUL}`, `3 ${NO_VICTIMS}`)}`,
    );
    cluster.patch("Node", "bare", { metadata: { labels: { rack: "r3" } } });
    cluster.run(1);
    expect(cluster.pod("lead-cc")?.spec.nodeName).toBe("bare");
  });

  it("the leader's terms alone keep out a follower of another Job", () => {
    const cluster = createCluster(["r1", { labels: { rack: "r1" } }]);
    cluster.createPod("lead", ...leader("aa"));
    const follower = (key: string) => ({ labels: { [JOB_KEY_KEY]: key, [PRIORITY_KEY]: "0" } });
    cluster.createPod("own", { nodeSelector: { rack: "r1" } }, follower("aa"));
    cluster.createPod("foreign", { nodeSelector: { rack: "r1" } }, follower("bb"));
    cluster.run(1);
    expect(cluster.pod("own")?.spec.nodeName).toBe("r1");
    expect(cluster.getUnschedulableMessage("foreign")).toContain(
      "1 node(s) didn't satisfy existing pods anti-affinity rules",
    );
    cluster.delete("Pod", "lead");
    cluster.run(5);
    expect(cluster.pod("foreign")?.spec.nodeName).toBe("r1");
  });

  it("a leader is scheduled to the rack in which Pods of its Job still run", () => {
    const cluster = createCluster(
      ["a", { labels: { rack: "r1" } }],
      ["b", { labels: { rack: "r2" } }],
    );
    const [spec, metadata] = leader("aa");
    cluster.createPod("old", { nodeSelector: { rack: "r2" } }, metadata);
    cluster.run(1);
    cluster.createPod("new", spec, metadata);
    cluster.run(1);
    expect(cluster.pod("new")?.spec.nodeName).toBe("b");
  });

  it("affinity terms select other priorities and namespaces", () => {
    const cluster = createCluster(["a", { labels: { rack: "r1" } }]);
    cluster.createPod("elsewhere", {}, { ...leader("zz")[1], namespace: "other" });
    cluster.run(1);
    cluster.createPod("same", ...leader("aa"));
    cluster.createPod("higher", ...leader("bb", "7"));
    cluster.run(1);
    expect(cluster.getUnschedulableMessage("same")).toContain(
      "1 node(s) didn't match pod anti-affinity rules",
    );
    expect(cluster.pod("higher")?.spec.nodeName).toBe("a");
  });
});

describe("Preemption", () => {
  function withPriorities(...nodes: readonly Parameters<NodeCluster["createNode"]>[]): NodeCluster {
    const cluster = createCluster(...nodes);
    const create = (name: string, value: number, members = {}) =>
      cluster.request({
        verb: "create",
        object: { kind: "PriorityClass", metadata: { name }, value, ...members },
      });
    create("mid", 5);
    create("high", 10);
    create("top", 15);
    create("meek", 20, { preemptionPolicy: "Never" });
    return cluster;
  }

  it("preemption selects victims, nominates the node and waits until the victims have terminated", () => {
    const cluster = withPriorities(["a", small]);
    cluster.createPod("victim", createRequestSpec("3"));
    cluster.run(2);
    cluster.disconnect("a");
    cluster.createPod("h", createRequestSpec("4", { priorityClassName: "high" }));
    cluster.run(5);
    expect(cluster.condition("victim", "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    expect(cluster.listMessages("victim").at(-1)).toBe(
      `Preempted: Preempted by pod ${cluster.pod("h")?.metadata.uid} on node a`,
    );
    expect(cluster.pod("h")?.status?.nominatedNodeName).toBe("a");
    expect(cluster.getUnschedulableMessage("h")).toBe(
      "0/1 nodes are available: 1 Insufficient cpu.",
    );
    // A Pod with a lower priority does not get the nominated node.
    cluster.createPod("m", createRequestSpec("1", { priorityClassName: "mid" }));
    cluster.run(1);
    expect(cluster.pod("m")?.spec.nodeName).toBeUndefined();
    cluster.reconnect("a");
    cluster.run(5);
    expect(cluster.pod("h")?.spec.nodeName).toBe("a");
    expect(cluster.pod("h")?.status?.nominatedNodeName).toBeUndefined();
    expect(cluster.pod("m")?.spec.nodeName).toBeUndefined();
  });

  it("preemption chooses the node with the lowest cost and spares Pods if it can", () => {
    const cluster = withPriorities(["a", small], ["b", small]);
    cluster.createPod("mid-a", createRequestSpec("3", { priorityClassName: "mid" }));
    cluster.run(1);
    cluster.createPod(
      "low-b1",
      createRequestSpec("3", { nodeSelector: { "kubernetes.io/hostname": "b" } }),
    );
    cluster.createPod(
      "low-b2",
      createRequestSpec("1", { nodeSelector: { "kubernetes.io/hostname": "b" } }),
    );
    cluster.run(2);
    cluster.createPod("h", createRequestSpec("3", { priorityClassName: "high" }));
    cluster.run(3);
    expect(cluster.pod("h")?.spec.nodeName).toBe("b");
    expect(["mid-a", "low-b1", "low-b2"].map((name) => cluster.pod(name)?.status?.phase)).toEqual([
      "Running",
      undefined,
      "Running",
    ]);
  });

  it("the scheduler does not try preemption if it cannot help or the Pod must not preempt", () => {
    const cluster = withPriorities(["a", { allocatable: { cpu: "3" } }]);
    cluster.createPod("low", createRequestSpec("2"));
    cluster.run(1);
    cluster.createPod("h", createRequestSpec("4", { priorityClassName: "high" }));
    cluster.createPod("n", createRequestSpec("3", { priorityClassName: "meek" }));
    cluster.run(1);
    expect(cluster.getUnschedulableMessage("h")).toBe(
      `0/1 nodes are available: 1 Insufficient cpu. ${preemptionTail(1, `1 ${NOT_HELPFUL}`)}`,
    );
    expect(cluster.getUnschedulableMessage("n")).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.",
    );
    expect(cluster.pod("low")?.metadata.deletionTimestamp).toBeUndefined();
  });

  it("a Pod loses its nomination only if preemption ends a Pod for another Pod with a higher priority", () => {
    const cluster = withPriorities(["a", small]);
    cluster.createPod("low-1", createRequestSpec("3"));
    cluster.createPod("low-2", createRequestSpec("1"));
    cluster.run(2);
    cluster.disconnect("a");
    const getNominatedNode = () => cluster.pod("m")?.status?.nominatedNodeName;
    cluster.createPod("m", createRequestSpec("3", { priorityClassName: "mid" }));
    cluster.run(1);
    expect(getNominatedNode()).toBe("a");
    // The terminating Pod frees enough resources.
    cluster.createPod("h", createRequestSpec("3", { priorityClassName: "high" }));
    cluster.run(1);
    expect([cluster.pod("h")?.status?.nominatedNodeName, getNominatedNode()]).toEqual(["a", "a"]);
    expect(cluster.pod("low-2")?.metadata.deletionTimestamp).toBeUndefined();
    // A running Pod has to be evicted, too.
    cluster.createPod("t", createRequestSpec("4", { priorityClassName: "top" }));
    cluster.run(1);
    expect(cluster.pod("low-2")?.metadata.deletionTimestamp).toBeDefined();
    expect([cluster.pod("h")?.status?.nominatedNodeName, getNominatedNode()]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("a preemptor that is retried before its victims are gone reports that it waits for them", () => {
    const cluster = withPriorities(["a", small]);
    cluster.createPod("victim", createRequestSpec("4"));
    cluster.run(2);
    cluster.disconnect("a");
    cluster.createPod("h", createRequestSpec("2", { priorityClassName: "high" }));
    cluster.run(1);
    cluster.patch("Node", "a", { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } });
    cluster.createNode("b", { allocatable: { cpu: "1" } });
    cluster.run(1);
    expect(cluster.getUnschedulableMessage("h")).toBe(
      "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node.",
    );
    expect(cluster.pod("h")?.status?.nominatedNodeName).toBe("a");
  });

  it("preemption gets a leader into the rack of a leader with a lower priority", () => {
    const cluster = withPriorities(["a", { labels: { rack: "r1" } }]);
    cluster.createPod("low", ...leader("aa"));
    cluster.run(2);
    const [spec, metadata] = leader("bb");
    cluster.createPod("high", { ...spec, priorityClassName: "high" }, metadata);
    cluster.run(3);
    expect(cluster.pod("low")).toBeUndefined();
    expect(cluster.pod("high")?.spec.nodeName).toBe("a");
  });
});
