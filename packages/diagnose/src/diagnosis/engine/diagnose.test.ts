import { describe, expect, it } from "vitest";
import { allChecks } from "../../all.ts";
import { renderDiagnosis } from "../report/render.ts";
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
  now,
  podOnNode,
  rootIds,
  running,
  runningCluster,
  SELECTOR_NOT_SET,
  snapshotWithout,
  unschedulable,
  untriedPod,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { diagnose } from "./diagnose.ts";

const SHORT_OF_TPUS = "0/10 nodes are available: 10 Insufficient google.com/tpu.";

describe("diagnose", () => {
  it("diagnose finds a full cluster behind a message about a node selector", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: unschedulable(SHORT_OF_TPUS) }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["insufficient-capacity"]);
    expect(renderDiagnosis(diagnosis).map(({ text }) => text)).toEqual([
      "ml/js: stuck",
      "not enough google.com/tpu for js-w-0-0-abcde (10 of 10 nodes), for 5 min",
      "    └── leader js-w-0-0-abcde has no node",
      "        └── 3 followers of js-w-0 are denied at admission: follower pod node selector not set",
      "    add nodes with the resource, free some of it, or request less",
      "note: the message in the Events reports only a symptom of the root cause",
    ]);
  });

  it("diagnose finds that Jobs of the same priority occupy every domain, although the scheduler reports Insufficient", () => {
    const leader = unschedulable("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
    const nodes = [aNodeIn("r1", "n1"), aNodeIn("r2", "n2")];
    const held = exclusiveCluster({ leader, nodes, others: [podOnNode("n1"), podOnNode("n2")] });
    expect(rootIds(diagnoseCluster(held))).toEqual(["insufficient-capacity", "domain-occupied"]);
    const others = [podOnNode("n1"), podOnNode("n2", "100")];
    expect(rootIds(diagnoseCluster(exclusiveCluster({ leader, nodes, others })))).toEqual([
      "insufficient-capacity",
    ]);
  });

  it("diagnose reports a JobSet that its queue suspends as waiting", () => {
    const parts = { labels: { "kueue.x-k8s.io/queue-name": "gpu" }, spec: { suspend: true } };
    const diagnosis = diagnoseCluster(runningCluster({ parts, pods: () => [] }), ["Workload"]);
    expect(diagnosis.status).toBe("Waiting");
    expect(rootIds(diagnosis)).toEqual(["queued"]);
  });

  it("diagnose finds the driver's image behind workers that wait for the driver", () => {
    const dependsOn = [{ name: "driver", status: "Ready" }];
    const replicatedJobs = [
      { name: "driver", pods: 1 },
      { name: "workers", replicas: 2, dependsOn },
    ];
    const waiting = { waiting: { reason: "ErrImagePull" } };
    const containerStatuses = [{ name: "main", state: waiting }];
    const jobSet = createJobSet({ replicatedJobs });
    const [driver] = listJobs(jobSet);
    const pod = createPod(driver, 0, { status: { phase: "Pending", containerStatuses } });
    const diagnosis = diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), driver, pod]);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["pod-waiting"]);
    expect(diagnosis.chains[0]?.links.map(({ id }) => id)).toEqual([
      "pod-waiting",
      "dependency-not-ready",
      "job-absent",
      "pods-not-created",
    ]);
  });

  it("diagnose finds a missing Service behind Pods that are not ready", () => {
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };
    const pods = (job: Wire) => [0, 1, 2, 3].map((index) => createPod(job, index, { status }));
    const diagnosis = diagnoseCluster(
      runningCluster({ pods }).filter(({ kind }) => kind !== "Service"),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["service-missing"]);
  });

  it("diagnose finds the Pod that ran out of memory behind a JobSet without remaining restarts", () => {
    const failed = { type: "Failed", status: "True", reason: "ReachedMaxRestarts" };
    const parts = { status: { restarts: 0, conditions: [failed] } };
    const conditions = [{ ...failed, reason: "BackoffLimitExceeded" }];
    const job = (one: object) => ({ ...one, status: { conditions } });
    const terminated = { exitCode: 137, reason: "OOMKilled" };
    const containerStatuses = [{ name: "main", state: { terminated } }];
    const pods = (of: Wire) => [
      createPod(of, 0, { status: { phase: "Failed", containerStatuses } }),
    ];
    const diagnosis = diagnoseCluster(runningCluster({ parts, job, pods }));
    expect(diagnosis.status).toBe("Failed");
    expect(diagnosis.roots).toMatchObject([
      {
        id: "pod-failed",
        message:
          "js-w-0-0-abcde failed: container main: OOMKilled (exit code 137, SIGKILL), out of memory",
      },
    ]);
    expect(diagnosis.symptoms.map(({ id }) => id)).toContain("restarts-exhausted");
  });

  it("diagnose lists the checks that need Events if Events were not read", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: untriedPod }), ["Event"]);
    expect(diagnosis.notChecked).toContain("scheduler-not-tried:events");
    expect(diagnosis.roots).toMatchObject([{ id: "leader-unscheduled" }]);
    expect(diagnosis.roots[0]?.mayBeCausedBy).toContain("scheduler-not-tried");
  });

  it("a ReplicatedJob that depends on itself waits forever", () => {
    const dependsOn = [{ name: "b", status: "Complete" }];
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a" }, { name: "b", dependsOn }] });
    const [first] = listJobs(jobSet);
    const pods = [0, 1, 2, 3].map((index) => createPod(first, index));
    const diagnosis = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      first,
      ...pods,
    ]);
    expect(diagnosis.status).toBe("Waiting");
    expect(diagnosis.roots).toMatchObject([{ id: "dependency-not-ready", causedBy: [] }]);
  });

  it("diagnose finds a webhook that cannot be called", () => {
    const message =
      'Error creating: Internal error occurred: failed calling webhook "vpod.kb.io": failed to call webhook: connection refused';
    const others = (job: Wire) => [anEvent(job, "FailedCreate", message)];
    const diagnosis = diagnoseCluster(runningCluster({ pods: () => [], others }));
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([
      {
        id: "webhook-unavailable",
        message: "webhook vpod.kb.io cannot be called: connection refused",
      },
    ]);
  });

  it("diagnose does not blame a PVC that waits for its first consumer if GPUs are missing", () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data-js" } }];
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data-js", namespace: "ml" },
      status: { phase: "Pending" },
    };
    const { status } = unschedulable("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");
    const pods = (job: Wire) =>
      [0, 1, 2, 3].map((index) => createPod(job, index, { spec: { volumes }, status }));
    const diagnosis = diagnoseCluster(runningCluster({ pods, others: () => [claim] }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["insufficient-capacity"]);
    expect(diagnosis.roots[0]?.message).toMatch(/ … and 3 more, such as js-w-0-1-abcde$/);
  });

  it("diagnose finds a PVC with an unknown storage class", () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data-js" } }];
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data-js", namespace: "ml", uid: "uid-claim" },
      status: { phase: "Pending" },
    };
    const message = "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    const { status } = unschedulable(message);
    const why = 'storageclass.storage.k8s.io "fast" not found';
    const diagnosis = diagnoseCluster(
      runningCluster({
        pods: (job) => [0, 1, 2, 3].map((at) => createPod(job, at, { spec: { volumes }, status })),
        others: () => [claim, anEvent(claim, "ProvisioningFailed", why)],
      }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["volume-claim-pending"]);
    expect(diagnosis.roots[0]?.message).toContain(
      `PersistentVolumeClaim data-js of js-w-0-0-abcde is Pending: ${why}`,
    );
  });

  it("diagnose finds a JobSet that no controller has reconciled after 30 seconds", () => {
    const old = createJobSet({ status: {}, createdAt: "2026-02-07T09:59:20Z" });
    expect(diagnoseCluster([old])).toMatchObject({
      status: "Stuck",
      roots: [{ id: "not-reconciled" }],
    });
    const young = createJobSet({ status: {}, createdAt: "2026-02-07T09:59:40Z" });
    expect(diagnoseCluster([young]).status).toBe("Progressing");
  });

  it("diagnose notes the pending retry of the Job controller after a late denial", () => {
    const cluster = exclusiveCluster({ leader: {}, words: undefined });
    const job = cluster.find(({ kind }) => kind === "Job");
    const event = anEvent(job, "FailedCreate", denial(SELECTOR_NOT_SET), "2026-02-07T09:59:30Z");
    expect(diagnoseCluster([...cluster, event]).notes).toEqual([
      "the Job controller retries the creation with a back-off of up to 60 s",
    ]);
  });

  describe("Jobs with an outdated node selector", () => {
    const asking = (nodeSelector: Wire | undefined) => (job: Wire) => {
      const { template, ...spec } = job.spec;
      return { ...job, spec: { ...spec, template: { ...template, spec: { nodeSelector } } } };
    };
    const podRequiring = (nodeSelector: Wire, more: Wire = {}) => ({
      replicatedJobs: [
        { name: "w", ...more, spec: { template: { spec: { containers: [], nodeSelector } } } },
      ],
    });
    const moved = podRequiring({ a: "1", pool: "on-demand" });
    const notesOf = (cluster: Wire[]) => diagnoseCluster(cluster).notes;
    const advice = "; suspend and resume the JobSet, through its Workload if Kueue manages it";

    it("diagnose notes an outdated node selector even if it finds nothing else", () => {
      const cluster = runningCluster({ parts: moved, job: asking({ a: "1", pool: "spot" }) });
      expect(diagnoseCluster(cluster)).toMatchObject({ status: "Progressing", roots: [] });
      expect(notesOf(cluster)).toEqual([
        `job js-w-0 runs with an older node selector (pool=spot, but the JobSet has pool=on-demand)${advice}`,
      ]);
    });

    it("diagnose names the first outdated Job and counts the others", () => {
      const parts = podRequiring({ constructor: "x" }, { replicas: 3 });
      expect(notesOf(runningCluster({ parts, job: asking(undefined) }))).toEqual([
        `job js-w-0 and 2 more run with an older node selector (no constructor, but the JobSet has constructor=x)${advice}`,
      ]);
    });

    it("diagnose ignores labels that exist only on the Job", () => {
      const job = asking({ a: "1", pool: "on-demand", zone: "b" });
      expect(notesOf(runningCluster({ parts: moved, job }))).toEqual([]);
    });

    it("diagnose ignores suspended and finished Jobs, and all Jobs of a suspended JobSet", () => {
      const old = asking({ pool: "spot" });
      const suspended = (job: Wire) => {
        const one = old(job);
        return { ...one, spec: { ...one.spec, suspend: true } };
      };
      const complete = { conditions: [{ type: "Complete", status: "True" }] };
      const done = (job: Wire) => ({ ...old(job), status: complete });
      for (const job of [suspended, done]) {
        expect(notesOf(runningCluster({ parts: moved, job }))).toEqual([]);
      }
      const [jobSet = {}, ...others] = runningCluster({ parts: moved, job: old });
      const asleep = { ...jobSet, spec: { ...jobSet.spec, suspend: true } };
      expect(notesOf([asleep, ...others])).toEqual([]);
    });
  });

  it("diagnose finds nothing in a completed JobSet", () => {
    const parts = { status: { conditions: [{ type: "Completed", status: "True" }] } };
    const diagnosis = diagnoseCluster(runningCluster({ parts, pods: () => [] }));
    expect(diagnosis).toMatchObject({ status: "Finished", roots: [], symptoms: [] });
  });

  it("diagnose is certain of nothing if a Pod's status is contradictory", () => {
    const pods = (job: Wire) => [createPod(job, 0, { status: { ...running, phase: "Failed" } })];
    const diagnosis = diagnoseCluster(runningCluster({ pods }));
    expect(diagnosis.contradictions).toEqual([
      "js-w-0: Pods do not add up: 1 ready, but 0 active and 0 terminating",
    ]);
    expect(diagnosis.roots.map(({ confidence }) => confidence)).not.toContain("Certain");
  });

  it("diagnose reports persistent roots before transient ones", () => {
    const waiting = { state: { waiting: { reason: "ImagePullBackOff" } } };
    const containerStatuses = [{ name: "main", ...waiting }];
    const pods = (job: Wire) => [
      createPod(job, 0, { ...untriedPod, metadata: aMinuteOld }),
      createPod(job, 1, { status: { phase: "Pending", containerStatuses } }),
    ];
    expect(rootIds(diagnoseCluster(runningCluster({ pods })))).toEqual([
      "pod-waiting",
      "scheduler-not-tried",
    ]);
  });

  it("diagnose reports the cause of a JobSet's failure before leftovers", () => {
    const failed = { type: "Failed", status: "True", reason: "FailedJobs" };
    const jobSet = createJobSet({
      status: { restarts: 0, conditions: [failed] },
      replicatedJobs: [{ name: "a" }, { name: "b" }],
    });
    const [one, other] = listJobs(jobSet);
    const ended = {
      ...one,
      status: { conditions: [{ ...failed, reason: "BackoffLimitExceeded" }] },
    };
    const leaving = createPod(other, 0);
    const metadata = { ...leaving.metadata, deletionTimestamp: "2026-02-07T09:59:00Z" };
    const diagnosis = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      ended,
      createPod(one, 0, { status: { phase: "Failed" } }),
      { ...leaving, metadata },
    ]);
    expect(rootIds(diagnosis).slice(0, 2)).toEqual(["pod-failed", "pod-terminating"]);
  });

  it("diagnose reports nothing as missing if Pods were not read", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: {}, followers: [1, 2, 3] }), [
      "Pod",
    ]);
    expect(diagnosis.roots).toEqual([]);
    expect(diagnosis.notChecked).toContain("leader-absent:pods");
    expect(diagnosis.notChecked).toContain("pod-failed:pods");
  });

  it("diagnose is not certain of a root that an unread object may have caused", () => {
    const cluster = exclusiveCluster({ leader: untriedPod });
    expect(diagnoseCluster(cluster, ["Event"]).roots).toMatchObject([
      { id: "leader-unscheduled", confidence: "SkewPossible" },
    ]);
    const failed = { type: "Failed", status: "True", reason: "FailedJobs" };
    const ended = runningCluster({ parts: { status: { conditions: [failed] } } });
    expect(diagnoseCluster(ended).roots).toMatchObject([
      { id: "jobset-failed", confidence: "Certain" },
    ]);
    expect(diagnoseCluster(ended, ["Job"]).roots).toMatchObject([
      { id: "jobset-failed", confidence: "SkewPossible", mayBeCausedBy: ["job-failed"] },
    ]);
  });

  it("diagnose reports unread kinds only if an Event mentions them", () => {
    const cluster = runningCluster({});
    const { notChecked } = diagnoseCluster(cluster, ["Service"]);
    expect(notChecked).toEqual(["service-foreign:services", "service-missing:services"]);
    const jobSet = cluster[0];
    const events = [
      anEvent(jobSet, "HeadlessServiceCreationFailed", "services is forbidden"),
      anEvent(jobSet, "PVCCreationFailed", "persistentvolumeclaims is forbidden"),
    ];
    const unchecked = diagnoseCluster([...cluster, ...events], ["Service", "Job"]).notChecked;
    expect(unchecked).toEqual(
      expect.arrayContaining(["service-rejected:services", "volume-claim-rejected:jobs"]),
    );
    expect(unchecked).not.toContain("webhook-unavailable:events");
  });

  it("diagnose reports the JobSet as an object of a missing Service", () => {
    const [root] = diagnoseCluster(
      runningCluster({}).filter(({ kind }) => kind !== "Service"),
    ).roots;
    expect(root?.objects.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      "Service/js",
      "JobSet/js",
    ]);
  });
});

describe("thresholds", () => {
  const leader = { ...untriedPod, metadata: aMinuteOld };

  it("diagnose uses the thresholds of the caller", () => {
    const snapshot = snapshotWithout([], exclusiveCluster({ leader }));
    const status = (schedulingSeconds: number) =>
      diagnose(snapshot, snapshot.jobSet("ml", "js") ?? {}, {
        now: Date.parse(now),
        checks: allChecks,
        thresholds: { schedulingSeconds },
      }).status;
    expect([status(61), status(60)]).toEqual(["Progressing", "Stuck"]);
  });
});

describe("roots with one cause", () => {
  const cluster = (message: (index: number) => string) => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a" }, { name: "b", replicas: 2 }] });
    const jobs = listJobs(jobSet);
    const pods = jobs.flatMap((job, at) =>
      [0, 1, 2, 3].map((index) => {
        const pod = createPod(job, index, { status: { phase: "Pending" } });
        return [pod, anEvent(pod, "FailedMount", message(4 * at + index))];
      }),
    );
    return [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs, ...pods.flat()];
  };

  it("diagnose reports one root for Pods of all Jobs, with a count and two examples", () => {
    const { roots } = diagnoseCluster(cluster(() => 'secret "token" not found'));
    expect(roots).toMatchObject([{ id: "pod-start-failing", count: 12 }]);
    expect(roots[0]?.message).toBe(
      'js-a-0-0-abcde cannot start: secret "token" not found … and 11 more, such as js-a-0-1-abcde',
    );
  });

  it("diagnose ignores UIDs, addresses and sandbox IDs when it compares roots", () => {
    const uid = (at: number) => `0000000${at % 10}-aaaa-4bbb-8ccc-0123456789ab`;
    for (const message of [
      (at: number) => `cannot mount volume of pod ${uid(at)}: timeout`,
      (at: number) => `dial tcp 10.0.0.${at}:2049: i/o timeout`,
      (at: number) => `network of sandbox 9f86d081884c7d659a2feaa0c55ad0${at + 10} failed`,
      (at: number) => `volume js-a-0-${at} is not attached`,
    ]) {
      expect(diagnoseCluster(cluster(message)).roots).toMatchObject([{ count: 12 }]);
    }
  });

  it("diagnose reports two roots for two causes of the same kind", () => {
    const { roots } = diagnoseCluster(cluster((at) => `secret "s${at % 2}" not found`));
    expect(roots).toMatchObject([{ count: 6 }, { count: 6 }]);
  });
});
