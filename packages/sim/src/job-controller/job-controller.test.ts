import type { Pod } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import { JobCluster } from "../testing/job-cluster.ts";

const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 } as const;

function clusterWith(...created: Parameters<JobCluster["create"]>): JobCluster {
  const cluster = new JobCluster();
  expect(cluster.create(...created)).toMatchObject({ ok: true });
  cluster.run(3);
  return cluster;
}

/** Returns an admission step that rejects Pods while the callback returns true. */
function rejectPodsWhile(shouldReject: () => boolean): AdmissionStep {
  return {
    name: "quota",
    mutates: false,
    kinds: ["Pod"],
    onUpdate: false,
    review: ({ object }) =>
      shouldReject()
        ? { ok: false, code: 403, reason: "Forbidden", message: "exceeded quota" }
        : { ok: true, object },
  };
}

/** Returns when Pods were created, in seconds since the first turn. */
function getCreationTimes({ turns }: JobCluster): readonly number[] {
  const start = turns[0]?.cluster.now ?? 0;
  return turns.flatMap(({ cluster, changes }) =>
    changes
      .filter(({ before, after }) => before === undefined && after?.kind === "Pod")
      .map(() => (cluster.now - start) / 1000),
  );
}

describe("Pods of a Job", () => {
  it("the Pods of an Indexed Job have their index in every expected place", () => {
    const job = clusterWith(
      { ...indexed, completions: 1, parallelism: 1, backoffLimitPerIndex: 2 },
      "train",
      { initContainers: [{ name: "init", image: "app:1" }], subdomain: "mesh" },
    );
    const [pod] = job.pods;
    const index = "batch.kubernetes.io/job-completion-index";
    const env = [
      {
        name: "JOB_COMPLETION_INDEX",
        valueFrom: { fieldRef: { fieldPath: `metadata.labels['${index}']` } },
      },
    ];
    expect(pod).toMatchObject({
      metadata: {
        generateName: "train-0-",
        labels: { [index]: "0", "job-name": "train" },
        annotations: { [index]: "0", "batch.kubernetes.io/job-index-failure-count": "0" },
        finalizers: ["batch.kubernetes.io/job-tracking"],
        ownerReferences: [
          {
            apiVersion: "batch/v1",
            kind: "Job",
            name: "train",
            uid: job.job.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        hostname: "train-0",
        subdomain: "mesh",
        containers: [{ name: "main", image: "app:1", env }],
        initContainers: [{ name: "init", env }],
      },
    });
  });

  it("the Pods of a NonIndexed Job have no index", () => {
    const [pod] = clusterWith({}).pods;
    expect(pod?.metadata.generateName).toBe("j-");
    expect(pod?.spec.hostname).toBeUndefined();
    expect(pod?.spec.containers[0]?.env).toBeUndefined();
  });

  it("a Pod name truncates the Job name but never the index", () => {
    const name = `j${"x".repeat(60)}`;
    const { pods } = clusterWith({ ...indexed, completions: 1, parallelism: 1 }, name);
    expect(pods[0]?.metadata.generateName).toBe(`${name.slice(0, 55)}-0-`);
  });

  it("the Pods of an Indexed Job keep their own variable with the name of the index variable", () => {
    const env = [{ name: "JOB_COMPLETION_INDEX", value: "own" }];
    const { pods } = clusterWith(indexed, "j", {
      containers: [{ name: "main", image: "app:1", env }],
    });
    expect(pods[0]?.spec.containers[0]?.env).toEqual(env);
  });

  it("the Job controller creates no Pods for a Job that another controller manages", () => {
    const foreign = clusterWith({ managedBy: "a.io/b" });
    expect([foreign.pods, foreign.job.status]).toEqual([[], undefined]);
    expect(clusterWith({ managedBy: "kubernetes.io/job-controller" }).pods).toHaveLength(1);
  });

  it("one sync creates or deletes at most 500 Pods", () => {
    const cluster = clusterWith({ ...indexed, completions: 600, parallelism: 600 });
    const createdCount = getCreationTimes(cluster);
    expect(createdCount.filter((at) => at === 0)).toHaveLength(500);
    expect(createdCount).toHaveLength(600);
    cluster.patch({ spec: { parallelism: 0 } });
    cluster.run(0.001);
    expect(cluster.activePods).toHaveLength(100);
    cluster.run(2);
    expect(cluster.activePods).toHaveLength(0);
  });
});

describe("Job with failing Pods", () => {
  function createFailingJob(): JobCluster {
    const cluster = clusterWith({ ...indexed, completions: 1, parallelism: 1, backoffLimit: 6 });
    cluster.exitPod(cluster.getActivePod(0), 1);
    return cluster;
  }

  it("a Job with failing Pods doubles its back-off each time", () => {
    const cluster = createFailingJob();
    cluster.run(20);
    cluster.exitPod(cluster.getActivePod(0), 1);
    cluster.run(40);
    expect(getCreationTimes(cluster)).toEqual([0, 13, 43]);
  });

  it("a rejected Pod is retried at once if the controller restarts", () => {
    const cluster = createFailingJob();
    cluster.run(2);
    cluster.restartController();
    cluster.run(2);
    expect(getCreationTimes(cluster)).toEqual([0, 5]);
  });

  it("two simultaneous failures double the back-off twice, and a success resets it", () => {
    const cluster = clusterWith(indexed);
    for (const index of [0, 1]) cluster.exitPod(cluster.getActivePod(index), 1);
    cluster.run(30);
    expect(getCreationTimes(cluster).slice(3)).toEqual([23, 23]);
    cluster.exitPod(cluster.getActivePod(0), 1);
    cluster.run(1.5);
    cluster.exitPod(cluster.getActivePod(1), 0);
    cluster.run(1.5);
    expect(getCreationTimes(cluster).slice(5)).toHaveLength(1);
  });

  it("a Job counts each Pod once, even if the controller restarts at any time", () => {
    for (const after of [0, 0.5, 1.01, 1.02, 1.05, 2]) {
      const cluster = clusterWith({ ...indexed, backoffLimit: 1 });
      cluster.exitPod(cluster.getActivePod(0), 1);
      cluster.exitPod(cluster.getActivePod(1), 0);
      cluster.run(after);
      cluster.restartController();
      cluster.run(5);
      const { status } = cluster.job;
      expect(status).toMatchObject({ failed: 1, succeeded: 1, completedIndexes: "1" });
      expect(status?.conditions).toBeUndefined();
    }
  });

  it("a failure before another Pod's success causes no back-off", () => {
    const cluster = clusterWith(indexed);
    cluster.run(0.2);
    cluster.exitPod(cluster.getActivePod(0), 1);
    cluster.run(0.9);
    cluster.exitPod(cluster.getActivePod(1), 0);
    cluster.run(1);
    expect(getCreationTimes(cluster).slice(3)).toEqual([4.2]);
  });
});

describe("Job with rejected Pods", () => {
  it("the Job controller retries rejected Pods with back-off and reports the error", () => {
    let shouldReject = true;
    const cluster = new JobCluster([rejectPodsWhile(() => shouldReject)]);
    cluster.create(indexed);
    cluster.run(20);
    const tries = cluster.turns.flatMap(({ cluster: { now }, events }) =>
      events.filter(({ reason }) => reason === "FailedCreate").map(() => now),
    );
    const start = tries[0] ?? 0;
    expect(tries.map((at) => (at - start) / 1000)).toEqual([0, 1, 3, 7, 15]);
    expect(cluster.job.status).toMatchObject({ ready: 0, startTime: expect.any(String) });
    shouldReject = false;
    cluster.run(12);
    expect(cluster.activePods).toHaveLength(3);
  });

  it("a change of the Job triggers an extra attempt without canceling the scheduled one", () => {
    const cluster = new JobCluster([rejectPodsWhile(() => true)]);
    cluster.create(indexed);
    cluster.run(2);
    cluster.patch({ spec: { parallelism: 2 } });
    cluster.run(20);
    const tries = cluster.turns.filter(({ events }) => events.length > 0);
    const start = tries[0]?.cluster.now ?? 0;
    const times = tries.map(({ cluster: { now } }) => (now - start) / 1000);
    expect(times).toEqual([0, 1, 2, 3, 11]);
  });

  it("the Job controller waits at most one minute between attempts", () => {
    const cluster = new JobCluster([rejectPodsWhile(() => true)]);
    cluster.create(indexed);
    cluster.run(600);
    const tries = cluster.turns.filter(({ events }) => events.length > 0);
    const last = tries.slice(-2).map((turn) => turn.cluster.now);
    expect((last[1] ?? 0) - (last[0] ?? 0)).toBe(60_000);
  });
});

describe("Start of a Job", () => {
  it("a status without other changes is not written, for example for a Job that continues during its deletion", () => {
    const cluster = new JobCluster();
    const template = {
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "app:1" }] },
    };
    const metadata = { name: "j", namespace: "ns", finalizers: ["a.io/hold"] };
    const spec = { template, suspend: true, activeDeadlineSeconds: 5 };
    cluster.request({ verb: "create", object: { kind: "Job", metadata, spec } });
    cluster.run(3);
    cluster.delete("Background");
    cluster.patch({ spec: { suspend: false } });
    cluster.run(20);
    expect(cluster.job.status).toMatchObject({ ready: 0, conditions: [{ type: "Suspended" }] });
    expect(cluster.job.status).not.toHaveProperty("startTime");
    expect(cluster.runUntilIdle()).toBe(true);
  });
});

describe("Finished Job", () => {
  it("a finished Job with a TTL of 0 is deleted at once with its Pods", () => {
    const cluster = clusterWith({ ttlSecondsAfterFinished: 0 });
    cluster.exitPod(cluster.pods[0], 0);
    cluster.run(3);
    expect([cluster.get("j"), cluster.pods]).toEqual([undefined, []]);
  });

  it("a finished Job ignores changes of its spec", () => {
    const cluster = clusterWith({});
    cluster.exitPod(cluster.pods[0], 0);
    cluster.run(3);
    const { status } = cluster.job;
    cluster.patch({ spec: { suspend: true, parallelism: 3 } });
    cluster.run(60);
    expect(cluster.job.status).toEqual(status);
    expect(cluster.reasons.filter((reason) => reason !== "SuccessfulCreate")).toEqual([
      "Completed",
    ]);
  });
});

describe("Pods of a deleted Job", () => {
  it("the Pods of a deleted Job lose their finalizer, so a new Job with the same name starts from zero", () => {
    const cluster = clusterWith(indexed);
    for (const pod of cluster.activePods) cluster.startPod(pod);
    cluster.delete("Background");
    cluster.create(indexed);
    cluster.run(3);
    const isOld = ({ metadata }: Pod) =>
      metadata.ownerReferences?.[0]?.uid !== cluster.job.metadata.uid;
    expect(cluster.pods.filter(isOld)).toEqual([]);
    expect(cluster.job.status).toMatchObject({ active: 3, terminating: 0 });
  });
});
