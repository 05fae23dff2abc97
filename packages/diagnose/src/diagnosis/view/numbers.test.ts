import { describe, expect, it } from "vitest";
import { createJobSet, createPod, listJobs, type Wire } from "../testing/a-diagnosed-cluster.ts";
import { createMemberPod } from "./member-pod.ts";
import { countPods, countWantedPods, indexRanges } from "./numbers.ts";

function countWanted({
  spec = {},
  status = {},
  pods = [],
}: {
  spec?: Wire;
  status?: Wire;
  pods?: Wire[];
}) {
  const [job] = listJobs(createJobSet());
  const changed = { ...job, spec: { ...job.spec, ...spec }, status };
  const members = pods.map((parts, index) => createMemberPod(createPod(changed, index, parts)));
  return countWantedPods(changed, undefined, members, countPods(members));
}

describe("countWantedPods", () => {
  it("countWantedPods returns the lowest indexes that are neither present nor finished", () => {
    const status = { completedIndexes: "0,2", failedIndexes: "3" };
    expect(countWanted({ spec: { parallelism: 3, completions: 8 }, status })).toEqual({
      wanted: 3,
      missing: 3,
      lowestMissingIndex: 1,
    });
  });

  it("countWantedPods decreases toward the end of a Job", () => {
    const status = { completedIndexes: "0-2" };
    expect(countWanted({ status })).toEqual({ wanted: 1, missing: 1, lowestMissingIndex: 3 });
  });

  it("countWantedPods excludes a succeeded Pod before the Job's status counts it", () => {
    const pods = [{ status: { phase: "Succeeded" } }, {}, {}, {}];
    expect(countWanted({ pods })).toEqual({ wanted: 3, missing: 0, lowestMissingIndex: undefined });
  });

  it("countWantedPods is 0 while the Job is suspended, fails, or has finished", () => {
    const none = { wanted: 0, missing: 0, lowestMissingIndex: undefined };
    expect(countWanted({ spec: { suspend: true } })).toEqual(none);
    for (const type of ["Failed", "Complete", "FailureTarget", "SuccessCriteriaMet"]) {
      expect(countWanted({ status: { conditions: [{ type, status: "True" }] } }), type).toEqual(
        none,
      );
    }
  });

  it("countWantedPods returns no index for a Job without indexes", () => {
    const spec = { completionMode: "NonIndexed", parallelism: 4, completions: 4 };
    expect(countWanted({ spec, status: { succeeded: 3 } })).toEqual({
      wanted: 1,
      missing: 1,
      lowestMissingIndex: undefined,
    });
  });

  it("countWantedPods recreates no Pods in a Job that ends with its first success", () => {
    const spec = { completionMode: "NonIndexed", parallelism: 2, completions: undefined };
    expect(countWanted({ spec, status: { succeeded: 1 } }).missing).toBe(0);
    expect(countWanted({ spec }).missing).toBe(2);
  });

  it("countWantedPods handles a Job with a billion Pods", () => {
    const billion = 1_000_000_000;
    const { missing, lowestMissingIndex } = countWanted({
      spec: { parallelism: billion, completions: billion },
    });
    expect([missing, lowestMissingIndex]).toEqual([billion, 0]);
  });
});

describe("indexRanges", () => {
  it("indexRanges parses single indexes and ranges, and skips others", () => {
    expect(indexRanges("0,2-5")).toEqual([
      [0, 0],
      [2, 5],
    ]);
    expect(indexRanges("")).toEqual([]);
    expect(indexRanges("5-2,x,-1")).toEqual([]);
  });
});
