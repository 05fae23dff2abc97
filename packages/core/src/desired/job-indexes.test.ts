import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { indexedReplicatedJobs, jobCount } from "./job-indexes.ts";

describe("indexedReplicatedJobs", () => {
  it("indexedReplicatedJobs counts the Jobs of earlier ReplicatedJobs", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("r1", { replicas: 2 })
      .withReplicatedJob("r2", { replicas: 4 })
      .withReplicatedJob("r3", { replicas: 1 });
    const [, r2] = indexedReplicatedJobs(jobSet);
    expect((r2?.firstGlobalIndex ?? 0) + 3).toBe(5);
  });

  it("indexedReplicatedJobs counts the Jobs of all ReplicatedJobs", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("r1", { replicas: 2 })
      .withReplicatedJob("r2", { replicas: 5 });
    expect(indexedReplicatedJobs(jobSet).map((one) => one.globalReplicas)).toEqual([7, 7]);
  });

  it("indexedReplicatedJobs counts the Jobs of each group separately", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("r1", { groupName: "A", replicas: 1 })
      .withReplicatedJob("r2", { groupName: "B", replicas: 2 })
      .withReplicatedJob("r3", { groupName: "A", replicas: 3 });
    const [r1, r2, r3] = indexedReplicatedJobs(jobSet);
    expect((r3?.firstGroupIndex ?? 0) + 1).toBe(2);
    expect(r3?.groupReplicas).toBe(4);
    expect(r1).toMatchObject({ name: "r1", groupName: "A", firstGroupIndex: 0, groupReplicas: 4 });
    expect(r2).toMatchObject({ name: "r2", groupName: "B", firstGroupIndex: 0, groupReplicas: 2 });
  });

  it("indexedReplicatedJobs treats absent replicas as 1, an explicit 0 as 0, and an absent group as the empty one", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("r1", { replicas: undefined, groupName: undefined })
      .withReplicatedJob("r2", { replicas: 0 })
      .withReplicatedJob("r3");
    expect(indexedReplicatedJobs(jobSet)).toMatchObject([
      { replicas: 1, firstGlobalIndex: 0, groupName: "", groupReplicas: 1 },
      { replicas: 0, firstGlobalIndex: 1, groupReplicas: 1 },
      { replicas: 1, firstGlobalIndex: 1, groupReplicas: 1 },
    ]);
  });

  it("indexedReplicatedJobs handles a group called __proto__", () => {
    const jobSet = aJobSet("train").withReplicatedJob("r1", { groupName: "__proto__" });
    expect(indexedReplicatedJobs(jobSet)).toMatchObject([{ groupReplicas: 1 }]);
  });

  it("indexedReplicatedJobs skips values that are not ReplicatedJobs", () => {
    const replicatedJobs = [null, 5, [], "r1"] as never;
    expect(indexedReplicatedJobs(aJobSet("train").withSpec({ replicatedJobs }))).toEqual([]);
    expect(indexedReplicatedJobs({})).toEqual([]);
  });
});

describe("jobCount", () => {
  it("jobCount is the number of Jobs that a JobSet requests", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("driver")
      .withReplicatedJob("workers", { replicas: 4 })
      .withReplicatedJob("none", { replicas: 0 });
    expect(jobCount(jobSet)).toBe(5);
    expect(jobCount(aJobSet("train"))).toBe(0);
  });

  it("jobCount treats negative replicas as 0", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("odd", { replicas: -3 })
      .withReplicatedJob("workers", { replicas: 4 });
    expect(jobCount(jobSet)).toBe(4);
  });
});
