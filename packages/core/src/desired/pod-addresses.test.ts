import type { JobSpec } from "@jobset-ts/api/kubernetes";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { podAddresses } from "./pod-addresses.ts";

/** A ReplicatedJob whose Job template has these members. */
function jobSetWithJobSpec(spec: unknown, replicas = 1) {
  const { template } = aReplicatedJob("w").template.spec;
  return { replicas, template: { spec: { ...(spec as JobSpec), template } } };
}

const indexed = { completionMode: "Indexed", parallelism: 1 };

describe("podAddresses", () => {
  it("podAddresses are sorted by ReplicatedJob, then by job index, then by completion index", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("driver")
      .withReplicatedJob("workers", jobSetWithJobSpec({ ...indexed, completions: 2 }, 2));
    expect([...podAddresses(jobSet)].map((address) => address.dnsName)).toEqual([
      "train-driver-0-0.train",
      "train-workers-0-0.train",
      "train-workers-0-1.train",
      "train-workers-1-0.train",
      "train-workers-1-1.train",
    ]);
  });

  it("podAddresses identify their Pod", () => {
    const jobSet = aJobSet("train").withReplicatedJob(
      "w",
      jobSetWithJobSpec({ ...indexed, completions: 2 }),
    );
    expect([...podAddresses(jobSet)][1]).toStrictEqual({
      jobName: "train-w-0",
      replicatedJobName: "w",
      jobIndex: 0,
      completionIndex: 1,
      hostname: "train-w-0-1",
      dnsName: "train-w-0-1.train",
    });
  });

  it("podAddresses returns only hostnames if DNS hostnames are disabled", () => {
    const jobSet = aJobSet("train").withSpec({ network: {} }).withReplicatedJob("w");
    const [address] = podAddresses(jobSet);
    expect(address?.hostname).toBe("train-w-0-0");
    expect(address).not.toHaveProperty("dnsName");
  });

  it.each([
    [{ completionMode: "NonIndexed", completions: 2 }, 0],
    [{ completions: 2 }, 0],
    [{ completionMode: "Indexed", completions: 2, parallelism: 5 }, 2],
    [{ completionMode: "Indexed", completions: 0 }, 0],
    // If both numbers are absent, the API server sets both to 1. It rejects one without the other.
    [{ completionMode: "Indexed" }, 1],
    [{ completionMode: "Indexed", completions: null, parallelism: null }, 1],
    [{ completionMode: "Indexed", parallelism: 3 }, 0],
    [{ completionMode: "Indexed", completions: -1 }, 0],
  ])("podAddresses of a Job with %j has length %i", (spec, count) => {
    expect([
      ...podAddresses(aJobSet("train").withReplicatedJob("w", jobSetWithJobSpec(spec))),
    ]).toHaveLength(count);
  });

  it("podAddresses are created lazily for a JobSet with too many Pods to list", () => {
    const many = 2 ** 31 - 1;
    const jobSet = aJobSet("train")
      .withReplicatedJob("none", jobSetWithJobSpec({ ...indexed, completions: 0 }, many))
      .withReplicatedJob("many", jobSetWithJobSpec({ ...indexed, completions: many }, many));
    expect(podAddresses(jobSet).next().value?.hostname).toBe("train-many-0-0");
  });
});
