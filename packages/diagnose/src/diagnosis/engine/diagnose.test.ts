import { describe, expect, it } from "vitest";
import { allChecks } from "../../all.ts";
import { renderDiagnosis } from "../report/render.ts";
import {
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
  SELECTOR_NOT_SET,
  snapshotWithout,
  unschedulable,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { diagnose } from "./diagnose.ts";

const SHORT_OF_TPUS = "0/10 nodes are available: 10 Insufficient google.com/tpu.";

/** The metadata of a Pod that is a minute old. */
const young = { creationTimestamp: "2026-02-07T09:59:00Z" };

const untried = { spec: { containers: [] }, status: { phase: "Pending" } };

/** Returns a changed JobSet whose Pods all run. */
function runningCluster({
  parts = {},
  job: change,
  pods = (job: Wire) => [0, 1, 2, 3].map((index) => createPod(job, index)),
  others = () => [],
}: {
  readonly parts?: Parameters<typeof createJobSet>[0];
  readonly job?: (job: Wire) => Wire;
  readonly pods?: (job: Wire) => Wire[];
  readonly others?: (job: Wire, jobSet: Wire) => Wire[];
}) {
  const jobSet = createJobSet(parts);
  const jobs = listJobs(jobSet, change);
  const [first] = jobs;
  return [
    jobSet,
    createService(jobSet),
    aNodeIn("r1"),
    ...jobs,
    ...pods(first),
    ...others(first, jobSet),
  ];
}

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
      exclusiveCluster({ leader: { ...untried, metadata: young } }),
    );
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["scheduler-not-tried"]);
  });

  it("diagnose reports a JobSet as stuck if the scheduler has not tried the leader for minutes", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: untried }));
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([
      { id: "scheduler-not-tried", since: Date.parse("2026-02-07T09:55:00Z") },
    ]);
  });

  it("diagnose finds a leader's node without the topology label", () => {
    const words = "node does not have topology label: rack";
    const diagnosis = diagnoseCluster(
      exclusiveCluster({ leader: {}, words, nodes: [aNodeIn(undefined)] }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["topology-label-missing"]);
    expect(diagnosis.roots[0]?.objects).toMatchObject([{ kind: "Node", name: "n1" }]);
  });

  it("diagnose finds that the leader's node does not exist, unless the lists are from different times", () => {
    const diagnosis = diagnoseCluster(
      exclusiveCluster({ leader: {}, nodes: [aNodeIn("r1", "n2")] }),
    );
    expect(diagnosis.status).toBe("Stuck");
    expect(diagnosis.roots).toMatchObject([{ id: "node-unknown", confidence: "SkewPossible" }]);
  });

  it("diagnose finds that no node has the topology label", () => {
    const message = "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.";
    const leader = unschedulable(message);
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader, nodes: [aNodeIn(undefined)] }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["no-domain-label"]);
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

  it("diagnose finds the quota that rejects the leader behind denied followers", () => {
    const cluster = exclusiveCluster({});
    const job = cluster.find(({ kind }) => kind === "Job");
    const quota = 'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q';
    const diagnosis = diagnoseCluster([
      ...cluster,
      anEvent(job, "FailedCreate", quota, "2026-02-07T09:58:00Z"),
    ]);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["leader-rejected"]);
  });

  it("a leader that has succeeded is the root, because no follower can be admitted anymore", () => {
    const words =
      "expected 1 leader pod (js-w-0-0), but got 0. this is an expected, transient error";
    const cluster = exclusiveCluster({
      leader: { status: { phase: "Succeeded" } },
      words,
      followers: [1, 2],
    });
    const diagnosis = diagnoseCluster(cluster);
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["leader-finished"]);
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
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: untried }), ["Event"]);
    expect(diagnosis.notChecked).toContain("scheduler-not-tried:events");
    expect(diagnosis.roots).toMatchObject([{ id: "leader-unscheduled" }]);
    expect(diagnosis.roots[0]?.mayBeCausedBy).toContain("scheduler-not-tried");
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

  it("a JobSet is progressing if two Pods do not exist yet and their creation did not fail", () => {
    const pods = (job: Wire) => [0, 1].map((index) => createPod(job, index));
    const diagnosis = diagnoseCluster(runningCluster({ pods }));
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["pods-not-created"]);
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

  it("diagnose ignores a denial from before the leader had a node", () => {
    const diagnosis = diagnoseCluster(exclusiveCluster({ leader: {} }));
    expect(diagnosis.status).toBe("Progressing");
    expect(rootIds(diagnosis)).toEqual(["pods-not-created"]);
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
      createPod(job, 0, { ...untried, metadata: young }),
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
    const cluster = exclusiveCluster({ leader: untried });
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

  it("diagnose does not report two leaders if one may belong to an earlier Job", () => {
    const cluster = exclusiveCluster({ leader: {}, followers: [1, 2, 3] });
    const [job] = cluster.filter(({ kind }) => kind === "Job");
    const repeated = createPod(job, 0);
    const second = { ...repeated, metadata: { ...repeated.metadata, name: "js-w-0-0-fffff" } };
    expect(rootIds(diagnoseCluster([...cluster, second]))).toEqual(["leader-duplicated"]);
    const unread = diagnoseCluster([...cluster, second], ["Job"]);
    expect(rootIds(unread)).not.toContain("leader-duplicated");
    expect(unread.notChecked).toContain("leader-duplicated:jobs");
  });

  it("diagnose reports a failed leader that an older webhook counts", () => {
    const words =
      "expected 1 leader pod (js-w-0-0), but got 2. this is an expected, transient error";
    const cluster = exclusiveCluster({ leader: {}, words });
    const [job] = cluster.filter(({ kind }) => kind === "Job");
    const replaced = createPod(job, 0, { status: { phase: "Failed" } });
    const failed = { ...replaced, metadata: { ...replaced.metadata, name: "js-w-0-0-fffff" } };
    const { roots } = diagnoseCluster([...cluster, failed]);
    expect(roots).toMatchObject([{ id: "leader-duplicated" }]);
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl delete pod -n ml js-w-0-0-fffff");
    expect(rootIds(diagnoseCluster(cluster))).not.toContain("leader-duplicated");
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

  it("diagnose reports the JobSet as an object of a missing Service", () => {
    const [root] = diagnoseCluster(
      runningCluster({}).filter(({ kind }) => kind !== "Service"),
    ).roots;
    expect(root?.objects.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      "Service/js",
      "JobSet/js",
    ]);
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

  it("diagnose finds why the leader was rejected although followers were denied at the same time", () => {
    const cluster = exclusiveCluster({});
    const job = cluster.find(({ kind }) => kind === "Job");
    const quota = 'Error creating: pods "js-w-0-0-xyz12" is forbidden: exceeded quota: q';
    const [refusal] = [anEvent(job, "FailedCreate", quota)];
    const first = { ...refusal, metadata: { ...refusal.metadata, name: "a-first-by-name" } };
    expect(rootIds(diagnoseCluster([...cluster, first]))).toEqual(["leader-rejected"]);
  });
});

describe("thresholds", () => {
  const leader = { ...untried, metadata: young };

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
