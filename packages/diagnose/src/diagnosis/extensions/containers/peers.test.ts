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

/** The status of a Pod whose container ends again and again. */
function crashing(reason: string, message: string): Wire {
  const terminated = { exitCode: 1, reason, message };
  const state = { waiting: { reason: "CrashLoopBackOff" } };
  const containerStatuses = [{ name: "main", restartCount: 5, state, lastState: { terminated } }];
  return { phase: "Running", containerStatuses };
}

/** Diagnoses a JobSet with a head and two workers, whose containers end with these messages. */
function diagnoseEnds(head: Wire, worker: Wire, spec: Wire = {}) {
  const replicatedJobs = [
    { name: "head", pods: 1 },
    { name: "w", pods: 2 },
  ];
  const jobSet = createJobSet({ replicatedJobs, spec });
  const [first, second] = listJobs(jobSet);
  const pods = [createPod(first, 0, { status: head })].concat(
    [0, 1].map((index) => createPod(second, index, { status: worker })),
  );
  return diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), first, second, ...pods]);
}

const outOfMemory = crashing("OOMKilled", "");
const refused = crashing("Error", "cannot connect to js-head-0-0.js:6379: connection refused");

describe("a container that ends because of another Pod", () => {
  it("the other Pod is the root if the termination message names its hostname", () => {
    const { roots, symptoms } = diagnoseEnds(outOfMemory, refused);
    expect(roots.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^js-head-0-0-abcde: .*OOMKilled/),
    ]);
    expect(symptoms.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^js-w-0-0-abcde: .*connection refused/),
    );
  });

  it("the other Pod is the root if the termination message has its address", () => {
    const message = "ipv4:10.1.2.3:2222: Failed to connect to remote host: Connection refused";
    const at = (podIP: string) => ({ ...outOfMemory, podIP });
    expect(diagnoseEnds(at("10.1.2.3"), crashing("Error", message)).roots).toHaveLength(1);
    expect(diagnoseEnds(at("10.1.2.33"), crashing("Error", message)).roots).toHaveLength(2);
  });

  it("diagnose counts containers together that wait for a restart and that run again", () => {
    const waits = crashing("Error", "bad input");
    const [status] = waits.containerStatuses;
    const again = { ...status, state: { running: { startedAt: "2026-02-07T09:59:59Z" } } };
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
    const [job] = listJobs(jobSet);
    const pods = [waits, { ...waits, containerStatuses: [again] }].map((one, index) =>
      createPod(job, index, { status: one }),
    );
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods]);
    expect(roots).toMatchObject([{ id: "pod-waiting", count: 2 }]);
  });

  it("the coordinator is the root if the others give no reason", () => {
    const spec = { coordinator: { replicatedJob: "head" } };
    const silent = crashing("Error", "");
    expect(diagnoseEnds(outOfMemory, silent, spec).roots).toHaveLength(1);
    expect(diagnoseEnds(outOfMemory, silent).roots).toHaveLength(2);
  });

  it("another reason, or a Pod that is ready, leaves it a root", () => {
    expect(diagnoseEnds(outOfMemory, crashing("Error", "bad input")).roots).toHaveLength(2);
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    expect(diagnoseEnds(ready, refused).roots[0]?.message).toMatch(/^js-w-0-0-abcde: /);
  });

  it("Pods that name each other are both roots", () => {
    const head = crashing("Error", "cannot connect to js-w-0-0.js:6379: connection refused");
    expect(rootIds(diagnoseEnds(head, refused))).toEqual(["pod-waiting", "pod-waiting"]);
  });
});

describe("a native sidecar that blocks the start of its Pod", () => {
  function rootPods(spec: Wire, head: Wire) {
    const replicatedJobs = [
      { name: "w", pods: 2 },
      { name: "head", pods: 1 },
    ];
    const jobSet = createJobSet({ replicatedJobs, spec });
    const [first, second] = listJobs(jobSet);
    const startedAt = "2026-02-07T08:00:00Z";
    const agent = { name: "agent", started: false, state: { running: { startedAt } } };
    const main = { name: "main", state: { waiting: { reason: "PodInitializing" } } };
    const blocked = {
      spec: { nodeName: "n1", initContainers: [{ name: "agent", restartPolicy: "Always" }] },
      status: { phase: "Pending", initContainerStatuses: [agent], containerStatuses: [main] },
    };
    const pods = [0, 1].map((index) => createPod(first, index, blocked));
    const others = [createPod(second, 0, { status: head })];
    const jobs = [first, second];
    const cluster = [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs, ...pods, ...others];
    return diagnoseCluster(cluster).roots.map(({ pod }) => pod);
  }
  const inPlace = { failurePolicy: { restartStrategy: "InPlaceRestart" } };

  it("waits for the Pod that has not started if the JobSet uses in-place restart", () => {
    expect(rootPods(inPlace, outOfMemory)).toEqual(["js-head-0-0-abcde"]);
  });

  it("waits for no other Pod otherwise", () => {
    expect(rootPods({}, outOfMemory)).toHaveLength(2);
  });
});

/** The status of a Pod whose container ended once, at a second of the minute before the diagnosis. */
function ended(second: string, exitCode: number, message = ""): Wire {
  const finishedAt = `2026-02-07T09:59:${second}Z`;
  const terminated = { exitCode, reason: "Error", message, finishedAt };
  return { phase: "Failed", containerStatuses: [{ name: "main", state: { terminated } }] };
}

describe("a Pod that failed after another one", () => {
  /** Diagnoses a failed JobSet whose condition names a Job. */
  function diagnoseFailed(first: string, head: Wire, worker: Wire) {
    const failed = [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }];
    const message = `jobset failed due to one or more job failures (first failed job: ${first})`;
    const conditions = [{ type: "Failed", status: "True", reason: "FailedJobs", message }];
    const replicatedJobs = [
      { name: "w", pods: 1 },
      { name: "head", pods: 1 },
    ];
    const jobSet = { ...createJobSet({ replicatedJobs }), status: { conditions } };
    const jobs = listJobs(jobSet, (job) => ({ ...job, status: { conditions: failed } }));
    const pods = [
      createPod(jobs[0], 0, { status: worker }),
      createPod(jobs[1], 0, { status: head }),
    ];
    const { roots } = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      ...jobs,
      ...pods,
    ]);
    return roots.flatMap(({ pod }) => pod ?? []);
  }
  const lost = "NCCL error: remote process exited";

  it("is a symptom of the Pod whose Job failed the JobSet", () => {
    expect(diagnoseFailed("js-head-0", ended("10", 137), ended("20", 1, lost))).toEqual([
      "js-head-0-0-abcde",
    ]);
  });

  it("is a symptom of a Pod that was evicted, as soon as the eviction began", () => {
    const lastTransitionTime = "2026-02-07T09:59:05Z";
    const target = { type: "DisruptionTarget", status: "True", lastTransitionTime };
    const evicted = { ...ended("30", 143), conditions: [target] };
    expect(diagnoseFailed("js-head-0", evicted, ended("20", 1, lost))).toEqual([
      "js-head-0-0-abcde",
    ]);
  });

  it("is a root if it ended earlier, or if the JobSet does not name the other Job", () => {
    const [late, early] = [ended("20", 137), ended("10", 1, lost)];
    expect(diagnoseFailed("js-head-0", late, early)).toHaveLength(2);
    expect(diagnoseFailed("js-w-0", ended("10", 137), ended("20", 1, lost))).toHaveLength(2);
  });

  it("is a symptom of a Pod of the same Job if it was only terminated", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
    const [job] = listJobs(jobSet);
    const findRoots = (exitCode: number, second = "20") => {
      const pods = [ended("10", 1, "bad input"), ended(second, exitCode)].map((status, index) =>
        createPod(job, index, { status }),
      );
      return diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods]).roots;
    };
    expect(findRoots(143).map(({ pod }) => pod)).toEqual(["js-w-0-0-abcde"]);
    expect(findRoots(143, "10").map(({ pod }) => pod)).toEqual(["js-w-0-0-abcde"]);
    expect(findRoots(143, "09")).toHaveLength(2);
    expect(findRoots(2)).toHaveLength(2);
  });
});

describe("an init container that runs for hours", () => {
  it("waits for a Pod that is not ready, or is the root if there is none", () => {
    const running = { running: { startedAt: "2026-02-07T07:00:00Z" } };
    const waits = {
      phase: "Pending",
      initContainerStatuses: [{ name: "wait", state: running }],
      containerStatuses: [{ name: "main", state: { waiting: { reason: "PodInitializing" } } }],
    };
    expect(diagnoseEnds(outOfMemory, waits).roots.map(({ pod }) => pod)).toEqual([
      "js-head-0-0-abcde",
    ]);
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    expect(rootIds(diagnoseEnds(ready, waits))).toEqual(["pod-starting"]);
  });
});
