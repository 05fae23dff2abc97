import { describe, expect, it } from "vitest";
import { NodeCluster } from "../testing/node-cluster.ts";
import type { ServerReply } from "./api-request.ts";

const gated = { schedulingGates: [{ name: "x.io/a" }, { name: "x.io/b" }] };

function formatMessage(reply: ServerReply): string {
  return reply.ok ? "" : reply.message;
}

/** Creates a cluster with one Pod and no nodes. */
function withPod(spec: object = {}): NodeCluster {
  const cluster = new NodeCluster();
  cluster.createPod("p", spec);
  return cluster;
}

function createClass(cluster: NodeCluster, name: string, members: object): void {
  cluster.request({
    verb: "create",
    object: { kind: "PriorityClass", metadata: { name }, ...members },
  });
}

describe("Pod admission", () => {
  it("a Pod gets the priority of its class, of the default class, or 0", () => {
    const cluster = new NodeCluster();
    createClass(cluster, "high", { value: 10, preemptionPolicy: "Never" });
    cluster.createPod("plain");
    cluster.createPod("high", { priorityClassName: "high" });
    cluster.createPod("system", { priorityClassName: "system-node-critical" });
    createClass(cluster, "usual", { value: 3, globalDefault: true });
    cluster.createPod("usual");
    const message = ["plain", "high", "system", "usual"].map((name) => {
      const spec = cluster.pod(name)?.spec;
      return [spec?.priority, spec?.priorityClassName, spec?.preemptionPolicy];
    });
    expect(message).toEqual([
      [0, undefined, "PreemptLowerPriority"],
      [10, "high", "Never"],
      [2_000_001_000, "system-node-critical", "PreemptLowerPriority"],
      [3, "usual", "PreemptLowerPriority"],
    ]);
  });

  it("a Pod with an unknown priority class or with its own priority is rejected", () => {
    const cluster = new NodeCluster();
    expect(cluster.createPod("p", { priorityClassName: "none" })).toEqual({
      ok: false,
      code: 403,
      reason: "Forbidden",
      message: 'pods "p" is forbidden: no PriorityClass with name none was found',
    });
    expect(formatMessage(cluster.createPod("p", { priority: 7 }))).toContain(
      "the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0",
    );
  });

  it("a Pod is validated even if the containers of a valid Pod are equal", () => {
    const cluster = new NodeCluster();
    const containers = Object.freeze([Object.freeze({ name: "main", image: "app" })]);
    cluster.createPod("valid", { containers, hostname: "pod-0" });
    const invalid = [{ hostname: "Pod_1" }, { hostname: "pod-1", nodeSelector: { "a b": "" } }];
    const messages = invalid.map((members) =>
      formatMessage(cluster.createPod("invalid", { containers, ...members })),
    );
    expect(messages[0]).toContain("spec.hostname: Invalid value");
    expect(messages[1]).toContain("spec.nodeSelector: Invalid value");
    expect(cluster.createPod("other", { containers, hostname: "pod-2" }).ok).toBe(true);
  });

  it("a Pod tolerates a lost node for 300 seconds by default", () => {
    const own = {
      key: "node.kubernetes.io/not-ready",
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 5,
    };
    const cluster = withPod({ tolerations: [own] });
    expect(cluster.pod("p")?.spec.tolerations).toEqual([
      own,
      {
        key: "node.kubernetes.io/unreachable",
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      },
    ]);
  });
});

describe("Pod spec update", () => {
  it("a Pod update can change images, shorten the deadline and add tolerations", () => {
    const cluster = withPod({ activeDeadlineSeconds: 60 });
    const tolerations = [...(cluster.pod("p")?.spec.tolerations ?? []), { key: "k" }];
    const containers = [{ name: "main", image: "other" }];
    const spec = { containers, activeDeadlineSeconds: 30, tolerations };
    expect(formatMessage(cluster.patch("Pod", "p", { spec }))).toBe("");
  });

  it("the API server rejects other changes of a Pod spec", () => {
    const cluster = withPod({ activeDeadlineSeconds: 60 });
    const rejection = (spec: object) => formatMessage(cluster.patch("Pod", "p", { spec }));
    const forbidden = "spec: Forbidden: pod updates may not change fields other than";
    expect(rejection({ nodeSelector: { zone: "z" } })).toContain(forbidden);
    expect(rejection({ nodeName: "a" })).toContain(forbidden);
    expect(rejection({ affinity: { nodeAffinity: {} } })).toContain(forbidden);
    expect(rejection({ activeDeadlineSeconds: 90 })).toBe(
      'Pod "p" is invalid: spec.activeDeadlineSeconds: Invalid value: 90: must be less than or equal to previous value',
    );
    expect(rejection({ tolerations: null })).toContain(
      "existing toleration can not be modified except its tolerationSeconds",
    );
    expect(rejection({ schedulingGates: [{ name: "x.io/new" }] })).toContain(
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'x.io/new'",
    );
  });

  it("a Pod update can narrow the node constraints while the Pod has gates, but not widen them", () => {
    const term = (key: string) => ({ key, operator: "Exists" });
    const createAffinity = (...matchExpressions: readonly object[]) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions }],
        },
      },
    });
    const cluster = withPod({ ...gated, nodeSelector: { zone: "z" } });
    const rejection = (spec: object) => formatMessage(cluster.patch("Pod", "p", { spec }));
    expect(
      rejection({ nodeSelector: { disk: "ssd" }, affinity: createAffinity(term("gpu")) }),
    ).toBe("");
    expect(cluster.pod("p")?.spec.nodeSelector).toEqual({ zone: "z", disk: "ssd" });
    expect(rejection({ affinity: createAffinity(term("gpu"), term("fast")) })).toBe("");
    expect(rejection({ affinity: createAffinity(term("fast")) })).toContain(
      "only additions are allowed",
    );
    expect(rejection({ nodeSelector: { zone: "y" } })).toContain("field is immutable");
    // An update that removes the last gate is still validated as an update of a gated Pod.
    expect(rejection({ schedulingGates: [], nodeSelector: { last: "one" } })).toBe("");
    expect(rejection({ nodeSelector: { too: "late" } })).toContain("Forbidden");
  });
});

it("a second delete request for a Pod writes nothing", () => {
  const cluster = withPod();
  cluster.patch("Pod", "p", { metadata: { finalizers: ["x.io/held"] } });
  cluster.delete("Pod", "p");
  const marked = cluster.pod("p")?.metadata.resourceVersion;
  expect(cluster.delete("Pod", "p").ok).toBe(true);
  expect(cluster.pod("p")?.metadata.resourceVersion).toBe(marked);
});

describe("Pod binding", () => {
  const bind = (cluster: NodeCluster, node: string) =>
    cluster.request({
      verb: "create",
      subresource: "binding",
      object: {
        kind: "Pod",
        metadata: { name: "p", namespace: "ns" },
        target: { kind: "Node", name: node },
      },
    });

  it("a binding binds a Pod to a node only once", () => {
    const cluster = withPod();
    expect(bind(cluster, "a").ok).toBe(true);
    expect(cluster.condition("p", "PodScheduled")).toMatchObject({ status: "True" });
    expect(formatMessage(bind(cluster, "b"))).toBe(
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "a"',
    );
  });

  it("the API server rejects a binding of a gated Pod, of a Pod in deletion, and without a node", () => {
    const cluster = withPod(gated);
    expect(formatMessage(bind(cluster, "a"))).toContain("non-empty .spec.schedulingGates");
    cluster.patch("Pod", "p", { metadata: { finalizers: ["x.io/held"] } });
    expect(formatMessage(bind(cluster, ""))).toContain("target.name: Required value");
    cluster.delete("Pod", "p");
    expect(formatMessage(bind(cluster, "a"))).toContain("is being deleted, cannot be assigned");
  });
});

describe("Pod eviction", () => {
  const evict = (cluster: NodeCluster) =>
    cluster.request({
      verb: "create",
      subresource: "eviction",
      object: { kind: "Pod", metadata: { name: "p", namespace: "ns" } },
    });

  function runningPod(): NodeCluster {
    const cluster = new NodeCluster();
    cluster.createNode("a");
    cluster.createPod("p", {}, { labels: { app: "x" } });
    cluster.run(2);
    return cluster;
  }

  function createBudget(cluster: NodeCluster, disruptionsAllowed: number, app = "x"): void {
    const metadata = { name: `budget-${app}`, namespace: "ns" };
    const spec = { selector: { matchLabels: { app } } };
    const object = { kind: "PodDisruptionBudget", metadata, spec };
    cluster.request({ verb: "create", object });
    const status = { disruptionsAllowed };
    cluster.patch("PodDisruptionBudget", metadata.name, { status }, "status");
  }

  it("an eviction records its reason and lets the Pod terminate", () => {
    const cluster = runningPod();
    createBudget(cluster, 1);
    createBudget(cluster, 0, "other");
    expect(evict(cluster).ok).toBe(true);
    expect(cluster.condition("p", "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
    });
    cluster.run(5);
    expect(cluster.pod("p")).toBeUndefined();
  });

  it("the API server rejects an eviction if a budget allows no disruption", () => {
    const cluster = runningPod();
    createBudget(cluster, 0);
    expect(evict(cluster)).toEqual({
      ok: false,
      code: 429,
      reason: "TooManyRequests",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
    expect(cluster.pod("p")?.metadata.deletionTimestamp).toBeUndefined();
  });
});
