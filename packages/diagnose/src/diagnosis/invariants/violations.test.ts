import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createPod,
  createService,
  listJobs,
  tenantOn,
  theJobSet,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { findInvariantViolations } from "./violations.ts";

function listViolated(objects: readonly Wire[]) {
  return findInvariantViolations(createSnapshot(objects, { kinds: "all" })).map(
    ({ id, message }) => `${id}: ${message}`,
  );
}

function healthy(parts: Parameters<typeof theJobSet>[0] = {}) {
  const jobSet = theJobSet({ exclusive: true, ...parts });
  const jobs = listJobs(jobSet);
  return { jobSet, jobs, objects: [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs] };
}

describe("violations", () => {
  it("are none in a cluster as it should be", () => {
    const { objects, jobs } = healthy();
    const pods = [0, 1, 2, 3].map((index) => createPod(jobs[0], index));
    expect(listViolated([...objects, ...pods])).toEqual([]);
  });

  it("violations takes as long as the conditions are many, and no longer", () => {
    const leastMs = (length: number) => {
      const conditions = Array.from({ length }, (_, at) => ({ type: `T${at}`, status: "False" }));
      const times = [0, 1, 2].map(() => {
        const before = process.cpuUsage().user;
        listViolated([theJobSet({ status: { restarts: 0, conditions } })]);
        return (process.cpuUsage().user - before) / 1000;
      });
      return Math.min(...times);
    };
    leastMs(100);
    const [few, many] = [leastMs(1_000), leastMs(16_000)];
    // Comparing each with each would take 256 times as long.
    expect(many).toBeLessThan(64 * Math.max(few, 0.5));
  });

  it("name restarts that are counted more often than they took place", () => {
    const entry = { name: "w", jobRestarts: [1], jobRestartsCountTowardsMax: [2] };
    const status = { restarts: 1, restartsCountTowardsMax: 3, replicatedJobsStatus: [entry] };
    expect(listViolated([theJobSet({ status })])).toEqual([
      "restarts-add-up: JobSet ml/js counts 3 restarts towards its limit and 1 in all",
      "restarts-add-up: JobSet ml/js counts 2 restarts of Job w 0 towards its limit and 1 in all",
    ]);
  });

  it("name a JobSet that has ended in two ways, or restarts after its end", () => {
    const conditions = ["Completed", "Failed", "RestartingJobSet"].map((type) => ({
      type,
      status: "True",
    }));
    expect(listViolated([theJobSet({ status: { restarts: 0, conditions } })])).toEqual([
      "terminal-state-once: JobSet ml/js has both completed and failed",
      "conditions-agree: JobSet ml/js has ended and restarts",
    ]);
    const [completed] = conditions;
    const status = { restarts: 0, conditions: [completed, completed], terminalState: "Failed" };
    expect(listViolated([theJobSet({ status })])).toEqual([
      "terminal-state-once: JobSet ml/js has the terminal state Failed and the condition Completed",
      "conditions-agree: JobSet ml/js has several conditions Completed",
    ]);
  });

  it("name counts that do not fit, and attempts out of order", () => {
    const entry = { name: "w", ready: 1, succeeded: 1, failed: 0 };
    const status = {
      restarts: 0,
      replicatedJobsStatus: [entry, entry],
      previousInPlaceRestartAttempt: 2,
      currentInPlaceRestartAttempt: 1,
    };
    expect(listViolated([theJobSet({ status })])).toEqual([
      "in-place-attempts-ordered: JobSet ml/js has left in-place attempt 2 and is to reach 1",
      "counts-fit-replicas: JobSet ml/js counts 2 Jobs of ReplicatedJob w, which has 1",
      "counts-fit-replicas: JobSet ml/js counts ReplicatedJob w twice",
      "counts-fit-replicas: JobSet ml/js counts 2 Jobs of ReplicatedJob w, which has 1",
    ]);
  });

  it("name a Job of an attempt that no status knows of", () => {
    const { jobSet } = healthy();
    const early = listJobs({ ...jobSet, status: { restarts: 3 } });
    expect(listViolated([jobSet, ...early])).toEqual([
      "attempt-recorded: Job js-w-0 is of restart attempt 3, and its JobSet knows of 0",
    ]);
  });

  it("name Jobs that were made before those of the last attempt were gone, where that is to be waited for", () => {
    const failurePolicy = { restartStrategy: "BlockingRecreate" };
    const replicatedJobs = [{ name: "w", replicas: 2 }];
    const jobSet = theJobSet({ spec: { failurePolicy }, replicatedJobs, status: { restarts: 1 } });
    const [old] = listJobs({ ...jobSet, status: { restarts: 0 } });
    const [, fresh] = listJobs(jobSet);
    expect(listViolated([jobSet, old, fresh])).toEqual([
      "no-blocked-creation: 1 Jobs exist beside 1 of an earlier restart attempt",
    ]);
  });

  it("name Pods of two Jobs with one key, and two leaders", () => {
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

  it("name a domain that two Jobs share, unless their priorities differ", () => {
    const { objects, jobs } = healthy();
    const leader = createPod(jobs[0], 0);
    expect(listViolated([...objects, leader, tenantOn("n1")])).toEqual([
      "domain-exclusive: rack r1 at priority 0 holds Pods of 2 Jobs: ml/js-w-0, old/",
    ]);
    expect(listViolated([...objects, leader, tenantOn("n1", "100")])).toEqual([]);
  });

  it("name a follower outside of its leader's domain", () => {
    const { objects, jobs } = healthy();
    const elsewhere = createPod(jobs[0], 1, {
      spec: { nodeName: "n2", nodeSelector: { rack: "r2" } },
    });
    expect(
      listViolated([...objects, aNodeIn("r2", "n2"), createPod(jobs[0], 0), elsewhere]),
    ).toEqual([
      "follower-in-leader-domain: follower js-w-0-1-abcde runs in r2, and its leader runs in r1",
    ]);
  });

  it("name Pods that contradict themselves", () => {
    const { objects, jobs } = healthy();
    const status = { phase: "Failed", conditions: [{ type: "Ready", status: "True" }] };
    expect(listViolated([...objects, createPod(jobs[0], 0, { status })])).toEqual([
      "pods-add-up: js-w-0: Pods do not add up: 1 ready, but 0 active and 0 terminating",
    ]);
  });
});
