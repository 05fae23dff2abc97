import { describe, expect, it } from "vitest";
import { podCount, podsPerReplica } from "./pod-counts.ts";

describe("podsPerReplica and podCount", () => {
  it.each([
    [2, 1, 1, 1, 2],
    [3, 2, 3, 2, 6],
    [2, 4, 8, 4, 8],
    [2, 2, 1, 1, 2],
    [3, undefined, 5, 1, 3],
    [2, 3, undefined, 3, 6],
    [1, 0, 0, 0, 0],
    [undefined, 2, 2, 2, 2],
    [3, undefined, -2, -2, -6],
    [3, -1, undefined, -1, -3],
    [3, -1, 4, -1, -3],
    [0, 5, -2, -2, 0],
    [-1, -3, 0, -3, 3],
    [2, undefined, -(2 ** 31), -(2 ** 31), 0],
    [2 ** 31 - 1, undefined, -2, -2, 2],
    [2 ** 31 - 1, 2 ** 31 - 1, undefined, 2 ** 31 - 1, 1],
    [2 ** 16, 2 ** 16, undefined, 2 ** 16, 0],
  ])(
    "with %s replicas, parallelism %s and completions %s, podsPerReplica is %s and podCount is %s",
    (replicas, parallelism, completions, each, all) => {
      const replicatedJob = { replicas, template: { spec: { parallelism, completions } } };
      expect([podsPerReplica(replicatedJob), podCount(replicatedJob)]).toEqual([each, all]);
    },
  );
});
