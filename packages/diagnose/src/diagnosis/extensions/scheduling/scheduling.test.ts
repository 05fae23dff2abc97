import { describe, expect, it } from "vitest";
import {
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  theJobSet,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

/** Returns a JobSet with one Pod that the scheduler rejects for a reason, and more objects. */
function clusterWith(reason: string, spec: Wire = {}, others: readonly Wire[] = []): Wire[] {
  const message = `0/2 nodes are available: ${reason}. preemption: 0/2 nodes are available.`;
  return clusterOf({ message }, spec, others);
}

function clusterOf({ message = "", status = {} }: Wire, spec: Wire, others: readonly Wire[]) {
  const jobSet = theJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
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

  it("the advice about one reason mentions no other", () => {
    const ports = clusterWith("2 node(s) didn't have free ports for the requested pod ports");
    expect(diagnoseCluster(ports).roots[0]?.texts?.advice?.join()).not.toMatch(
      /selector|toleration/,
    );
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

describe("what a Pod names", () => {
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
