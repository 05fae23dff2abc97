import { describe, expect, it } from "vitest";
import {
  createJobSet,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

/** Returns a JobSet with one Job that has changes. */
function clusterWith(change: Wire, spec: Wire = {}): Wire[] {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }], spec });
  const jobs = listJobs(jobSet, (job) => ({
    ...job,
    status: change.status ?? {},
    spec: { ...job.spec, ...change.spec },
  }));
  return [jobSet, createService(jobSet), ...jobs];
}

describe("a Job that cannot complete", () => {
  it("the exceeded deadline of a Job is the cause of its failure", () => {
    const status = {
      conditions: [
        { type: "Failed", status: "True", reason: "DeadlineExceeded", message: "too long" },
      ],
    };
    const cluster = clusterWith({ status, spec: { activeDeadlineSeconds: 600 } });
    const { roots, symptoms } = diagnoseCluster(cluster);
    expect(roots.map(({ message }) => message)).toEqual([
      "job js-w-0 ran longer than its activeDeadlineSeconds of 600 s",
    ]);
    expect(symptoms.map(({ id }) => id)).toContain("job-failed");
  });

  it("a parallelism of 0 makes the JobSet wait", () => {
    const { status, roots } = diagnoseCluster(clusterWith({ spec: { parallelism: 0 } }));
    expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
      status: "Waiting",
      ids: ["job-without-pods"],
    });
  });

  it("a parallelism of 0 does not block a suspended JobSet", () => {
    const suspended = clusterWith({ spec: { parallelism: 0, suspend: true } }, { suspend: true });
    expect(rootIds(diagnoseCluster(suspended))).toEqual(["suspended"]);
  });
});
