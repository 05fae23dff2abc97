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
import { clusterOf, clusterWith, createEvent, rejected } from "./testing/a-rejected-pod.ts";

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

const condition = (type: string, status: string, reason = "", message = "") => ({
  type,
  status,
  reason,
  message,
});

describe("a NodeClaim of Karpenter", () => {
  const nominated = createEvent("Nominated", "Pod should schedule on: nodeclaim/gpu-a, node/n7");
  const createClaim = (createdAt: string, ...conditions: readonly Wire[]) => ({
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name: "gpu-a", creationTimestamp: createdAt },
    status: { conditions },
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
      [condition("Launched", "Unknown", "LaunchFailed", "not authorized"), awaiting("Registered")],
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
  ])("a NodeClaim of Karpenter is the cause if it %s", (problem, advice, createdAt, conditions) => {
    const { status, roots } = diagnoseClaim(createClaim(createdAt, ...conditions));
    expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
      status: "Stuck",
      ids: ["scale-up-failed"],
    });
    expect(roots[0]?.message).toContain(`for js-w-0-0-abcde: NodeClaim gpu-a ${problem}`);
    expect(roots[0]?.texts?.advice?.join()).toContain(advice);
    expect(roots[0]?.objects.map(({ kind }) => kind)).toEqual(["Pod", "NodeClaim"]);
  });

  it("a NodeClaim of Karpenter is deleted if the cloud has no such machine, and its Event remains", () => {
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
  ])("a NodeClaim of Karpenter is normal %s", (_, conditions) => {
    const { status, roots } = diagnoseClaim(createClaim(young, ...conditions));
    expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
      status: "Progressing",
      ids: ["scaling-up"],
    });
  });
});

describe("a NodePool of Karpenter", () => {
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

  it("a NodePool of Karpenter is the cause if it is not ready, with the condition of its NodeClass", () => {
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

  it("a NodePool of Karpenter is the cause of the other reasons if the Pod selects it", () => {
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
  ])("a NodePool of Karpenter is not the cause if %s", (_, reason, spec, objects, id) => {
    expect(rootIds(diagnoseCluster(clusterWith(reason, spec, objects)))).toEqual([id]);
  });
});
