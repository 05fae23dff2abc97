import { JOB_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createJobSet,
  createPod,
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

describe("a JobSet whose Jobs have completed", () => {
  const completedAt = (lastTransitionTime: string) => ({
    status: { conditions: [{ type: "Complete", status: "True", lastTransitionTime }] },
  });
  const long = completedAt("2026-02-07T08:00:00Z");

  it("does not complete if its success policy names no ReplicatedJob", () => {
    const targets = (...targetReplicatedJobs: string[]) => ({
      successPolicy: { operator: "Any", targetReplicatedJobs },
    });
    const young = completedAt("2026-02-07T09:59:59Z");
    const { status, roots } = diagnoseCluster(clusterWith(young, targets("x", "y")));
    expect({ status, texts: roots.map(({ message }) => message) }).toEqual({
      status: "Stuck",
      texts: [
        "all Jobs have completed, but the success policy names no ReplicatedJob of the JobSet: x, y",
      ],
    });
    expect(diagnoseCluster(clusterWith(young, targets("x", "w"))).status).toBe("Progressing");
  });

  it("is stuck if its status does not show the completion for five minutes", () => {
    const at = (time: string) => diagnoseCluster(clusterWith(completedAt(time)));
    expect(at("2026-02-07T09:55:01Z").status).toBe("Progressing");
    const { status, roots } = at("2026-02-07T09:55:00Z");
    expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
      status: "Stuck",
      ids: ["not-completed"],
    });
  });

  it("is stuck because of its controller if that does not run", () => {
    const metadata = { name: "jobset-controller-manager", namespace: "jobset-system" };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { replicas: 0 },
    };
    const cluster = [...clusterWith(long), deployment];
    expect(rootIds(diagnoseCluster(cluster))).toEqual(["controller-not-running"]);
  });

  it("is not a finding while a Job is missing or runs", () => {
    const [jobSet, service, job] = clusterWith(long);
    const two = createJobSet({
      replicatedJobs: [
        { name: "w", pods: 1 },
        { name: "x", pods: 1 },
      ],
    });
    const [, other] = listJobs(two);
    expect(rootIds(diagnoseCluster([jobSet, service]))).not.toContain("not-completed");
    expect(rootIds(diagnoseCluster([two, service, job, other]))).not.toContain("not-completed");
  });
});

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

  /** Returns the findings about a Job that was created at some time, next to a Job that was created at 9:00. */
  function diagnoseRecreation({
    createdAt = "2026-02-07T09:11:00Z",
    ttlSecondsAfterFinished = 60 as unknown,
    labels = {},
    spec = {},
    dependsOn = undefined as Wire,
  }) {
    const jobSet = createJobSet({
      replicatedJobs: [{ name: "a" }, { name: "b", dependsOn }],
      createdAt: "2026-02-07T09:00:00Z",
      spec,
    });
    const jobs = listJobs(jobSet, (job) => ({
      ...job,
      spec: { ...job.spec, suspend: false, ttlSecondsAfterFinished },
    }));
    jobs[0].metadata.creationTimestamp = "2026-02-07T09:00:00Z";
    Object.assign(jobs[1].metadata, {
      creationTimestamp: createdAt,
      labels: { ...jobs[1].metadata.labels, ...labels },
    });
    const pods = jobs.flatMap((job) => [0, 1, 2, 3].map((index) => createPod(job, index)));
    const { status, roots } = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      ...jobs,
      ...pods,
    ]);
    return { status, texts: roots.map(({ message }) => message) };
  }

  it("a TTL in the Job template probably causes a Job to be created again", () => {
    expect(diagnoseRecreation({})).toEqual({
      status: "Progressing",
      texts: [
        "job js-b-0 was created again, probably because its ttlSecondsAfterFinished of 60 s deleted it after it had finished",
      ],
    });
  });

  it.each<[string, Parameters<typeof diagnoseRecreation>[0]]>([
    ["it has no TTL", { ttlSecondsAfterFinished: null }],
    ["it was created only a little later", { createdAt: "2026-02-07T09:10:59Z" }],
    ["its creation time is unknown", { createdAt: "later" }],
    ["it waited for another", { dependsOn: [{ name: "a", status: "Ready" }] }],
    ["it waited in order", { spec: { startupPolicy: { startupPolicyOrder: "InOrder" } } }],
    ["it was restarted", { labels: { [JOB_RESTART_ATTEMPT_KEY]: "1" } }],
  ])("a later Job is not reported if %s", (_, parts) => {
    expect(diagnoseRecreation(parts).texts).toEqual([]);
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
