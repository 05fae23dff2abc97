import { describe, expect, it } from "vitest";
import {
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { aWorkload, condition } from "./testing/a-queued-cluster.ts";

const admitted = condition("Admitted", "True", "Admitted", "The workload is admitted");

function gatedCluster(gates: readonly string[], ...others: Wire[]): Wire[] {
  const jobSet = createJobSet();
  const [job] = listJobs(jobSet);
  const spec = { schedulingGates: gates.map((name) => ({ name })), containers: [] };
  const pods = [0, 1, 2, 3].map((index) =>
    createPod(job, index, { spec, status: { phase: "Pending" } }),
  );
  return [jobSet, createService(jobSet), job, ...pods, ...others];
}

describe("kueueChecks of Pods and Jobs", () => {
  it("diagnose reports Pods that Kueue's topology gate holds although the Workload is admitted", () => {
    const admission = { podSetAssignments: [{ topologyAssignment: { levels: ["rack"] } }] };
    const { status, roots, symptoms } = diagnoseCluster(
      gatedCluster(["kueue.x-k8s.io/topology"], aWorkload({ conditions: [admitted], admission })),
    );
    expect(status).toBe("Stuck");
    expect(roots).toMatchObject([{ id: "kueue-gated", count: 4 }]);
    expect(roots[0]?.message).toContain("admitted with a topology assignment");
    expect(symptoms[0]).toMatchObject({ id: "scheduling-gated", causedBy: ["kueue-gated"] });
  });

  it("diagnose gives Kueue time to ungate Pods, and distinguishes the reasons for waiting", () => {
    const now = { ...admitted, lastTransitionTime: "2026-02-07T09:59:50Z" };
    const gate = ["kueue.x-k8s.io/topology"];
    const young = diagnoseCluster(gatedCluster(gate, aWorkload({ conditions: [now] })));
    expect(young.status).toBe("Waiting");
    expect(young.roots[0]?.message).toContain("without a topology assignment");
    const messages = [[aWorkload({})], []].map((others) => {
      return diagnoseCluster(gatedCluster(gate, ...others)).roots[0]?.message;
    });
    expect(messages[0]).toContain("is not admitted");
    expect(messages[1]).toContain("no Workload of its JobSet was found");
  });

  it("diagnose reports Pods that Kueue queues one by one, and ignores gates of other controllers", () => {
    const reserved = condition("QuotaReserved", "False", "Pending", "no quota");
    const own = aWorkload({ conditions: [reserved] }, { owner: "uid-js-w-0-0" });
    const byPod = diagnoseCluster(gatedCluster(["kueue.x-k8s.io/admission"], own));
    expect(byPod).toMatchObject({ status: "Waiting", roots: [{ id: "kueue-gated", count: 4 }] });
    expect(byPod.roots[0]?.message).toContain("no quota");
    const mixed = gatedCluster(["kueue.x-k8s.io/topology", "example.com/network"]);
    expect(rootIds(diagnoseCluster(mixed))).toEqual(["scheduling-gated"]);
  });

  it("diagnose reports Kueue if it suspends the Jobs of a JobSet that is not suspended", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a" }, { name: "b" }] });
    const jobs = listJobs(jobSet, (job) => ({ ...job, spec: { ...job.spec, suspend: true } }));
    const cluster = [jobSet, createService(jobSet), ...jobs];
    const stopped = jobs.map((job) =>
      anEvent(job, "Stopped", "Missing Workload; unable to restore pod templates"),
    );
    const { status, roots, symptoms } = diagnoseCluster([...cluster, ...stopped]);
    expect(status).toBe("Stuck");
    expect(roots).toMatchObject([{ id: "job-queued-separately", count: 2 }]);
    expect(roots[0]?.message).toContain("Kueue suspends job js-a-0");
    expect(symptoms.every(({ causedBy }) => causedBy[0] === "job-queued-separately")).toBe(true);
    const reserved = condition("QuotaReserved", "False", "Pending", "no quota");
    const workloads = jobs.map((job) =>
      aWorkload({ conditions: [reserved] }, { owner: job.metadata.uid }),
    );
    expect(diagnoseCluster([...cluster, ...workloads]).roots[0]?.message).toContain("no quota");
    expect(rootIds(diagnoseCluster(cluster))).toEqual(["job-suspended"]);
  });
});
