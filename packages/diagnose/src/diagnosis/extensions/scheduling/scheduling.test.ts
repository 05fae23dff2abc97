import { describe, expect, it } from "vitest";
import {
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  running,
  unschedulable,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

/** Returns a JobSet with one Pod that the scheduler rejects for a reason, and more objects. */
function clusterWith(reason: string, spec: Wire = {}, others: readonly Wire[] = []): Wire[] {
  const message = `0/2 nodes are available: ${reason}. preemption: 0/2 nodes are available.`;
  return clusterOf({ message }, spec, others);
}

function clusterOf({ message = "", status = {} }: Wire, spec: Wire, others: readonly Wire[]) {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
  const [job] = listJobs(jobSet);
  const unschedulable = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  const conditions = message === "" ? [] : [unschedulable];
  const pod = createPod(job, 0, {
    spec: { containers: [{ name: "main" }], ...spec },
    status: { phase: "Pending", conditions, ...status },
  });
  return [jobSet, createService(jobSet), job, pod, ...others];
}

function createNode(name: string, parts: Wire = {}, labels: Wire = {}): Wire {
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, ...parts };
}

function createEvent(reason: string, message: string, seen = "2026-02-07T09:59:00Z"): Wire {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `e-${reason}`, namespace: "ml" },
    involvedObject: { kind: "Pod", namespace: "ml", name: "js-w-0-0-abcde", uid: "uid-js-w-0-0" },
    reason,
    message,
    lastTimestamp: seen,
  };
}

const rejected = "2 Insufficient nvidia.com/gpu";

describe("a Pod that matches no node", () => {
  const tainted = createNode("n1", { spec: { taints: [{ key: "gpu", effect: "NoSchedule" }] } });
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "ml" },
    spec: { volumeName: "pv-1" },
    status: { phase: "Bound" },
  };
  const matchExpressions = [{ key: "zone", operator: "In", values: ["a"] }];
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "pv-1" },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } },
  };

  it.each([
    [
      "the taints that it does not tolerate",
      "2 node(s) had untolerated taint(s)",
      {},
      [tainted],
      "gpu:NoSchedule",
      "kubectl taint nodes NODE gpu:NoSchedule-",
    ],
    [
      "the nodes of a taint that goes by itself",
      "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }",
      {},
      [createNode("n7", { spec: { taints: [{ key: "node.kubernetes.io/disk-pressure" }] } })],
      "(on n7)",
      "kubectl describe node n7",
    ],
    [
      "the values that nodes have instead of the selected one",
      "2 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { "cloud.google.com/gke-tpu-topology": "4x4" } },
      [createNode("n1", {}, { "cloud.google.com/gke-tpu-topology": "2x4" })],
      "nodes have cloud.google.com/gke-tpu-topology=2x4",
      "or add nodes with cloud.google.com/gke-tpu-topology=4x4",
    ],
    [
      "a claim that only one Pod may use",
      "2 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
      { volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] },
      [claim],
      "PersistentVolumeClaim data",
      "end the other Pod that uses the claim",
    ],
    [
      "the DeviceClass of its claims",
      "2 cannot allocate all claims",
      { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "h100" }] },
      [
        {
          apiVersion: "resource.k8s.io/v1",
          kind: "ResourceClaimTemplate",
          metadata: { name: "h100", namespace: "ml" },
          spec: { spec: { devices: { requests: [{ exactly: { deviceClassName: "gpu.x" } }] } } },
        },
      ],
      "h100 of DeviceClass gpu.x",
      "kubectl get resourceclaims -n ml",
    ],
    [
      "the labels that it selects",
      "2 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { pool: "a" } },
      [],
      "pool=a",
      "kubectl label nodes NODE pool=a",
    ],
    [
      "the cordoned nodes that it selects",
      "1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { pool: "a" } },
      [
        createNode("a1", { spec: { unschedulable: true } }, { pool: "a" }),
        createNode("b1", { spec: { unschedulable: true } }, { pool: "b" }),
      ],
      "1 node(s) were unschedulable (a1)",
      "kubectl uncordon a1",
    ],
    [
      "a cordoned node next to nodes without room",
      "1 Insufficient gpu, 1 node(s) were unschedulable",
      {},
      [createNode("n1"), createNode("n2", { spec: { unschedulable: true } })],
      "1 Insufficient gpu, 1 node(s) were unschedulable (n2)",
      "kubectl uncordon n2",
    ],
    [
      "the volume of its claim, and where it is",
      "2 node(s) had volume node affinity conflict",
      { volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] },
      [claim, volume],
      "PersistentVolumeClaim data with volume pv-1, only on nodes with zone=a",
      "kubectl get pvc -n ml",
    ],
    [
      "its host ports",
      "2 node(s) didn't have free ports for the requested pod ports",
      { hostNetwork: true, containers: [{ name: "main", ports: [{ containerPort: 29500 }] }] },
      [],
      "host port 29500",
      "none with host ports",
    ],
    [
      "its spread constraints",
      "2 node(s) didn't match pod topology spread constraints",
      { topologySpreadConstraints: [{ topologyKey: "zone" }] },
      [],
      "(zone)",
      "relax the constraint",
    ],
  ])("the finding names %s", (_, reason, spec, others, text, advice) => {
    const { roots } = diagnoseCluster(clusterWith(reason, spec, others as Wire[]));
    expect(roots.map(({ id }) => id)).toEqual(["constraint-mismatch"]);
    expect(roots[0]?.message).toContain(text);
    expect(roots[0]?.texts?.advice?.join("\n")).toContain(advice);
  });

  it("a taint that a controller removes gets no advice to tolerate it", () => {
    const taints = [{ key: "node.cilium.io/agent-not-ready", effect: "NoExecute" }];
    const node = createNode("n1", { spec: { taints } });
    const { roots } = diagnoseCluster(
      clusterWith("1 node(s) had untolerated taint(s)", {}, [node]),
    );
    expect(roots[0]?.texts?.advice?.join()).not.toMatch(/tolerate|kubectl taint/);
  });

  it("a taint is the root if only the nodes with the taint offer the resource", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const offers = (gpu: string, taints: readonly Wire[]) => ({
      spec: { taints },
      status: { allocatable: { gpu } },
    });
    const reserved = createNode("n1", offers("8", [{ key: "team", effect: "NoSchedule" }]));
    const reason = "1 Insufficient gpu, 1 node(s) had untolerated taint(s)";
    const rootsWith = (...nodes: readonly Wire[]) =>
      diagnoseCluster(clusterWith(reason, { containers }, nodes)).roots;
    const roots = rootsWith(reserved, createNode("n2", offers("4", [])));
    expect(roots.map(({ id }) => id)).toEqual(["constraint-mismatch"]);
    expect(roots[0]?.message).toContain("untolerated taint(s) (team:NoSchedule)");
    expect(roots[0]?.texts?.advice).toEqual([expect.stringContaining("tolerate the taint")]);
    // An untainted node that offers enough is full.
    const full = rootsWith(reserved, createNode("n2", offers("8", [])));
    expect(full.map(({ id }) => id)).toEqual(["insufficient-capacity"]);
    const key = "node-role.kubernetes.io/control-plane";
    const control = createNode("n1", offers("8", [{ key, effect: "NoSchedule" }]));
    expect(rootsWith(control).map(({ id }) => id)).toEqual(["insufficient-capacity"]);
  });

  it("the message of a gang scheduler is not about nodes", () => {
    const message = "pod group is not ready, 4 Pending, 4 minAvailable";
    const { roots } = diagnoseCluster(clusterOf({ message }, {}, []));
    expect(roots[0]?.message).toBe(`js-w-0-0-abcde is not scheduled: ${message}`);
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl get podgroups -n ml");
  });

  it("a resource that no node offers leads to the device plugins", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const node = createNode("n1", { status: { allocatable: { gpu: "0" } } });
    const { roots } = diagnoseCluster(clusterWith("1 Insufficient gpu", { containers }, [node]));
    expect(roots[0]?.message).toContain("no node offers gpu");
    expect(roots[0]?.texts?.advice?.join()).toContain("device plugins");
  });

  it("a resource that a node has but does not offer leads to the device plugin of the node", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const node = createNode("n2", {
      status: { allocatable: { gpu: "0" }, capacity: { gpu: "8" } },
    });
    const { roots } = diagnoseCluster(clusterWith("1 Insufficient gpu", { containers }, [node]));
    expect(roots[0]?.message).toContain("node n2 has gpu, but offers none of it");
    expect(roots[0]?.texts?.advice?.join()).toContain("device plugin of node n2");
  });

  it.each([
    ['persistentvolumeclaim "data" is being deleted', "wait until the claim is deleted"],
    [
      "request nic: device class rdma.example.com does not exist",
      "create DeviceClass rdma.example.com",
    ],
  ])("the advice about %s names the object", (reason, advice) => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const { roots } = diagnoseCluster(clusterWith(reason, { volumes }, [claim]));
    expect(roots[0]?.message).toContain(reason);
    expect(roots[0]?.texts?.advice?.join()).toContain(advice);
  });

  it("a claim is pending for a minute before it is stuck", () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const statusWith = (creationTimestamp: string, ...events: readonly Wire[]) => {
      const metadata = { ...claim.metadata, uid: "uid-data", creationTimestamp };
      const pending = { ...claim, metadata, spec: {}, status: { phase: "Pending" } };
      const reason = "pod has unbound immediate PersistentVolumeClaims";
      return diagnoseCluster(clusterWith(reason, { volumes }, [pending, ...events])).status;
    };
    expect(statusWith("2026-02-07T09:59:01Z")).toBe("Progressing");
    expect(statusWith("2026-02-07T09:59:00Z")).toBe("Stuck");
    const involvedObject = { kind: "PersistentVolumeClaim", namespace: "ml", name: "data" };
    const failed = { ...createEvent("ProvisioningFailed", "no such class"), type: "Warning" };
    const about = { ...failed, involvedObject: { ...involvedObject, uid: "uid-data" } };
    expect(statusWith("2026-02-07T09:59:01Z", about)).toBe("Stuck");
  });

  it("nodes without the label of a topology spread constraint have to be labeled", () => {
    const topologySpreadConstraints = [{ topologyKey: "example.com/block" }];
    const reason =
      "2 node(s) didn't match pod topology spread constraints (missing required label)";
    const { roots } = diagnoseCluster(clusterWith(reason, { topologySpreadConstraints }));
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl get nodes -L example.com/block");
  });

  it("the nodes run as many Pods as they may", () => {
    const { roots } = diagnoseCluster(clusterWith("2 Too many pods"));
    expect(roots[0]?.message).toContain("not enough Pod slots for");
  });

  it("the advice about one reason mentions no other", () => {
    const ports = clusterWith("2 node(s) didn't have free ports for the requested pod ports");
    expect(diagnoseCluster(ports).roots[0]?.texts?.advice?.join()).not.toMatch(
      /selector|toleration/,
    );
  });
});

describe("a Pod that the nodes of the control plane reject", () => {
  const taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
  const tainted = createNode("n1", { spec: { taints: [taint] } });
  const adviceFor = (reason: string) =>
    diagnoseCluster(clusterWith(reason, {}, [tainted])).roots[0]?.texts?.advice?.join() ?? "";

  it("gets no advice to run there if there are other reasons", () => {
    const advice = adviceFor("1 node(s) had untolerated taint(s), 1 cannot allocate all claims");
    expect(advice).toContain("check the ResourceClaims");
    expect(advice).not.toContain("taint");
    expect(adviceFor("2 node(s) had untolerated taint(s)")).toContain("tolerate the taint");
  });
});

describe("a Pod for which an autoscaler or the scheduler makes room", () => {
  it("a scale-up in time makes the JobSet progress, and later leaves it stuck", () => {
    const triggered = "pod triggered scale-up: [{pool 0->2 (max: 4)}]";
    const young = clusterWith(rejected, {}, [createEvent("TriggeredScaleUp", triggered)]);
    const { status, roots, symptoms } = diagnoseCluster(young);
    expect({ status, id: roots[0]?.id }).toEqual({ status: "Progressing", id: "scaling-up" });
    expect(symptoms.map(({ id }) => id)).toContain("insufficient-capacity");
    const old = createEvent("TriggeredScaleUp", triggered, "2026-02-07T09:44:59Z");
    expect(diagnoseCluster(clusterWith(rejected, {}, [old])).status).toBe("Stuck");
    const justInTime = createEvent("TriggeredScaleUp", triggered, "2026-02-07T09:45:01Z");
    expect(diagnoseCluster(clusterWith(rejected, {}, [justInTime])).status).toBe("Progressing");
  });

  it.each([
    ["FailedScaleUp", "Node scale up failed: out of resources"],
    ["NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached"],
    ["NotTriggerScaleUp", "pod didn't trigger scale-up: 1 in backoff after failed scale-up"],
  ])("%s is the cause of missing capacity: %s", (reason, message) => {
    const { roots } = diagnoseCluster(clusterWith(rejected, {}, [createEvent(reason, message)]));
    expect(roots.map(({ id }) => id)).toEqual(["scale-up-failed"]);
    expect(roots[0]?.message).toContain(message);
  });

  it.each([
    [
      'Failed to schedule pod, all available instance types exceed limits for nodepool: "gpu"',
      'all available instance types exceed limits for nodepool: "gpu"',
      "raise the limits of the NodePool",
    ],
    ["no nodepools found", "no nodepools found", "compare the Pod with the requirements"],
    [
      'Failed to schedule pod, incompatible with nodepool "gpu", daemonset overhead={"cpu":"1"}, did not tolerate taint (taint=a:NoSchedule)',
      'incompatible with nodepool "gpu", did not tolerate taint (taint=a:NoSchedule)',
      "compare the Pod with the requirements",
    ],
  ])("Karpenter's report is the cause of missing capacity: %s", (message, text, advice) => {
    const event = createEvent("FailedScheduling", message);
    const { roots } = diagnoseCluster(clusterWith(rejected, {}, [event]));
    expect(roots.map(({ id }) => id)).toEqual(["scale-up-failed"]);
    expect(roots[0]?.message).toContain(`for js-w-0-0-abcde: ${text}`);
    expect(roots[0]?.texts?.advice?.join()).toContain(advice);
  });

  describe("a NodeClaim of Karpenter", () => {
    const nominated = createEvent("Nominated", "Pod should schedule on: nodeclaim/gpu-a, node/n7");
    const createClaim = (createdAt: string, ...conditions: readonly Wire[]) => ({
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { name: "gpu-a", creationTimestamp: createdAt },
      status: { conditions },
    });
    const condition = (type: string, status: string, reason = "", message = "") => ({
      type,
      status,
      reason,
      message,
    });
    const launched = condition("Launched", "True");
    const registered = condition("Registered", "True");
    const awaiting = (type: string) =>
      condition(type, "Unknown", "AwaitingReconciliation", "object is awaiting reconciliation");
    const long = "2026-02-07T09:50:00Z";
    const young = "2026-02-07T09:50:01Z";
    const diagnoseClaim = (...objects: readonly Wire[]) =>
      diagnoseCluster(clusterWith(rejected, {}, [nominated, ...objects]));

    it.each([
      [
        "is not launched: LaunchFailed: not authorized",
        "fix the error of the cloud",
        young,
        [
          condition("Launched", "Unknown", "LaunchFailed", "not authorized"),
          awaiting("Registered"),
        ],
      ],
      [
        "has a machine that has not joined the cluster: NodeNotFound: Node not registered with cluster",
        "bootstrap data",
        long,
        [
          launched,
          condition("Registered", "Unknown", "NodeNotFound", "Node not registered with cluster"),
        ],
      ],
      [
        "has a node that is not initialized: ResourceNotRegistered: GPU",
        "device plugins",
        long,
        [launched, registered, condition("Initialized", "Unknown", "ResourceNotRegistered", "GPU")],
      ],
    ])("is the cause if it %s", (problem, advice, createdAt, conditions) => {
      const { status, roots } = diagnoseClaim(createClaim(createdAt, ...conditions));
      expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
        status: "Stuck",
        ids: ["scale-up-failed"],
      });
      expect(roots[0]?.message).toContain(`for js-w-0-0-abcde: NodeClaim gpu-a ${problem}`);
      expect(roots[0]?.texts?.advice?.join()).toContain(advice);
      expect(roots[0]?.objects.map(({ kind }) => kind)).toEqual(["Pod", "NodeClaim"]);
    });

    it("is deleted if the cloud has no such machine, and its Event remains", () => {
      const event = {
        ...createEvent("InsufficientCapacityError", "NodeClaim gpu-a event: no p5 in any zone"),
        involvedObject: { kind: "NodeClaim", name: "gpu-a", uid: "claim" },
      };
      const { roots } = diagnoseClaim(event);
      expect(roots.map(({ id }) => id)).toEqual(["scale-up-failed"]);
      expect(roots[0]?.message).toContain(
        "NodeClaim gpu-a cannot be launched: InsufficientCapacityError: no p5 in any zone",
      );
      const ofAnother = { ...event, involvedObject: { kind: "NodeClaim", name: "gpu-b" } };
      expect(rootIds(diagnoseClaim(ofAnother))).toEqual(["scaling-up"]);
    });

    it.each([
      ["while it is launched", [awaiting("Launched"), awaiting("Registered")]],
      ["while its machine starts", [launched, condition("Registered", "Unknown", "NodeNotFound")]],
      ["after its node is ready", [launched, registered, condition("Initialized", "True")]],
    ])("is normal %s", (_, conditions) => {
      const { status, roots } = diagnoseClaim(createClaim(young, ...conditions));
      expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
        status: "Progressing",
        ids: ["scaling-up"],
      });
    });
  });

  describe("a NodePool of Karpenter", () => {
    const condition = (type: string, status: string, reason = "", message = "") => ({
      type,
      status,
      reason,
      message,
    });
    const notReady = condition("Ready", "False", "UnhealthyDependents", "NodeClassReady=False");
    const createPool = (name: string, ...conditions: readonly Wire[]) => ({
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name },
      spec: {
        template: { spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "C", name } } },
      },
      status: { conditions },
    });
    const failed = createPool(
      "gpu",
      condition("NodeClassReady", "False", "NodeClassNotReady", "not ready"),
      notReady,
    );
    const ready = createPool("cpu", condition("Ready", "True"));
    const selectsPool = { nodeSelector: { "karpenter.sh/nodepool": "gpu" } };
    const mismatch = "2 node(s) didn't match Pod's node affinity/selector";

    it("is the cause if it is not ready, with the condition of its NodeClass", () => {
      const { roots, status } = diagnoseCluster(clusterWith(rejected, {}, [failed]));
      expect(roots.map(({ message }) => message)).toEqual([
        "the autoscaler could not add a node for js-w-0-0-abcde: NodePool gpu is not ready: NodeClassReady: NodeClassNotReady: not ready",
      ]);
      expect(roots[0]?.objects.map(({ kind }) => kind)).toEqual(["Pod", "NodePool"]);
      expect(status).toBe("Stuck");
      const nodeClass = {
        apiVersion: "karpenter.k8s.aws/v1",
        kind: "C",
        metadata: { name: "gpu" },
        status: {
          conditions: [
            condition("Ready", "False", "UnhealthyDependents", "SubnetsReady=False"),
            condition("SubnetsReady", "False", "SubnetsNotFound", "no subnets match"),
          ],
        },
      };
      const withClass = diagnoseCluster(clusterWith(rejected, {}, [nodeClass, failed]));
      expect(withClass.roots[0]?.message).toContain(
        "NodePool gpu is not ready: SubnetsReady: SubnetsNotFound: no subnets match",
      );
    });

    it("is the cause of the other reasons if the Pod selects it", () => {
      const incompatible = 'Failed to schedule pod, incompatible with nodepool "cpu"';
      const event = createEvent("FailedScheduling", incompatible);
      const { roots } = diagnoseCluster(clusterWith(mismatch, selectsPool, [failed, ready, event]));
      expect(roots.map(({ id }) => id)).toEqual(["scale-up-failed"]);
      expect(roots[0]?.message).toContain("NodePool gpu is not ready");
      expect(roots[0]?.texts?.advice).toEqual([
        "correct the NodePool or its NodeClass: kubectl describe nodepool gpu",
      ]);
    });

    it.each([
      ["another one is ready", rejected, {}, [failed, ready], "insufficient-capacity"],
      ["the Pod needs another node", mismatch, {}, [failed], "constraint-mismatch"],
      [
        "it is ready but its last nodes have not registered",
        rejected,
        {},
        [
          createPool(
            "gpu",
            condition("Ready", "True"),
            condition("NodeRegistrationHealthy", "False"),
          ),
        ],
        "insufficient-capacity",
      ],
      ["its state is unknown", rejected, {}, [createPool("gpu")], "insufficient-capacity"],
      [
        "the autoscaler is adding a node",
        rejected,
        {},
        [failed, createEvent("TriggeredScaleUp", "pool-a 0->1")],
        "scaling-up",
      ],
    ])("is not the cause if %s", (_, reason, spec, objects, id) => {
      expect(rootIds(diagnoseCluster(clusterWith(reason, spec, objects)))).toEqual([id]);
    });
  });

  it("a report of the autoscaler about one Pod applies to the waiting Pods of its Job without a report", () => {
    const message = `0/2 nodes are available: ${rejected}. preemption: 0/2 nodes are available.`;
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
    const [job] = listJobs(jobSet);
    const pods = [0, 1].map((index) => createPod(job, index, unschedulable(message)));
    const event = createEvent("NotTriggerScaleUp", "1 max cluster gpu limit reached");
    const cluster = [jobSet, createService(jobSet), job, ...pods.toReversed(), event];
    const { roots } = diagnoseCluster(cluster);
    expect(roots.map(({ id, count }) => ({ id, count }))).toEqual([
      { id: "scale-up-failed", count: 2 },
    ]);
    expect(roots[0]?.evidence.map(({ object }) => object.name)).toEqual([
      "js-w-0-0-abcde",
      "js-w-0-0-abcde",
    ]);
    // A Pod with a node no longer waits for the autoscaler.
    const bound = { ...pods[0], spec: { nodeName: "n1" }, status: running };
    const left = [jobSet, createService(jobSet), job, bound, pods[1], event];
    expect(rootIds(diagnoseCluster(left))).not.toContain("scale-up-failed");
  });

  it("a failed scale-up remains the cause while the autoscaler waits after it", () => {
    const failed = "Node scale up failed: GCE quota exceeded";
    const waiting = "pod didn't trigger scale-up: 1 in backoff after failed scale-up";
    const { roots } = diagnoseCluster(
      clusterWith(rejected, {}, [
        createEvent("FailedScaleUp", failed, "2026-02-07T09:50:00Z"),
        createEvent("NotTriggerScaleUp", waiting),
      ]),
    );
    expect(roots[0]?.message).toContain(failed);
    expect(roots[0]?.texts?.advice?.join()).toContain("raise the quota of the cloud account");
  });

  it("a failed scale-up counts more than its start at the same time", () => {
    const events = [createEvent("TriggeredScaleUp", "a"), createEvent("FailedScaleUp", "b")];
    expect(rootIds(diagnoseCluster(clusterWith(rejected, {}, events)))).toEqual([
      "scale-up-failed",
    ]);
  });

  it("an autoscaler that repeats the reasons of the scheduler is not a cause", () => {
    const reason = "2 node(s) didn't match Pod's node affinity/selector";
    const event = createEvent("NotTriggerScaleUp", `pod didn't trigger scale-up: ${reason}`);
    expect(rootIds(diagnoseCluster(clusterWith(reason, {}, [event])))).toEqual([
      "constraint-mismatch",
    ]);
  });

  it("a Pod that is nominated for a node waits for the preempted Pods", () => {
    const message = `0/2 nodes are available: ${rejected}.`;
    const objects = clusterOf({ message, status: { nominatedNodeName: "n1" } }, {}, []);
    const { status, roots } = diagnoseCluster(objects);
    expect({ status, id: roots[0]?.id }).toEqual({ status: "Waiting", id: "preempting" });
  });
});

describe("objects that a Pod refers to", () => {
  it("a scheduler that does not report is named after a while", () => {
    const spec = { schedulerName: "team-scheduler" };
    const { roots } = diagnoseCluster(clusterOf({}, spec, []));
    expect(roots.map(({ id }) => id)).toEqual(["scheduler-unknown"]);
    expect(roots[0]?.message).toContain("team-scheduler");
    const usual = clusterOf({}, { schedulerName: "default-scheduler" }, []);
    expect(rootIds(diagnoseCluster(usual))).toEqual(["scheduler-not-tried"]);
  });

  it("a missing template of ResourceClaims is named, from the cluster or from an Event", () => {
    const resourceClaims = [{ name: "gpu", resourceClaimTemplateName: "one-gpu" }];
    const reason = "waiting for resource claim to be created for pod";
    const { roots } = diagnoseCluster(clusterWith(reason, { resourceClaims }));
    expect(roots.map(({ id }) => id)).toEqual(["resource-claim-missing"]);
    expect(roots[0]?.message).toContain("ResourceClaimTemplate one-gpu");
    const template = {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaimTemplate",
      metadata: { name: "one-gpu", namespace: "ml" },
    };
    const exists = clusterWith(reason, { resourceClaims }, [template]);
    expect(rootIds(diagnoseCluster(exists))).toEqual(["constraint-mismatch"]);
    const event = createEvent("FailedResourceClaimCreation", "denied by quota");
    const denied = diagnoseCluster(clusterWith(reason, { resourceClaims }, [template, event]));
    expect(denied.roots[0]?.message).toContain("denied by quota");
  });
});
