import { describe, expect, it } from "vitest";
import { renderDiagnosis } from "../../report/render.ts";
import {
  aMinuteOld,
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  denial,
  diagnoseCluster,
  exclusiveCluster,
  listJobs,
  rootIds,
  runningCluster,
  SELECTOR_NOT_SET,
  unschedulable,
  untriedPod,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const SHORT_OF_TPUS = "0/10 nodes are available: 10 Insufficient google.com/tpu.";

describe("the Pods of a JobSet", () => {
  it("diagnose reports one denied follower in the singular", () => {
    const leader = unschedulable(SHORT_OF_TPUS);
    const { symptoms } = diagnoseCluster(exclusiveCluster({ leader, followers: [1, 2] }));
    expect(symptoms.map(({ message }) => message)).toContain(
      "1 follower of js-w-0 is denied at admission: follower pod node selector not set",
    );
  });

  it("diagnose mentions leaders only under exclusive placement", () => {
    const [jobSet, service, node, job, first, ...others] = runningCluster({});
    const failed = { ...first, status: unschedulable(SHORT_OF_TPUS).status };
    const pending = { ...failed, spec: { ...first?.spec, nodeName: undefined } };
    const diagnosis = diagnoseCluster([jobSet, service, node, job, pending, ...others] as Wire[]);
    const texts = renderDiagnosis(diagnosis).map(({ text }) => text);
    expect(texts.join("\n")).toContain("pod js-w-0-0-abcde has no node");
    expect(texts.join("\n")).not.toMatch(/leader|follower/);
  });

  it("diagnose reports progress while the scheduler has not tried the leader", () => {
    const diagnosis = diagnoseCluster(
      exclusiveCluster({ leader: { ...untriedPod, metadata: aMinuteOld } }),
    );
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["scheduler-not-tried"]);
  });

  it("diagnose reports a JobSet as stuck if the scheduler has not tried the leader for minutes", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: untriedPod }));
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([
      { id: "scheduler-not-tried", since: Date.parse("2026-02-07T09:55:00Z") },
    ]);
  });

  it("diagnose finds the lost node with Pods of an earlier restart attempt", () => {
    const jobSet = createJobSet({
      status: { restarts: 1, conditions: [{ type: "X", status: "True" }] },
    });
    const [job] = listJobs({ ...jobSet, status: { restarts: 0 } });
    const metadata = { deletionTimestamp: "2026-02-07T09:57:00Z" };
    const old = createPod(job, 0);
    const pod = { ...old, metadata: { ...old.metadata, ...metadata } };
    const node = aNodeIn("r1", "n1", "Unknown");
    const message = 'job "js-w-0" creation failed with error: jobs.batch "js-w-0" already exists';
    const event = anEvent(jobSet, "JobCreationFailed", message);
    const diagnosis = diagnoseCluster([jobSet, createService(jobSet), job, pod, node, event]);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["node-not-ready"]);
    expect(diagnosis.symptoms.map(({ id }) => id)).not.toContain("job-rejected");
  });

  it("diagnose waits five minutes for a node that is not ready", () => {
    const statusAt = (lastTransitionTime?: string) => {
      const node = aNodeIn("r1", "n1", "Unknown");
      const [ready] = node.status.conditions;
      const lost = { ...node, status: { conditions: [{ ...ready, lastTransitionTime }] } };
      const cluster = runningCluster({}).filter(({ kind }) => kind !== "Node");
      return diagnoseCluster([...cluster, lost]);
    };
    expect(rootIds(statusAt("2026-02-07T09:55:01Z"))).toEqual(["node-not-ready"]);
    expect(statusAt("2026-02-07T09:55:01Z").status).toBe("Waiting");
    expect(statusAt("2026-02-07T09:55:00Z").status).toBe("Stuck");
    expect(statusAt().status).toBe("Stuck");
  });

  it("a JobSet is progressing if two Pods do not exist yet and their creation did not fail", () => {
    const pods = (job: Wire) => [0, 1].map((index) => createPod(job, index));
    const diagnosis = diagnoseCluster(runningCluster({ pods }));
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["pods-not-created"]);
  });

  it("diagnose finds the quota that rejects the third Pod, after any earlier rejections", () => {
    const quota = 'Error creating: pods "js-w-0-2-xyz12" is forbidden: exceeded quota: q';
    const diagnosis = diagnoseCluster(
      runningCluster({
        pods: (job) => [0, 1].map((index) => createPod(job, index)),
        others: (job) => [
          anEvent(job, "FailedCreate", denial(SELECTOR_NOT_SET), "2026-02-07T09:56:00Z"),
          anEvent(job, "FailedCreate", quota, "2026-02-07T09:58:00Z"),
        ],
      }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["pods-rejected"]);
  });

  it("a quota that is exceeded shortly after a restart may be freed by the earlier Pods", () => {
    const quota = 'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q';
    const diagnoseJob = (creationTimestamp: string, message: string, restarts = 1) => {
      const parts = { replicatedJobs: [{ name: "w", pods: 1 }] };
      const jobSet = { ...createJobSet(parts), status: { restarts } };
      const [job] = listJobs(jobSet, (one) => ({
        ...one,
        metadata: { ...one.metadata, creationTimestamp },
      }));
      const event = anEvent(job, "FailedCreate", message, "2026-02-07T09:59:58Z");
      return diagnoseCluster([jobSet, createService(jobSet), job, event]).status;
    };
    expect(diagnoseJob("2026-02-07T09:59:55Z", quota)).toBe("Progressing");
    expect(diagnoseJob("2026-02-07T09:59:00Z", quota)).toBe("Stuck");
    expect(diagnoseJob("2026-02-07T09:59:55Z", quota, 0)).toBe("Stuck");
    const policy = quota.replace("exceeded quota: q", 'violates PodSecurity "baseline:latest"');
    expect(diagnoseJob("2026-02-07T09:59:55Z", policy)).toBe("Stuck");
  });

  it("diagnose waits for the Pods of a failing Job", () => {
    const conditions = [{ type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded" }];
    const diagnosis = diagnoseCluster(
      runningCluster({
        job: (one) => ({ ...one, status: { conditions } }),
        pods: (job) => [
          createPod(job, 0, { status: { phase: "Failed" } }),
          ...[1, 2].map((index) => {
            const pod = createPod(job, index);
            const metadata = { ...pod.metadata, deletionTimestamp: "2026-02-07T09:59:00Z" };
            return { ...pod, metadata };
          }),
        ],
      }),
    );
    expect(diagnosis.status).toBe("Waiting");
    expect(rootIds(diagnosis).toSorted()).toEqual(["pod-failed", "pod-terminating"]);
  });

  it("diagnose ignores a denial from before the leader had a node", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: {} }));
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["pods-not-created"]);
  });

  it("diagnose does not blame a failed Pod once its successor is ready", () => {
    const failed = (job: Wire) => {
      const pod = createPod(job, 0, { status: { phase: "Failed" } });
      return { ...pod, metadata: { ...pod.metadata, name: "js-w-0-0-fffff" } };
    };
    const pods = (job: Wire) => [failed(job), ...[0, 1, 2, 3].map((at) => createPod(job, at))];
    expect(diagnoseCluster(runningCluster({ pods }))).toMatchObject({
      status: "Progressing",
      roots: [],
    });
  });

  it("diagnose cannot decide whether a failed Pod without an index was replaced if Jobs were not read", () => {
    const spec = { completionMode: "NonIndexed" };
    const parts = { replicatedJobs: [{ name: "w", spec }] };
    const failed = (job: Wire) => {
      const pod = createPod(job, 9, { status: { phase: "Failed" } });
      return [pod, ...[0, 1, 2, 3].map((at) => createPod(job, at))];
    };
    const cluster = runningCluster({ parts, pods: failed });
    expect(rootIds(diagnoseCluster(cluster))).toEqual([]);
    const unread = diagnoseCluster(cluster, ["Job"]);
    expect(rootIds(unread)).toEqual([]);
    expect(unread.notChecked).toContain("pod-failed:jobs");
  });
});
