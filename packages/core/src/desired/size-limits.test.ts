import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { podAddresses } from "./pod-addresses.ts";
import { findSizeExcess, MAX_DESIRED_JOBS, MAX_DESIRED_PODS } from "./size-limits.ts";

const listJobs = (spec: object, replicas = 1) => ({
  replicas,
  template: { spec: { ...spec, template: { spec: { containers: [] } } } },
});

describe("the size of a JobSet", () => {
  it("findSizeExcess names the ReplicatedJob that exceeds the limit first, and counts all Jobs", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a", { replicas: 3 })
      .withReplicatedJob("b", { replicas: 2_147_483_647 })
      .withReplicatedJob("c", { replicas: 2_147_483_647 });
    expect(findSizeExcess(jobSet)).toEqual({
      field: "spec.replicatedJobs[1].replicas",
      resource: "Jobs",
      count: 4_294_967_297,
      limit: MAX_DESIRED_JOBS,
    });
  });

  it.each([
    [{ completions: 2_147_483_647, parallelism: 1 }, 1, "template.spec.completions", 2_147_483_647],
    [{ parallelism: 2_147_483_647 }, 1, "template.spec.parallelism", 2_147_483_647],
    [{ completions: 3 }, 100_000, "replicas", 300_000],
  ])(
    "findSizeExcess names the field by which Jobs with %j request too many Pods",
    (spec, replicas, at, count) => {
      const jobSet = aJobSet("train").withReplicatedJob("w", listJobs(spec, replicas));
      expect(findSizeExcess(jobSet)).toEqual({
        field: `spec.replicatedJobs[0].${at}`,
        resource: "Pods",
        count,
        limit: MAX_DESIRED_PODS,
      });
    },
  );

  it("findSizeExcess counts only Pods with an address if the caller lists addresses", () => {
    const jobSet = aJobSet("train").withReplicatedJob(
      "w",
      listJobs({ parallelism: 2_147_483_647 }),
    );
    const limits = { jobs: 1, pods: 1, onlyIndexed: true };
    expect(findSizeExcess(jobSet, limits)).toBeUndefined();
  });

  it.each([200_000, 0, -1, 1.5, 1e308])("findSizeExcess accepts %d replicas", (replicas) => {
    expect(findSizeExcess(aJobSet("train").withReplicatedJob("w", { replicas }))).toBeUndefined();
  });

  it("podAddresses stops at the maximum number of listed Pods", () => {
    const spec = { completionMode: "Indexed", completions: 2_147_483_647 };
    const jobSet = aJobSet("train").withReplicatedJob("w", listJobs(spec));
    let count = 0;
    for (const _ of podAddresses(jobSet)) count += 1;
    expect(count).toBe(MAX_DESIRED_PODS);
  });
});
