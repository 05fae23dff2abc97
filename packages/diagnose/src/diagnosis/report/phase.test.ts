import { createContext, createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { allChecks } from "../../all.ts";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  listJobs,
  now,
  unschedulable,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { diagnosedKinds } from "../view/latest-timestamp.ts";
import { jobSetPhase } from "./phase.ts";

function getPhase(
  parts: Parameters<typeof createJobSet>[0],
  pods: (job: Wire) => readonly Wire[] = () => [],
  change: (job: Wire) => Wire = (job) => job,
) {
  const jobSet = createJobSet(parts);
  const jobs = listJobs(jobSet, change);
  const objects = [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs, ...pods(jobs[0])];
  const snapshot = createSnapshot(objects, { kinds: diagnosedKinds });
  return jobSetPhase(snapshot, jobSet, {
    now: createContext({ now }).now,
    checks: allChecks,
  });
}

const all = (job: Wire) => [0, 1, 2, 3].map((index) => createPod(job, index));

const condition = (type: string) => ({
  status: { restarts: 2, restartsCountTowardsMax: 1, conditions: [{ type, status: "True" }] },
});

describe("jobSetPhase", () => {
  it("jobSetPhase is Running if all Pods are ready", () => {
    expect(getPhase({}, all)).toMatchObject({
      phase: "Running",
      reason: "4 of 4 Pods are ready",
    });
  });

  it("jobSetPhase is Pending before the first Pod exists, and Starting before all are ready", () => {
    expect(getPhase({}).reason).toBe("4 pods of js-w-0 are not created");
    const starting = (job: Wire) => [createPod(job, 0, { status: { phase: "Pending" } })];
    expect(getPhase({}, starting)).toMatchObject({ phase: "Starting", status: "Progressing" });
  });

  it("jobSetPhase is Queued if the diagnosis finds the reason why the queue waits", () => {
    const jobSet = createJobSet({
      spec: { suspend: true },
      labels: { "kueue.x-k8s.io/queue-name": "gpu" },
    });
    const message = "insufficient unused quota";
    const condition = { type: "QuotaReserved", status: "False", reason: "Pending", message };
    const workload = {
      apiVersion: "kueue.x-k8s.io/v1beta2",
      kind: "Workload",
      metadata: {
        name: "w",
        namespace: "ml",
        ownerReferences: [{ uid: "uid-js", controller: true }],
      },
      status: { conditions: [condition] },
    };
    const snapshot = createSnapshot(
      [jobSet, createService(jobSet), ...listJobs(jobSet), workload],
      { kinds: "all" },
    );
    const options = { now: createContext({ now }).now, checks: allChecks };
    const { phase, reason, roots } = jobSetPhase(snapshot, jobSet, options);
    expect({ phase, roots }).toEqual({ phase: "Queued", roots: ["quota-not-reserved"] });
    expect(reason).toContain(message);
  });

  it("jobSetPhase is Queued or Suspended, depending on who suspends the JobSet", () => {
    const spec = { suspend: true };
    expect(getPhase({ spec }).reason).toBe("JobSet is suspended");
    const labels = { "kueue.x-k8s.io/queue-name": "gpu" };
    expect(getPhase({ spec, labels }).reason).toBe("JobSet is suspended by queue gpu");
  });

  it("jobSetPhase is Restarting with the restart count and its limit", () => {
    const spec = { failurePolicy: { maxRestarts: 3 } };
    const phase = getPhase({ spec, ...condition("RestartingJobSet") }, all);
    expect(phase).toMatchObject({
      phase: "Restarting",
      reason: "4 of 4 Pods are ready",
    });
    expect(phase).toMatchObject({ restarts: 2, restartsCounted: 1, maxRestarts: 3 });
  });

  it("jobSetPhase is Stuck with the first root cause as the reason", () => {
    const full = "0/1 nodes are available: 1 Insufficient cpu.";
    const pods = (job: Wire) =>
      all(job).map((_, index) => createPod(job, index, unschedulable(full)));
    expect(getPhase({}, pods).reason).toBe(
      "not enough cpu for js-w-0-0-abcde (1 of 1 nodes) … and 3 more, such as js-w-0-1-abcde",
    );
  });

  it("jobSetPhase is Completing once every Job has succeeded, then Completed", () => {
    const ended = (job: Wire) => ({
      ...job,
      status: { conditions: [{ type: "Complete", status: "True" }] },
    });
    expect(getPhase({}, () => [], ended).phase).toBe("Completing");
    expect(getPhase(condition("Completed")).phase).toBe("Completed");
  });

  it("jobSetPhase is Failed permanently", () => {
    expect(getPhase(condition("Failed"))).toMatchObject({ phase: "Failed", status: "Failed" });
  });

  it("jobSetPhase is Deleting while dependents remain", () => {
    const jobSet = createJobSet();
    const metadata = { ...jobSet.metadata, deletionTimestamp: now };
    const snapshot = createSnapshot([{ ...jobSet, metadata }], { kinds: diagnosedKinds });
    const phase = jobSetPhase(snapshot, { ...jobSet, metadata }, createContext({ now }));
    expect(phase.reason).toBe("0 Jobs and 0 Pods are not deleted yet");
  });
});

describe("the start time of a phase", () => {
  const created = Date.parse("2026-02-07T09:55:00Z");
  const time = (second: number) => new Date(created + second * 1000).toISOString();
  const conditions = (type: string, status = "True") => ({
    status: { conditions: [{ type, status, lastTransitionTime: time(60) }] },
  });
  const since = (...args: Parameters<typeof getPhase>) => {
    const { phase, since: at } = getPhase(...args);
    return [phase, at === undefined ? undefined : (at - created) / 1000];
  };
  const pod = (job: Wire, index: number, ready: string, second: number) =>
    createPod(job, index, {
      metadata: { creationTimestamp: time(10 + index) },
      status: {
        phase: ready === "True" ? "Running" : "Pending",
        conditions: [{ type: "Ready", status: ready, lastTransitionTime: time(second) }],
      },
    });
  const podsReadyAt =
    (...seconds: readonly number[]) =>
    (job: Wire) =>
      seconds.map((second, index) => pod(job, index, "True", second));

  it("jobSetPhase takes the start time from the JobSet's condition", () => {
    expect(since(conditions("Completed"))).toEqual(["Completed", 60]);
    expect(since(conditions("Failed"))).toEqual(["Failed", 60]);
    const spec = { suspend: true };
    expect(since({ spec, ...conditions("Suspended") })).toEqual(["Suspended", 60]);
    const labels = { "kueue.x-k8s.io/queue-name": "gpu" };
    expect(since({ spec, labels, ...conditions("Suspended") })).toEqual(["Queued", 60]);
    expect(since(conditions("RestartingJobSet"), all)).toEqual(["Restarting", 60]);
  });

  it("jobSetPhase uses the last start of a JobSet without Pods", () => {
    expect(since({})).toEqual(["Pending", 0]);
    expect(since(conditions("Suspended", "False"))).toEqual(["Pending", 60]);
  });

  it("jobSetPhase uses the time when the last Pod became ready", () => {
    expect(since({}, podsReadyAt(20, 40, 30, 25))).toEqual(["Running", 40]);
    expect(since({}, all)).toEqual(["Running", undefined]);
  });

  it("jobSetPhase uses the time since when some Pod was not ready", () => {
    const starting = (job: Wire) => [
      pod(job, 0, "True", 20),
      pod(job, 1, "True", 30),
      pod(job, 2, "False", 15),
      pod(job, 3, "False", 16),
    ];
    expect(since({}, starting)).toEqual(["Starting", 10]);
    const podsWithOneUnready = (job: Wire) => [
      ...podsReadyAt(20, 40, 30)(job),
      pod(job, 3, "False", 295),
    ];
    expect(since({}, podsWithOneUnready)).toEqual(["Starting", 295]);
    const missing = (job: Wire) => [pod(job, 0, "False", 15)];
    expect(since({}, missing)).toEqual(["Starting", undefined]);
  });

  it("jobSetPhase uses the completion of the last Job and the time of the deletion request", () => {
    const ended = (job: Wire) => ({ ...job, ...conditions("Complete") });
    expect(since({}, () => [], ended)).toEqual(["Completing", 60]);
    const jobSet = createJobSet();
    const metadata = { ...jobSet.metadata, deletionTimestamp: time(90) };
    const snapshot = createSnapshot([{ ...jobSet, metadata }], { kinds: diagnosedKinds });
    const phase = jobSetPhase(snapshot, { ...jobSet, metadata }, createContext({ now }));
    expect(phase.since).toBe(created + 90_000);
  });

  it("jobSetPhase omits a start time that is unknown or in the future", () => {
    expect(getPhase(condition("Completed"))).not.toHaveProperty("since");
    const later = conditions("Completed").status.conditions.map((one) => {
      return { ...one, lastTransitionTime: time(86_400) };
    });
    expect(getPhase({ status: { conditions: later } })).not.toHaveProperty("since");
    const full = "0/1 nodes are available: 1 Insufficient cpu.";
    const unschedulablePods = (job: Wire) =>
      all(job).map((_, at) => createPod(job, at, unschedulable(full)));
    expect(since({}, unschedulablePods)).toEqual(["Stuck", undefined]);
  });
});
