import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  listJobs,
  podOnNode,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { findInvariantViolations } from "./violations.ts";

function listViolated(objects: readonly Wire[]) {
  return findInvariantViolations(createSnapshot(objects, { kinds: "all" })).map(
    ({ id, message }) => `${id}: ${message}`,
  );
}

function healthy(parts: Parameters<typeof createJobSet>[0] = {}) {
  const jobSet = createJobSet({ exclusive: true, ...parts });
  const jobs = listJobs(jobSet);
  return { jobSet, jobs, objects: [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs] };
}

describe("findInvariantViolations", () => {
  it("findInvariantViolations returns nothing for a healthy cluster", () => {
    const { objects, jobs } = healthy();
    const pods = [0, 1, 2, 3].map((index) => createPod(jobs[0], index));
    expect(listViolated([...objects, ...pods])).toEqual([]);
  });

  it("findInvariantViolations takes linear time in the number of conditions", () => {
    const leastMs = (length: number) => {
      const conditions = Array.from({ length }, (_, at) => ({ type: `T${at}`, status: "False" }));
      const times = [0, 1, 2].map(() => {
        const before = process.cpuUsage().user;
        listViolated([createJobSet({ status: { restarts: 0, conditions } })]);
        return (process.cpuUsage().user - before) / 1000;
      });
      return Math.min(...times);
    };
    leastMs(100);
    const [few, many] = [leastMs(1_000), leastMs(16_000)];
    // Comparing each condition with each other would take 256 times as long.
    expect(many).toBeLessThan(64 * Math.max(few, 0.5));
  });

  it("findInvariantViolations reports restarts that count more often than they happened", () => {
    const entry = { name: "w", jobRestarts: [1], jobRestartsCountTowardsMax: [2] };
    const status = { restarts: 1, restartsCountTowardsMax: 3, replicatedJobsStatus: [entry] };
    expect(listViolated([createJobSet({ status })])).toEqual([
      "restarts-add-up: JobSet ml/js counts 3 restarts toward its limit but 1 in total",
      "restarts-add-up: JobSet ml/js counts 2 restarts of Job w 0 toward its limit but 1 in total",
    ]);
  });

  it("findInvariantViolations reports a JobSet with two results or a restart after its finish", () => {
    const conditions = ["Completed", "Failed", "RestartingJobSet"].map((type) => ({
      type,
      status: "True",
    }));
    expect(listViolated([createJobSet({ status: { restarts: 0, conditions } })])).toEqual([
      "terminal-state-once: JobSet ml/js has both completed and failed",
      "conditions-agree: JobSet ml/js has finished but restarts",
    ]);
    const [completed] = conditions;
    const status = { restarts: 0, conditions: [completed, completed], terminalState: "Failed" };
    expect(listViolated([createJobSet({ status })])).toEqual([
      "terminal-state-once: JobSet ml/js has terminal state Failed but condition Completed",
      "conditions-agree: JobSet ml/js has several conditions Completed",
    ]);
  });

  it("findInvariantViolations reports inconsistent counts and attempts out of order", () => {
    const entry = { name: "w", ready: 1, succeeded: 1, failed: 0 };
    const status = {
      restarts: 0,
      replicatedJobsStatus: [entry, entry],
      previousInPlaceRestartAttempt: 2,
      currentInPlaceRestartAttempt: 1,
    };
    expect(listViolated([createJobSet({ status })])).toEqual([
      "in-place-attempts-ordered: JobSet ml/js left in-place attempt 2 but must reach 1",
      "counts-fit-replicas: JobSet ml/js counts 2 Jobs of ReplicatedJob w but it has 1",
      "counts-fit-replicas: JobSet ml/js counts ReplicatedJob w twice",
      "counts-fit-replicas: JobSet ml/js counts 2 Jobs of ReplicatedJob w but it has 1",
    ]);
  });

  it("findInvariantViolations reports a Job with a later attempt than the status", () => {
    const { jobSet } = healthy();
    const early = listJobs({ ...jobSet, status: { restarts: 3 } });
    expect(listViolated([jobSet, ...early])).toEqual([
      "attempt-recorded: Job js-w-0 has restart attempt 3, but its JobSet has 0 restarts",
    ]);
  });

  it("findInvariantViolations reports Jobs that were created before the last attempt's Jobs were gone, if the strategy requires it", () => {
    const failurePolicy = { restartStrategy: "BlockingRecreate" };
    const replicatedJobs = [{ name: "w", replicas: 2 }];
    const jobSet = createJobSet({
      spec: { failurePolicy },
      replicatedJobs,
      status: { restarts: 1 },
    });
    const [old] = listJobs({ ...jobSet, status: { restarts: 0 } });
    const [, fresh] = listJobs(jobSet);
    expect(listViolated([jobSet, old, fresh])).toEqual([
      "no-blocked-creation: 1 Jobs exist beside 1 of an earlier restart attempt",
    ]);
  });

  it("findInvariantViolations reports Pods of two Jobs with one key, and two leaders", () => {
    const { objects, jobs } = healthy();
    const earlier = { ...jobs[0], metadata: { ...jobs[0].metadata, uid: "uid-earlier" } };
    const left = createPod(earlier, 1);
    const second = createPod(jobs[0], 0);
    const pods = [
      createPod(jobs[0], 0),
      { ...second, metadata: { ...second.metadata, name: "js-w-0-0-fffff" } },
      { ...left, metadata: { ...left.metadata, name: "js-w-0-1-fffff" } },
    ];
    expect(listViolated([...objects, ...pods])).toEqual([
      "one-active-leader: Job js-w-0 has 2 active leaders",
      "one-job-per-key: Pods of 2 Jobs have the job key of js-w-0",
    ]);
  });

  it("findInvariantViolations reports a domain that two Jobs share, unless their priorities differ", () => {
    const { objects, jobs } = healthy();
    const leader = createPod(jobs[0], 0);
    expect(listViolated([...objects, leader, podOnNode("n1")])).toEqual([
      "domain-exclusive: rack r1 at priority 0 holds Pods of 2 Jobs: ml/js-w-0, old/",
    ]);
    expect(listViolated([...objects, leader, podOnNode("n1", "100")])).toEqual([]);
  });

  it("findInvariantViolations reports a follower outside its leader's domain", () => {
    const { objects, jobs } = healthy();
    const elsewhere = createPod(jobs[0], 1, {
      spec: { nodeName: "n2", nodeSelector: { rack: "r2" } },
    });
    expect(
      listViolated([...objects, aNodeIn("r2", "n2"), createPod(jobs[0], 0), elsewhere]),
    ).toEqual([
      "follower-in-leader-domain: follower js-w-0-1-abcde runs in r2, but its leader runs in r1",
    ]);
  });

  it("findInvariantViolations reports contradictory Pods", () => {
    const { objects, jobs } = healthy();
    const status = { phase: "Failed", conditions: [{ type: "Ready", status: "True" }] };
    expect(listViolated([...objects, createPod(jobs[0], 0, { status })])).toEqual([
      "pods-add-up: js-w-0: Pods do not add up: 1 ready, but 0 active and 0 terminating",
    ]);
  });
});
