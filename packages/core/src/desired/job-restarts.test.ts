import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { jobRestartsByName } from "./job-restarts.ts";

const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };

/** The counts of the ReplicatedJob `workers`, as a list. */
function countRestarts(jobRestarts: unknown, replicas: number): number[] {
  const entry = { ...noJobs, name: "workers", jobRestarts: jobRestarts as number[] };
  const jobSet = aJobSet("train").withStatus({ replicatedJobsStatus: [entry] });
  const restarts = jobRestartsByName(jobSet)("workers", replicas);
  return Array.from({ length: restarts.length }, (_, index) => restarts.at(index));
}

describe("jobRestartsByName", () => {
  it("jobRestartsByName returns the stored counts", () => {
    expect(countRestarts([1, 0, 2], 3)).toEqual([1, 0, 2]);
  });

  it("jobRestartsByName returns zeros for all Jobs if nothing is stored", () => {
    expect(countRestarts([], 2)).toEqual([0, 0]);
    expect(countRestarts(undefined, 2)).toEqual([0, 0]);
    expect(jobRestartsByName({})("workers", 2).length).toBe(2);
  });

  it("jobRestartsByName returns zeros for Jobs that were added after the counts were stored", () => {
    expect(countRestarts([1], 3)).toEqual([1, 0, 0]);
  });

  it("jobRestartsByName keeps the stored counts of Jobs beyond the replicas", () => {
    expect(countRestarts([1, 2, 3], 1)).toEqual([1, 2, 3]);
  });

  it("jobRestarts returns nothing for an unknown ReplicatedJob", () => {
    const restarts = jobRestartsByName(aJobSet("train"))("unknown", 0);
    expect([restarts.length, restarts.at(0), restarts.at(-1)]).toEqual([0, 0, 0]);
    expect(jobRestartsByName(aJobSet("train"))("unknown", -1).length).toBe(0);
  });

  it("jobRestarts treats counts that are not integers as zero", () => {
    expect(countRestarts([1.5, null, "2", 3], 4)).toEqual([0, 0, 0, 3]);
    expect(countRestarts("111", 1)).toEqual([0]);
  });

  it("jobRestartsByName reads the first of two entries with one name", () => {
    const entries = [1, 2].map((count) => ({ ...noJobs, name: "workers", jobRestarts: [count] }));
    const jobSet = aJobSet("train").withStatus({ replicatedJobsStatus: entries });
    expect(jobRestartsByName(jobSet)("workers", 1).at(0)).toBe(1);
  });
});
