import { contextOf, snapshotOf } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { diagnosedKinds } from "./newest-time.ts";
import { jobSetPhase } from "./phase.ts";
import {
  aNodeIn,
  jobsOf,
  now,
  podOf,
  serviceOf,
  theJobSet,
  unschedulable,
  type Wire,
} from "./testing/a-diagnosed-cluster.ts";

function phaseOf(
  parts: Parameters<typeof theJobSet>[0],
  pods: (job: Wire) => readonly Wire[] = () => [],
  change: (job: Wire) => Wire = (job) => job,
) {
  const jobSet = theJobSet(parts);
  const jobs = jobsOf(jobSet, change);
  const objects = [jobSet, serviceOf(jobSet), aNodeIn("r1"), ...jobs, ...pods(jobs[0])];
  const snapshot = snapshotOf(objects, { kinds: diagnosedKinds });
  return jobSetPhase(snapshot, jobSet, contextOf({ now }));
}

const all = (job: Wire) => [0, 1, 2, 3].map((index) => podOf(job, index));

const condition = (type: string) => ({
  status: { restarts: 2, restartsCountTowardsMax: 1, conditions: [{ type, status: "True" }] },
});

describe("the phase of a JobSet", () => {
  it("is Running with all its Pods ready", () => {
    expect(phaseOf({}, all)).toMatchObject({
      phase: "Running",
      text: "Running: 4 of 4 Pods are ready",
    });
  });

  it("is Pending before it has a Pod, and Starting before all are ready", () => {
    expect(phaseOf({}).text).toBe("Pending: 4 pods of js-w-0 are not created");
    const starting = (job: Wire) => [podOf(job, 0, { status: { phase: "Pending" } })];
    expect(phaseOf({}, starting)).toMatchObject({ phase: "Starting", status: "progressing" });
  });

  it("is Queued or Suspended, by who suspends it", () => {
    const spec = { suspend: true };
    expect(phaseOf({ spec }).text).toBe("Suspended: JobSet is suspended");
    const labels = { "kueue.x-k8s.io/queue-name": "gpu" };
    expect(phaseOf({ spec, labels }).text).toBe("Queued: JobSet is suspended by queue gpu");
  });

  it("is Restarting so many times of how many it may", () => {
    const spec = { failurePolicy: { maxRestarts: 3 } };
    const phase = phaseOf({ spec, ...condition("RestartingJobSet") }, all);
    expect(phase).toMatchObject({
      phase: "Restarting",
      text: "Restarting 1 of 3: 4 of 4 Pods are ready",
    });
    expect(phase).toMatchObject({ restarts: 2, restartsCounted: 1, maxRestarts: 3 });
  });

  it("is Stuck with its first root cause in the sentence", () => {
    const full = "0/1 nodes are available: 1 Insufficient cpu.";
    const pods = (job: Wire) => all(job).map((_, index) => podOf(job, index, unschedulable(full)));
    expect(phaseOf({}, pods).text).toBe(
      "Stuck: not enough cpu for js-w-0-0-abcde (1 of 1 nodes) … and 3 more",
    );
  });

  it("is Completing once every Job has ended well, then Completed", () => {
    const ended = (job: Wire) => ({
      ...job,
      status: { conditions: [{ type: "Complete", status: "True" }] },
    });
    expect(phaseOf({}, () => [], ended).phase).toBe("Completing");
    expect(phaseOf(condition("Completed")).phase).toBe("Completed");
  });

  it("is Failed for good", () => {
    expect(phaseOf(condition("Failed"))).toMatchObject({ phase: "Failed", status: "failed" });
  });

  it("is Deleting as long as anything is left", () => {
    const jobSet = theJobSet();
    const metadata = { ...jobSet.metadata, deletionTimestamp: now };
    const snapshot = snapshotOf([{ ...jobSet, metadata }], { kinds: diagnosedKinds });
    const phase = jobSetPhase(snapshot, { ...jobSet, metadata }, contextOf({ now }));
    expect(phase.text).toBe("Deleting: 0 Jobs and 0 Pods are not gone yet");
  });
});
