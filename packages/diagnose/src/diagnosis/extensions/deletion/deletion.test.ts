import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const long = "2026-02-07T08:00:00Z";
/** Five minutes before the time of the diagnosis, which is the threshold. */
const edge = "2026-02-07T09:55:00Z";
const young = "2026-02-07T09:55:01Z";

function deleted(object: Wire, deletionTimestamp: string, finalizers: readonly string[]): Wire {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp, finalizers } };
}

function findRoot(objects: readonly Wire[]) {
  const { status, roots } = diagnoseCluster(objects);
  const [root] = roots;
  return { status, id: root?.id, message: root?.message, advice: root?.texts?.advice?.join() };
}

describe("a JobSet that is being deleted", () => {
  it("the finalizer that keeps it is the root, and counts as stuck after five minutes", () => {
    const finalizers = ["foregroundDeletion", "tracker.example.com/close-run"];
    const at = (time: string) => findRoot([deleted(createJobSet(), time, finalizers)]);
    expect(at(young)).toMatchObject({ status: "Waiting", id: "jobset-finalizer" });
    expect(at(edge)).toMatchObject({
      status: "Stuck",
      message:
        "JobSet js is being deleted, but finalizer tracker.example.com/close-run blocks its deletion",
    });
    expect(at(edge).advice).toContain("kubectl edit jobset -n ml js");
  });

  it("the claim that keeps it is the root, with the Pod that uses the claim", () => {
    const jobSet = deleted(createJobSet(), long, ["foregroundDeletion"]);
    const owner = { kind: "JobSet", name: "js", uid: "uid-js", controller: true };
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "scratch", namespace: "ml", ownerReferences: [owner] },
    };
    const volumes = [{ name: "s", persistentVolumeClaim: { claimName: "scratch" } }];
    const user = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "notebook", namespace: "ml" },
      spec: { volumes },
    };
    const remaining = deleted(claim, long, ["kubernetes.io/pvc-protection"]);
    const { id, message, advice } = findRoot([jobSet, remaining, user]);
    expect(id).toBe("owned-object-kept");
    expect(message).toContain("PersistentVolumeClaim scratch is being deleted");
    expect(message).toContain("because Pod notebook uses it");
    expect(advice).toContain("stop the Pods that use the claim");
    const elsewhere = { ...user, metadata: { name: "notebook", namespace: "other" } };
    expect(findRoot([jobSet, remaining, elsewhere]).message).not.toContain("uses it");
  });

  it("the garbage collector's finalizer is the root after five minutes if nothing else is left", () => {
    const at = (time: string) => findRoot([deleted(createJobSet(), time, ["foregroundDeletion"])]);
    expect(at(young).id).toBe("deleting");
    const { status, id, message, advice } = at(edge);
    expect({ status, id }).toEqual({ status: "Stuck", id: "jobset-finalizer" });
    expect(message).toMatch(/foregroundDeletion .* although none of its dependents is left$/);
    expect(advice).toContain("garbage collector");
  });

  it("what keeps it is the root after five minutes if it has completed", () => {
    const conditions = [{ type: "Completed", status: "True" }];
    const jobSet = createJobSet({ status: { conditions } });
    const at = (time: string) => findRoot([deleted(jobSet, time, ["example.com/archive"])]);
    expect(at(young)).toMatchObject({ status: "Finished", id: undefined });
    expect(at(edge)).toMatchObject({ status: "Stuck", id: "jobset-finalizer" });
  });

  it("its deletion is the root while its Pods end", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
    const [job] = listJobs(jobSet);
    const ending = deleted(createPod(job, 0), young, ["batch.kubernetes.io/job-tracking"]);
    const leaving = [jobSet, job].map((one) => deleted(one, long, ["foregroundDeletion"]));
    expect(findRoot([...leaving, ending, aNodeIn("r1")]).id).toBe("deleting");
  });

  it("none of its Jobs and Pods are missing", () => {
    const jobSet = createJobSet({
      replicatedJobs: [
        { name: "a", pods: 1 },
        { name: "b", replicas: 2 },
      ],
    });
    const [job] = listJobs(jobSet);
    const rejected = anEvent(job, "FailedCreate", "Error creating: exceeded quota");
    const leaving = deleted(jobSet, long, ["foregroundDeletion"]);
    const cluster = [leaving, createService(jobSet), job, rejected];
    const { roots, symptoms } = diagnoseCluster(cluster);
    expect([...roots, ...symptoms].map(({ id }) => id)).toEqual(["deleting"]);
  });

  it("the finalizer with which its dependents are orphaned is the root after five minutes", () => {
    const jobSet = createJobSet();
    const at = (time: string) =>
      findRoot([deleted(jobSet, time, ["orphan"]), createService(jobSet), ...listJobs(jobSet)]);
    expect(at(young).id).toBe("deleting");
    expect(at(edge)).toMatchObject({ status: "Stuck", id: "jobset-finalizer" });
    expect(at(edge).advice).toContain("garbage collector");
  });

  it("the missing node of its Pod is the root", () => {
    for (const exclusive of [false, true]) {
      const jobSet = createJobSet({ exclusive, replicatedJobs: [{ name: "w", pods: 1 }] });
      const [job] = listJobs(jobSet);
      const cluster = [jobSet, job].map((one) => deleted(one, long, ["foregroundDeletion"]));
      const pod = deleted(createPod(job, 0), long, []);
      const { roots } = diagnoseCluster([...cluster, createService(jobSet), pod]);
      expect(roots.map(({ message }) => message)).toEqual([
        "node n1 of js-w-0-0-abcde does not exist",
      ]);
    }
  });

  it("its queue is not a root", () => {
    const jobSet = createJobSet({ spec: { suspend: true } });
    jobSet.metadata.labels = { "kueue.x-k8s.io/queue-name": "team" };
    const owner = { kind: "JobSet", name: "js", uid: "uid-js", controller: true };
    const workload = {
      apiVersion: "kueue.x-k8s.io/v1beta2",
      kind: "Workload",
      metadata: { name: "w", namespace: "ml", ownerReferences: [owner] },
    };
    const { roots } = diagnoseCluster([
      deleted(jobSet, long, ["foregroundDeletion"]),
      deleted(workload, long, ["kueue.x-k8s.io/resource-in-use"]),
    ]);
    expect(roots.map(({ id }) => id)).toEqual(["owned-object-kept"]);
    expect(roots[0]?.objects).toContainEqual({
      apiVersion: "kueue.x-k8s.io/v1beta2",
      kind: "Workload",
      namespace: "ml",
      name: "w",
    });
  });
});

describe("an ended Pod that is being deleted", () => {
  function clusterWith(time: string, finalizer: string, phase = "Failed"): Wire[] {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
    const [job] = listJobs(jobSet);
    const pod = createPod(job, 0, { status: { phase } });
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
    return [jobSet, createService(jobSet), job, deleted(pod, time, [finalizer]), node];
  }

  it("the finalizer that keeps it for more than five minutes is the root", () => {
    expect(findRoot(clusterWith(edge, "example.com/archive"))).toMatchObject({
      status: "Stuck",
      id: "pod-finalizer",
      message:
        "Pod js-w-0-0-abcde is being deleted, but finalizer example.com/archive blocks its deletion",
    });
    expect(findRoot(clusterWith(young, "example.com/archive")).id).not.toBe("pod-finalizer");
  });

  it("the finalizer of the Job controller leads to the Job controller", () => {
    const { advice } = findRoot(clusterWith(long, "batch.kubernetes.io/job-tracking"));
    expect(advice).toContain("check that the Job controller runs");
  });

  it("several finalizers lead to the controller of each", () => {
    const [jobSet, service, job, pod, node] = clusterWith(long, "batch.kubernetes.io/job-tracking");
    const kept = deleted(pod, long, [...pod.metadata.finalizers, "example.com/archive"]);
    const { advice } = findRoot([jobSet, service, job, kept, node]);
    expect(advice).toContain("check that the Job controller runs");
    expect(advice).toContain("check the controller that sets finalizer example.com/archive");
  });

  it("Kueue's finalizer leads to Kueue's controller", () => {
    const { advice } = findRoot(clusterWith(long, "kueue.x-k8s.io/managed"));
    expect(advice).toContain("check that Kueue's controller runs");
    expect(advice).not.toContain("kubectl edit");
  });

  it("a Pod that ends because its JobSet is being deleted is not a root", () => {
    const [jobSet, ...others] = clusterWith(long, "example.com/archive");
    const gone = deleted(jobSet as Wire, long, ["foregroundDeletion"]);
    const { roots } = diagnoseCluster([gone, ...others]);
    expect(roots.map(({ id }) => id)).toEqual(["pod-finalizer"]);
  });
});

describe("a Pod that the kubelet has not ended after its grace period", () => {
  function clusterWith(time: string, ready = "True"): Wire[] {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
    const [job] = listJobs(jobSet);
    const pod = deleted(createPod(job, 0), time, ["batch.kubernetes.io/job-tracking"]);
    const message = "error killing pod: context deadline exceeded";
    const event = anEvent(pod, "FailedKillPod", message);
    return [jobSet, createService(jobSet), job, pod, event, aNodeIn("r1", "n1", ready)];
  }

  it("its node and the kubelet's error are the root after five minutes", () => {
    const root = findRoot(clusterWith(edge));
    expect(root).toMatchObject({
      status: "Stuck",
      id: "pod-not-ended",
      message:
        "the kubelet of node n1 has not ended Pod js-w-0-0-abcde: FailedKillPod: error killing pod: context deadline exceeded",
    });
    expect(root.advice).toContain("kubectl describe node n1");
  });

  it("the disruption for which the Pod was deleted is not a second root", () => {
    const evict = (objects: Wire[]) => {
      const [, , , pod] = objects;
      const evicted = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" };
      pod.status = { ...pod.status, conditions: [...pod.status.conditions, evicted] };
      return rootIds(diagnoseCluster(objects));
    };
    expect(evict(clusterWith(edge))).toEqual(["pod-not-ended"]);
    expect(evict(clusterWith(young))).toEqual(["pod-evicted"]);
  });

  it("a young deletion, or a node that is not ready, is another root", () => {
    expect(findRoot(clusterWith(young)).id).toBe("pod-terminating");
    expect(findRoot(clusterWith(edge, "Unknown")).id).toBe("node-not-ready");
  });
});

describe("a Job of a previous attempt", () => {
  it("the finalizer that keeps it for more than five minutes is the root", () => {
    const jobSet = createJobSet({ status: { restarts: 1 } });
    const [job] = listJobs(createJobSet());
    const at = (time: string) =>
      findRoot([jobSet, createService(jobSet), deleted(job, time, ["example.com/costs"])]);
    expect(at(edge)).toMatchObject({
      status: "Stuck",
      message: "Job js-w-0 is being deleted, but finalizer example.com/costs blocks its deletion",
    });
    expect(at(young).id).not.toBe("owned-object-kept");
  });
});
