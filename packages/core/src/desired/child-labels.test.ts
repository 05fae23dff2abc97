import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import { aJobSet } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChildKeysAt, childKeysAgree } from "../testing/properties/child-labels.ts";
import { createChildLabels } from "./child-labels.ts";
import { indexedReplicatedJobs } from "./job-indexes.ts";

const gates = {
  off: { features: resolveFeatureGates({}) },
  on: { features: resolveFeatureGates({ RestartJob: true }) },
};

/** The keys of all Jobs, without their common prefix. */
function listKeys(jobSet: Unvalidated<JobSet>, { features } = gates.off): Record<string, string>[] {
  const keysAt = createChildLabels(jobSet, { features });
  return indexedReplicatedJobs(jobSet).flatMap((indexed) =>
    Array.from({ length: indexed.replicas }, (_, index) =>
      Object.fromEntries(
        Object.entries(keysAt(indexed)(index)).map(([key, value]) => [
          key.replace("jobset.sigs.k8s.io/", ""),
          value,
        ]),
      ),
    ),
  );
}

describe("createChildLabels", () => {
  const train = aJobSet("train")
    .inNamespace("ml")
    .withUid("u-1")
    .withReplicatedJob("driver")
    .withReplicatedJob("workers", { replicas: 2 });

  it("createChildLabels contains the JobSet, the ReplicatedJob and group of a Job, and their sizes", () => {
    expect(listKeys(train)[2]).toEqual({
      "jobset-name": "train",
      "jobset-uid": "u-1",
      "replicatedjob-name": "workers",
      "restart-attempt": "0",
      "replicatedjob-replicas": "2",
      "global-replicas": "3",
      "job-index": "1",
      "job-key": "9758140d1b2c3c8dbaebb0783352de84ca2874b5",
      "job-global-index": "2",
      "group-name": "default",
      "group-replicas": "3",
      "job-group-index": "2",
    });
  });

  it("createChildLabels names the coordinator on every Job if there is one", () => {
    const jobSet = train.withSpec({ coordinator: { replicatedJob: "driver" } });
    const named = listKeys(jobSet).map((keys) => keys.coordinator);
    expect(named).toEqual(Array(3).fill("train-driver-0-0.train"));
  });

  it("createChildLabels contains the JobSet's restarts, and those of the single Job only with the gate", () => {
    const entry = { name: "workers", ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
    const jobSet = train.withStatus({
      restarts: 4,
      replicatedJobsStatus: [{ ...entry, jobRestarts: [7] }],
    });
    const attempts = (context: typeof gates.on) =>
      listKeys(jobSet, context).map((keys) => [
        keys["restart-attempt"],
        keys["job-restart-attempt"],
      ]);
    expect(attempts(gates.off)).toEqual(Array(3).fill(["4", undefined]));
    // The third Job came after the counts were stored.
    expect(attempts(gates.on)).toEqual([
      ["4", "0"],
      ["4", "7"],
      ["4", "0"],
    ]);
  });

  it("createChildLabels returns different labels for each Job", () => {
    const [indexed] = indexedReplicatedJobs(aJobSet("train").withReplicatedJob("w"));
    if (indexed === undefined) throw new TypeError("the JobSet has a ReplicatedJob");
    const keysAt = createChildLabels(train, gates.off)(indexed);
    const first = keysAt(0);
    first["jobset.sigs.k8s.io/jobset-name"] = "changed";
    expect(keysAt(0)["jobset.sigs.k8s.io/jobset-name"]).toBe("train");
  });

  it("createChildLabels agrees with a slow implementation that reads the table key by key", () => {
    const readFirstChildKeys: ChildKeysAt = (jobSet, position, jobIndex, context) => {
      const indexed = indexedReplicatedJobs(jobSet)[position];
      return indexed === undefined ? {} : createChildLabels(jobSet, context)(indexed)(jobIndex);
    };
    fc.assert(childKeysAgree(readFirstChildKeys));
  });
});
