import { describe, expect, it } from "vitest";
import {
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const ready = { type: "Ready", status: "True" };
const since = "2026-02-07T09:57:00Z";
const failedJob = {
  failed: 1,
  conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "" }],
};

function createNode(parts: Wire = {}): Wire {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1" },
    status: { conditions: [ready] },
    ...parts,
  };
}

/** Returns a JobSet whose only Pod has a status, and whose Job has failed. */
function clusterWith(status: Wire, node: readonly Wire[] = [createNode()]): Wire[] {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
  const [job] = listJobs(jobSet, (one) => ({ ...one, status: failedJob }));
  return [jobSet, createService(jobSet), job, createPod(job, 0, { status }), ...node];
}

function disrupted(reason: string, message: string): Wire {
  const condition = { type: "DisruptionTarget", status: "True", reason, message };
  return {
    phase: "Failed",
    conditions: [{ ...condition, lastTransitionTime: since }],
    containerStatuses: [
      { name: "main", state: { terminated: { exitCode: 143, reason: "Error" } } },
    ],
  };
}

describe("disruptions", () => {
  it.each([
    ["PreemptionByScheduler", "preempting", "pod-preempted", /preempted for a Pod of higher/],
    ["EvictionByEvictionAPI", "Eviction API: evicting", "pod-evicted", /through the eviction API/],
    ["TerminationByKubelet", 'EmptyDir volume "scratch"', "pod-evicted", /kubelet .*: .*scratch/],
    [
      "DeletionByTaintManager",
      "NoExecute taint",
      "pod-evicted-by-taint",
      /NoExecute taint of node/,
    ],
    [
      "DeletionByDeviceTaintManager",
      "Device Taint manager: deleting due to NoExecute taint",
      "pod-evicted-by-taint",
      /NoExecute taint of one of its devices on node n1/,
    ],
    [
      "DeletionByPodGC",
      "PodGC: node no longer exists",
      "pod-evicted",
      /deleted because its node n1 no longer exists/,
    ],
  ])(
    "diagnose reports a Pod that %s ended instead of its exit code",
    (reason, message, id, text) => {
      const { roots } = diagnoseCluster(clusterWith(disrupted(reason, message)));
      expect(roots).toMatchObject([{ id, since: Date.parse(since) }]);
      expect(roots[0]?.message).toMatch(text);
    },
  );

  it.each([
    ["Evicted", "The node was low on resource: memory.", "pod-evicted", /low on resource: memory/],
    ["Terminated", "imminent node shutdown", "pod-evicted", /shutdown of node n1/],
    [
      "OutOfcpu",
      "not enough cpu",
      "pod-rejected-by-kubelet",
      /rejected .*OutOfcpu: not enough cpu/,
    ],
  ])("diagnose reports a Pod whose status has the reason %s", (reason, message, id, text) => {
    const { roots } = diagnoseCluster(clusterWith({ phase: "Failed", reason, message }));
    expect(roots.map((root) => root.id)).toEqual([id]);
    expect(roots[0]?.message).toMatch(text);
  });

  it.each([
    [
      "UnexpectedAdmissionError",
      "Pod was rejected: Allocate failed due to no healthy devices present",
      /device plugin: kubectl describe node n1/,
    ],
    [
      "Evicted",
      "Pod was rejected: The node had condition: [DiskPressure]. ",
      /until its DiskPressure is over: kubectl describe node n1/,
    ],
    [
      "OutOfcpu",
      "Pod was rejected: Node didn't have enough resource: cpu",
      /let kube-scheduler choose/,
    ],
    [
      "NodeAffinity",
      "Pod was rejected: Predicate NodeAffinity failed",
      /labels or resources changed/,
    ],
  ])("diagnose advises on a Pod that the kubelet rejected with %s", (reason, message, advice) => {
    const { roots } = diagnoseCluster(clusterWith({ phase: "Failed", reason, message }));
    expect(roots).toMatchObject([{ id: "pod-rejected-by-kubelet" }]);
    expect(roots[0]?.texts?.advice?.join()).toMatch(advice);
  });

  it("diagnose does not advise on memory if the kubelet evicted a Pod because of process IDs", () => {
    const advice = (message: string) => {
      const { roots } = diagnoseCluster(
        clusterWith({ phase: "Failed", reason: "Evicted", message }),
      );
      return roots[0]?.texts?.advice?.join();
    };
    expect(advice("The node was low on resource: pids.")).toMatch(/process IDs of node n1$/);
    expect(advice("The node was low on resource: memory.")).toContain("request as much memory");
  });

  it("diagnose does not advise to ignore disruptions that the podFailurePolicy ignores", () => {
    const adviceFor = (reason: string, action: string) => {
      const rules = [{ action, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }];
      const objects = clusterWith(disrupted(reason, ""));
      Object.assign(objects[2].spec, { podFailurePolicy: { rules } });
      return diagnoseCluster(objects).roots[0]?.texts?.advice ?? [];
    };
    const tolerate = expect.stringMatching(/^in a new JobSet, let podFailurePolicy ignore/);
    const taint = "check why the node has the taint: kubectl describe node n1";
    expect(adviceFor("EvictionByEvictionAPI", "Count")).toEqual([tolerate]);
    expect(adviceFor("EvictionByEvictionAPI", "Ignore")).toEqual([]);
    expect(adviceFor("DeletionByTaintManager", "Count")).toEqual([taint, tolerate]);
    expect(adviceFor("DeletionByTaintManager", "Ignore")).toEqual([taint]);
    expect(adviceFor("PreemptionByScheduler", "Ignore")).toHaveLength(1);
  });

  it("diagnose names a drained node and the taint that ended a Pod", () => {
    const cordoned = createNode({ spec: { unschedulable: true } });
    const drained = diagnoseCluster(
      clusterWith(disrupted("EvictionByEvictionAPI", ""), [cordoned]),
    );
    expect(drained.roots[0]?.message).toContain("its node n1 is cordoned");
    const taints = [{ key: "example.com/broken", value: "yes", effect: "NoExecute" }];
    const tainted = clusterWith(disrupted("DeletionByTaintManager", ""), [
      createNode({ spec: { taints } }),
    ]);
    expect(diagnoseCluster(tainted).roots[0]?.message).toContain(
      "taint example.com/broken=yes of node n1",
    );
  });

  it("diagnose waits for the deletion of a Pod whose node no longer exists", () => {
    const rootAt = (deletionTimestamp?: string) => {
      const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
      const [job] = listJobs(jobSet);
      const pod = createPod(job, 0);
      const leaving = { ...pod, metadata: { ...pod.metadata, deletionTimestamp } };
      const { status, roots } = diagnoseCluster([jobSet, createService(jobSet), job, leaving]);
      return { status, id: roots[0]?.id, advice: roots[0]?.texts?.advice?.join() };
    };
    const young = rootAt("2026-02-07T09:55:01Z");
    expect(young).toMatchObject({ status: "Waiting", id: "node-missing" });
    expect(young.advice).not.toContain("--force");
    for (const one of [rootAt("2026-02-07T09:55:00Z"), rootAt()]) {
      expect(one).toMatchObject({ status: "Stuck", id: "node-missing" });
      expect(one.advice).toContain("--force");
    }
  });

  it("diagnose reports the lost node as the cause of an eviction by its taint", () => {
    const lost = createNode({ status: { conditions: [{ type: "Ready", status: "Unknown" }] } });
    const diagnosis = diagnoseCluster(clusterWith(disrupted("DeletionByTaintManager", ""), [lost]));
    expect(rootIds(diagnosis)).toEqual(["node-not-ready"]);
  });

  it("diagnose reports a missing node instead of the readiness of its Pods", () => {
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };
    const [jobSet, service, job, pod] = clusterWith(status, []);
    const running = [jobSet, service, { ...job, status: {} }, pod];
    const { status: found, roots, symptoms } = diagnoseCluster(running);
    expect({ found, ids: roots.map(({ id }) => id) }).toEqual({
      found: "Stuck",
      ids: ["node-missing"],
    });
    expect(roots[0]?.message).toContain("node n1");
    expect(symptoms.map(({ id }) => id)).toEqual(["pod-not-ready"]);
  });

  it("diagnose reports the disruption of a Pod that no longer exists from its Event", () => {
    const [jobSet, service, job, , node] = clusterWith({});
    const regarding = { kind: "Pod", namespace: "ml", name: "js-w-0-0-zyxwv", uid: "gone" };
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e", namespace: "ml" },
      reason: "Preempted",
      note: "Preempted by pod 1b68 on node n1",
      regarding,
    };
    const { roots } = diagnoseCluster([jobSet, service, job, node, event]);
    expect(roots.map(({ id }) => id)).toContain("vanished-pod-disrupted");
    expect(roots[0]?.message).toContain("js-w-0-0-zyxwv, which no longer exists, was preempted");
    const elsewhere = { ...event, regarding: { ...regarding, name: "js-w-01-0-zyxwv" } };
    expect(rootIds(diagnoseCluster([jobSet, service, job, node, elsewhere]))).not.toContain(
      "vanished-pod-disrupted",
    );
  });

  it("a Pod whose replacement starts does not make the JobSet stuck", () => {
    const status = disrupted("PreemptionByScheduler", "");
    const [jobSet, service, job, pod, node] = clusterWith(status);
    const other = createPod(job, 0, { status: { phase: "Pending" } });
    const later = { name: "js-w-0-0-other", uid: "u2", creationTimestamp: "2026-02-07T09:58:00Z" };
    other.metadata = { ...pod.metadata, ...later };
    const running = { ...job, status: { failed: 9 } };
    expect(diagnoseCluster([jobSet, service, running, pod, node]).status).toBe("Stuck");
    expect(diagnoseCluster([jobSet, service, running, pod, other, node]).status).toBe(
      "Progressing",
    );
  });

  it("diagnose reports no disruption of a Pod whose replacement is ready", () => {
    const [jobSet, service, job, pod, node] = clusterWith(disrupted("PreemptionByScheduler", ""));
    const other = createPod(job, 0, { metadata: { name: "js-w-0-0-other", uid: "u2" } });
    other.metadata = { ...pod.metadata, name: "js-w-0-0-other", uid: "u2" };
    const { roots } = diagnoseCluster([jobSet, service, { ...job, status: {} }, pod, other, node]);
    expect(roots).toEqual([]);
  });
});
