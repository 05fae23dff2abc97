import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  runningCluster,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

describe("the Jobs of a JobSet", () => {
  describe("a Job that cannot be changed", () => {
    const refusal = (what: string, name = "js-w-0") =>
      `job "${name}" ${what} failed with error: jobs.batch "${name}" is forbidden: no`;
    const suspended = { spec: { suspend: true } };
    const runsOn = (one: Wire) => ({ ...one, spec: { ...one.spec, suspend: false } });
    const createEvents = (reason: string, message: string) => (_: Wire, jobSet: Wire) => [
      anEvent(jobSet, reason, message),
    ];

    it("diagnose finds why a Job of a suspended JobSet still runs, in addition to other findings", () => {
      const message = refusal("suspension");
      const others = createEvents("JobUpdateFailed", message);
      const diagnosis = diagnoseCluster(runningCluster({ parts: suspended, job: runsOn, others }));
      expect(diagnosis.status).toBe("Stuck");
      expect(rootIds(diagnosis)).toEqual(["job-change-rejected", "suspended"]);
      const [root] = diagnosis.roots;
      expect(root?.message).toBe(`1 job cannot be changed: ${message}`);
      expect(root?.objects).toMatchObject([
        { kind: "Job", name: "js-w-0" },
        { kind: "JobSet", name: "js" },
      ]);
    });

    it("diagnose finds why a Job stays suspended, also from Events of JobSet's own controller", () => {
      const message =
        'Failed to propagate mutated resources to child Job: admission webhook "jobs.example.com" denied the request: no. Ensure MutablePodResourcesForSuspendedJobs is enabled on the API server.';
      const job = (one: Wire) => ({ ...one, spec: { ...one.spec, suspend: true } });
      const others = createEvents("FailedResourcePropagation", message);
      const diagnosis = diagnoseCluster(runningCluster({ job, pods: () => [], others }));
      expect(rootIds(diagnosis)).toEqual(["job-change-rejected"]);
      expect(diagnosis.symptoms.map(({ id }) => id)).toContain("job-suspended");
    });

    it("diagnose finds why a Job is not deleted and so not recreated", () => {
      const parts = { status: { restarts: 1, conditions: [{ type: "X", status: "True" }] } };
      const old = (one: Wire) => {
        const labels = { ...one.metadata.labels, "jobset.sigs.k8s.io/restart-attempt": "0" };
        return { ...one, metadata: { ...one.metadata, labels } };
      };
      const others = createEvents("JobDeletionFailed", refusal("deletion"));
      const diagnosis = diagnoseCluster(
        runningCluster({ parts, job: old, pods: () => [], others }),
      );
      expect(diagnosis.status).toBe("Stuck");
      expect(rootIds(diagnosis)).toEqual(["job-change-rejected"]);
      expect(diagnosis.symptoms.map(({ id }) => id)).toContain("restart-cleanup");
    });

    it.each([
      ["has changed since", {}, refusal("suspension")],
      ["is another one", suspended, refusal("suspension", "js-w-1")],
    ])("diagnose ignores an Event about a Job that %s", (_, parts, message) => {
      const others = createEvents("JobUpdateFailed", message);
      const [, second] = listJobs(createJobSet({ replicatedJobs: [{ name: "w", replicas: 2 }] }));
      const stopped = { ...second, spec: { ...second.spec, suspend: true } };
      const diagnosis = diagnoseCluster([
        ...runningCluster({ parts, job: runsOn, others }),
        stopped,
      ]);
      const found = [...diagnosis.roots, ...diagnosis.symptoms].map(({ id }) => id);
      expect(found).not.toContain("job-change-rejected");
    });

    it("diagnose reports the check as not run if Jobs or Events were not read", () => {
      const others = createEvents("JobUpdateFailed", refusal("suspension"));
      const cluster = runningCluster({ parts: suspended, job: runsOn, others });
      const notChecked = (kind: string) => diagnoseCluster(cluster, [kind]).notChecked;
      expect(notChecked("Job")).toContain("job-change-rejected:jobs");
      expect(notChecked("Event")).toContain("job-change-rejected:events");
    });
  });

  it("diagnose finds a foreign Job with the name of a child Job", () => {
    const jobSet = createJobSet();
    const owner = { apiVersion: "v1", kind: "Team", name: "t", uid: "uid-t", controller: true };
    const [job] = listJobs(jobSet);
    const foreign = { ...job, metadata: { ...job.metadata, ownerReferences: [owner] } };
    const message = 'job "js-w-0" creation failed with error: jobs.batch "js-w-0" already exists';
    const event = anEvent(jobSet, "JobCreationFailed", message);
    const diagnosis = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      foreign,
      event,
    ]);
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([
      { id: "job-foreign", message: "job js-w-0 belongs to Team t" },
    ]);
    expect(diagnosis.symptoms.map(({ id }) => id)).toContain("job-rejected");
  });

  it("diagnose reports one rejection for Jobs that the Event of their ReplicatedJob does not name", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a", replicas: 3 }] });
    const why = 'job "js-a-0" creation failed with error: jobs.batch is forbidden: quota';
    const event = anEvent(jobSet, "JobCreationFailed", why);
    const found = diagnoseCluster([jobSet, createService(jobSet), event]);
    expect(rootIds(found)).toEqual(["job-rejected"]);
  });

  it("diagnose applies an Event of a failed creation that names no Job to all absent Jobs", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a", replicas: 2 }] });
    const diagnoseWith = (message: string) => {
      const event = anEvent(jobSet, "JobCreationFailed", message);
      return diagnoseCluster([jobSet, createService(jobSet), event]).roots;
    };
    const [rejected, ...others] = diagnoseWith("jobs.batch is forbidden: exceeded quota: q");
    expect(others).toEqual([]);
    expect(rejected).toMatchObject({ id: "job-rejected", count: 2 });
    expect(rejected?.message).toContain("could not be created: jobs.batch is forbidden");
    const webhook = 'failed calling webhook "mjob.kb.io": failed to call webhook: Post "x": EOF';
    expect(diagnoseWith(webhook).map(({ id }) => id)).toEqual(["webhook-unavailable"]);
  });

  it("diagnose does not trust a status from before Jobs were rejected", () => {
    const replicatedJobs = [{ name: "a" }, { name: "b" }, { name: "c" }];
    const spec = { startupPolicy: { startupPolicyOrder: "InOrder" } };
    const jobSet = createJobSet({ replicatedJobs, spec });
    const [first] = listJobs(jobSet);
    const pods = [0, 1, 2, 3].map((index) => createPod(first, index));
    const event = (why: string) =>
      anEvent(jobSet, "JobCreationFailed", `job "js-b-0" creation failed with error: ${why}`);
    const rejected = [jobSet, createService(jobSet), aNodeIn("r1"), first, ...pods];
    expect(rootIds(diagnoseCluster([...rejected, event("jobs.batch is forbidden: q")]))).toEqual([
      "job-rejected",
    ]);
    const [, second] = listJobs(jobSet);
    const foreign = { ...second, metadata: { ...second.metadata, ownerReferences: [] } };
    const taken = [...rejected, foreign, event('jobs.batch "js-b-0" already exists')];
    expect(rootIds(diagnoseCluster(taken))).toEqual(["job-foreign"]);
  });

  it("a JobSet is progressing shortly after its Jobs were recreated or resumed", () => {
    const changed = (type: string, status: string, lastTransitionTime: string) => {
      const parts = { status: { conditions: [{ type, status, lastTransitionTime }] } };
      return (job: (one: Wire) => Wire = (one) => one) =>
        diagnoseCluster(runningCluster({ parts, job, pods: () => [] })).status;
    };
    const removed = (one: Wire) => ({ ...one, metadata: { ...one.metadata, namespace: "gone" } });
    const suspended = (one: Wire) => ({ ...one, spec: { ...one.spec, suspend: true } });
    const [late, old] = ["2026-02-07T09:59:55Z", "2026-02-07T09:58:00Z"];
    expect(changed("RestartingJobSet", "True", late)(removed)).toBe("Progressing");
    expect(changed("RestartingJobSet", "True", old)(removed)).toBe("Stuck");
    expect(changed("RestartingJobSet", "True", late)(suspended)).toBe("Stuck");
    expect(changed("Suspended", "False", late)(removed)).toBe("Progressing");
    expect(changed("Suspended", "False", late)(suspended)).toBe("Progressing");
    expect(changed("Suspended", "False", old)(suspended)).toBe("Stuck");
  });

  it("a JobSet is progressing shortly after the ReplicatedJob that others wait for is complete or ready", () => {
    const [late, old] = ["2026-02-07T09:59:55Z", "2026-02-07T09:58:00Z"];
    const diagnoseAfter = (readyAt: string, parts: Wire, counts: Wire, jobStatus?: Wire) => {
      const isPodGone = jobStatus?.completionTime !== undefined;
      const replicatedJobs = [
        { name: "first", pods: 1 },
        { name: "w", dependsOn: parts.dependsOn },
      ];
      const status = { replicatedJobsStatus: [{ name: "first", ...counts }] };
      const jobSet = createJobSet({ replicatedJobs, status });
      Object.assign(jobSet.spec, parts.spec);
      const [job] = listJobs(jobSet);
      const conditions = [
        { type: "Ready", status: counts.ready ? "True" : "False", lastTransitionTime: readyAt },
      ];
      const phase = counts.ready ? "Running" : "Succeeded";
      const pod = { ...createPod(job, 0), status: { phase, conditions } };
      const first = { ...job, status: jobStatus };
      const pods = isPodGone ? [] : [pod];
      return diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), first, ...pods]);
    };
    const complete = (time: string, completionTime?: string) => {
      const dependsOn = [{ name: "first", status: "Complete" }];
      const conditions = [{ type: "Complete", status: "True", lastTransitionTime: time }];
      const ended = { succeeded: 1, completedIndexes: "0", conditions, completionTime };
      return diagnoseAfter(time, { dependsOn }, { succeeded: 1 }, ended);
    };
    const spec = { startupPolicy: { startupPolicyOrder: "InOrder" } };
    const ready = (time: string) => diagnoseAfter(time, { spec }, { ready: 1 });
    const completeWithoutPods = (time: string) => complete(time, time);
    for (const after of [(time: string) => complete(time), completeWithoutPods, ready]) {
      expect(after(late)).toMatchObject({ status: "Progressing", roots: [{ id: "job-absent" }] });
      expect(after(old)).toMatchObject({ status: "Stuck", roots: [{ id: "job-absent" }] });
    }
  });
});

describe("a JobSet with more Jobs than can be listed", () => {
  const billions = (parts: Parameters<typeof createJobSet>[0] = {}) => {
    const counts = [2_147_483_647, 2_147_483_647, 1];
    const replicatedJobs = counts.map((replicas, at) => ({ name: `w${at}`, replicas }));
    return createJobSet({ replicatedJobs, ...parts });
  };

  it("diagnose reports in one finding how many Jobs a JobSet requests if nothing can create them", () => {
    const jobSet = billions();
    const diagnosis = diagnoseCluster([jobSet, createService(jobSet)]);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["too-many-jobs"]);
    const [root] = diagnosis.roots;
    expect(root?.message).toBe(
      "JobSet requests 4294967295 Jobs, and no controller can create more than 200000",
    );
    expect(root?.evidence.map(({ at }) => at)).toEqual(["spec.replicatedJobs[0].replicas"]);
    expect(root?.texts?.advice).toEqual([
      "lower `replicas`: a JobSet may request at most 200000 Jobs",
    ]);
    expect(diagnosis.symptoms.length).toBeLessThan(20);
    expect(diagnosis.numbers.missing).toBe(4 * 4_294_967_295);
  });

  it("diagnose reports a JobSet with too many Jobs as stuck even if it is suspended", () => {
    const diagnosis = diagnoseCluster([billions({ spec: { suspend: true } })]);
    expect([diagnosis.status, rootIds(diagnosis)[0]]).toEqual(["Stuck", "too-many-jobs"]);
  });

  it("diagnose reports no missing Jobs if no controller has to create them", () => {
    const conditions = [{ type: "Failed", status: "True", reason: "FailedJobs", message: "m" }];
    const deleted = billions();
    deleted.metadata.deletionTimestamp = "2026-02-07T09:59:00Z";
    for (const jobSet of [
      deleted,
      billions({ spec: { managedBy: "example.com/own" } }),
      billions({ status: { conditions } }),
      createJobSet({ replicatedJobs: [{ name: "w", replicas: 200_000 }] }),
    ]) {
      expect(rootIds(diagnoseCluster([jobSet]))).not.toContain("too-many-jobs");
    }
  });

  it("diagnose lists a thousand absent Jobs, and counts the others", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", replicas: 5_000 }] });
    const last = listJobs(jobSet).at(-1);
    const status = { restarts: 0, conditions: [], replicatedJobsStatus: [] };
    const diagnosis = diagnoseCluster([{ ...jobSet, status }, createService(jobSet), last]);
    const absent = [...diagnosis.roots, ...diagnosis.symptoms].filter(
      ({ id }) => id === "job-absent",
    );
    expect(absent.map(({ message }) => message)).toEqual([
      "3999 other jobs of w do not exist",
      "job js-w-0 does not exist … and 999 more (1000 in total), such as js-w-1",
    ]);
    expect(absent.map(({ count }) => count)).toEqual([undefined, 1_000]);
    expect(diagnosis.numbers.wanted).toBe(4 * 5_000);
    expect(diagnosis.numbers.missing).toBe(4 * 5_000);
  });

  it("diagnose finds an object under the name of an absent Job beyond those that it lists", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", replicas: 100_000 }] });
    const foreign = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { namespace: "ml", name: "js-w-90000" },
    };
    const message = 'job "js-w-80000" creation failed with error: quota';
    const event = anEvent(jobSet, "JobCreationFailed", message);
    const diagnosis = diagnoseCluster([jobSet, createService(jobSet), foreign, event]);
    const found = [...diagnosis.roots, ...diagnosis.symptoms].map(({ id, job }) => `${id} ${job}`);
    expect(found).toContain("job-foreign js-w-90000");
    expect(found).toContain("job-rejected js-w-80000");
  });
});
