import { describe, expect, it } from "vitest";
import {
  anEvent,
  createJobSet,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { anObject, aWorkload, condition, queuedCluster } from "./testing/a-queued-cluster.ts";

const quota = "insufficient unused quota for example.com/gpu in flavor h100, 2 more needed";

function pending(message: string, reason = "Pending"): Wire {
  return condition("QuotaReserved", "False", reason, message);
}

const reserved = condition("QuotaReserved", "True", "QuotaReserved", "Quota reserved");

function firstRoot(...objects: Wire[]): Wire {
  const { status, roots, symptoms } = diagnoseCluster([...queuedCluster(), ...objects]);
  expect(roots).toHaveLength(1);
  expect(symptoms[0]).toMatchObject({ id: "queued", causedBy: [roots[0]?.id] });
  return { ...roots[0], jobSetStatus: status, advice: roots[0]?.texts?.advice?.join("\n") };
}

const localQueue = anObject("LocalQueue", "team", {
  spec: { clusterQueue: "cq", stopPolicy: "None" },
});

function aClusterQueue(spec: Wire, active?: Wire): Wire {
  const conditions = [active ?? condition("Active", "True", "Ready", "Can admit new workloads")];
  return anObject("ClusterQueue", "cq", { namespace: undefined, spec, status: { conditions } });
}

describe("kueueChecks of quota", () => {
  it("diagnose reports Kueue's message as the cause of a queued JobSet, in any served version", () => {
    for (const version of ["v1beta1", "v1beta2", "v1"]) {
      const root = firstRoot(aWorkload({ conditions: [pending(quota)] }, { version }));
      expect(root).toMatchObject({ id: "quota-not-reserved", jobSetStatus: "Waiting" });
      expect(root.since).toBe(Date.parse("2026-02-07T09:00:00Z"));
      expect(root.message).toContain(quota);
    }
  });

  it("diagnose reports the reserved quota of the flavor that Kueue names", () => {
    const resources = [{ name: "example.com/gpu", nominalQuota: 8 }];
    const clusterQueue = aClusterQueue({
      resourceGroups: [
        {
          flavors: [
            { name: "h100", resources },
            { name: "a100", resources },
          ],
        },
      ],
    });
    clusterQueue.status.flavorsReservation = [
      { name: "h100", resources: [{ name: "example.com/gpu", total: "7" }] },
    ];
    const root = firstRoot(aWorkload({ conditions: [pending(quota)] }), localQueue, clusterQueue);
    expect(root.message).toContain("ClusterQueue cq");
    expect(root.evidence[0]).toMatchObject({ text: "7 of 8 example.com/gpu are reserved" });
    expect(root.advice).toContain("kubectl describe clusterqueue cq");
  });

  it("diagnose calls a JobSet stuck if no wait gives it the quota", () => {
    const lasting: readonly (readonly [string, string])[] = [
      ["Workload namespace doesn't match ClusterQueue selector", "namespaceSelector"],
      [
        "couldn't assign flavors to pod set w: resource memory unavailable in ClusterQueue",
        "resourceGroups",
      ],
      [
        "insufficient quota for cpu in flavor f, previously considered podsets requests (0) + current podset request (9) > maximum capacity (8)",
        "recreate JobSet js",
      ],
      ["resources didn't satisfy LimitRange constraints: cpu", "limitrange"],
    ];
    for (const [message, advice] of lasting) {
      const root = firstRoot(aWorkload({ conditions: [pending(message)] }));
      expect(root).toMatchObject({ id: "quota-not-reserved", jobSetStatus: "Stuck" });
      expect(root.message).toContain(message);
      expect(root.advice).toContain(advice);
    }
  });

  it("diagnose reports a JobSet as waiting if other Workloads may release the quota that it needs", () => {
    for (const message of [
      quota,
      'topology "racks" allows to fit only 3 out of 4 pod(s)',
      "Waiting for all admitted workloads to be in PodsReady condition",
      "Pending the preemption of 2 workload(s)",
      "untolerated taint {gpu: yes} in flavor h100; insufficient unused quota for cpu in flavor f, 1 more needed",
      "a message of a later release",
    ]) {
      const root = firstRoot(aWorkload({ conditions: [pending(message)] }));
      expect(root).toMatchObject({ id: "quota-not-reserved", jobSetStatus: "Waiting" });
      expect(root.advice).toContain("kubectl ");
    }
  });

  it("diagnose reports a Workload that Kueue has not tried yet", () => {
    const clusterQueue = aClusterQueue({ queueingStrategy: "StrictFIFO" });
    const root = firstRoot(aWorkload({}), localQueue, clusterQueue);
    expect(root).toMatchObject({ id: "quota-not-reserved", jobSetStatus: "Waiting" });
    expect(root.message).toContain("ClusterQueue cq (StrictFIFO): Kueue has not tried it yet");
  });

  it("diagnose names the Workload that a ClusterQueue in strict order has to admit first", () => {
    const clusterQueue = aClusterQueue({ queueingStrategy: "StrictFIFO" });
    const other = (name: string, spec: Wire, status: Wire = {}) =>
      anObject("Workload", name, { spec: { queueName: "team", ...spec }, status });
    const admitted = { conditions: [{ type: "QuotaReserved", status: "True" }] };
    const others = [
      other("later", { priority: 1 }),
      other("first", { priority: 5 }),
      other("runs", { priority: 9 }, admitted),
      other("inactive", { priority: 9, active: false }),
      other("elsewhere", { priority: 9, queueName: "research" }),
    ];
    const root = firstRoot(aWorkload({}), localQueue, clusterQueue, ...others);
    expect(root.message).toContain("behind Workload first in namespace ml");
  });

  it("diagnose advises to correct what keeps Kueue from creating a Workload", () => {
    const [jobSet, ...others] = queuedCluster();
    const message = 'workloadpriorityclasses.kueue.x-k8s.io "high" not found';
    const event = anEvent(jobSet, "ErrWorkloadCompose", message);
    const { roots } = diagnoseCluster([jobSet, ...others, event]);
    expect(roots).toMatchObject([{ id: "workload-missing" }]);
    expect(roots[0]?.message).toContain(message);
    expect(roots[0]?.texts?.advice?.join()).toContain("correct what the message names");
  });

  it("diagnose advises to wait for Workloads that Kueue preempts", () => {
    const message = `${quota}. Pending the preemption of 2 workload(s)`;
    const root = firstRoot(aWorkload({ conditions: [pending(message)] }));
    expect(root.advice).toContain("until the preempted Workloads have stopped");
  });

  it("diagnose reports the queue if the Workload belongs to another JobSet", () => {
    const other = aWorkload({ conditions: [pending(quota)] }, { owner: "uid-other" });
    expect(rootIds(diagnoseCluster([...queuedCluster(), other], ["Workload"]))).toEqual(["queued"]);
    expect(firstRoot(other).id).toBe("workload-missing");
  });
});

describe("kueueChecks of queues", () => {
  it("diagnose reports a LocalQueue that does not exist, with the existing ones", () => {
    const message = "LocalQueue team doesn't exist";
    const research = anObject("LocalQueue", "research", { spec: { clusterQueue: "cq" } });
    const root = firstRoot(aWorkload({ conditions: [pending(message, "Inadmissible")] }), research);
    expect(root).toMatchObject({ id: "local-queue-missing", jobSetStatus: "Stuck" });
    expect(root.message).toBe(
      "LocalQueue team does not exist in namespace ml; the namespace has research",
    );
    expect(root.objects[0]).toMatchObject({ kind: "LocalQueue", name: "team" });
    expect(root.advice).toContain(
      "kubectl label jobset js -n ml kueue.x-k8s.io/queue-name=research --overwrite",
    );
  });

  it("diagnose does not miss a LocalQueue in a dump without LocalQueues", () => {
    expect(firstRoot(aWorkload({ conditions: [pending(quota)] })).id).toBe("quota-not-reserved");
    expect(firstRoot(aWorkload({})).id).toBe("quota-not-reserved");
  });

  it("diagnose reports who stopped a queue", () => {
    const workload = aWorkload({
      conditions: [pending("ClusterQueue cq is inactive", "Inadmissible")],
    });
    const stopped = condition(
      "Active",
      "False",
      "Stopped",
      "Can't admit new workloads: is stopped.",
    );
    const byClusterQueue = firstRoot(
      workload,
      localQueue,
      aClusterQueue({ stopPolicy: "HoldAndDrain" }, stopped),
    );
    expect(byClusterQueue).toMatchObject({ id: "queue-inactive", jobSetStatus: "Waiting" });
    expect(byClusterQueue.message).toBe("ClusterQueue cq is stopped (stopPolicy: HoldAndDrain)");
    const local = anObject("LocalQueue", "team", {
      spec: { clusterQueue: "cq", stopPolicy: "Hold" },
    });
    const byLocalQueue = firstRoot(workload, local, aClusterQueue({}));
    expect(byLocalQueue.message).toBe("LocalQueue team is stopped (stopPolicy: Hold)");
    expect(byLocalQueue.advice).toContain("kubectl patch localqueue team -n ml");
  });

  it("diagnose names the objects that make a ClusterQueue inactive", () => {
    const workload = aWorkload({
      conditions: [pending("ClusterQueue cq is inactive", "Inadmissible")],
    });
    const inactive = condition(
      "Active",
      "False",
      "AdmissionCheckInactive",
      "Can't admit new workloads: references inactive AdmissionCheck(s): [remote].",
    );
    const check = anObject("AdmissionCheck", "remote", {
      namespace: undefined,
      spec: { controllerName: "kueue.x-k8s.io/multikueue" },
      status: {
        conditions: [condition("Active", "False", "NoUsableClusters", "Inactive clusters: [west]")],
      },
    });
    const cluster = anObject("MultiKueueCluster", "west", {
      namespace: undefined,
      status: {
        conditions: [condition("Active", "False", "ClientConnectionFailed", "dial tcp: refused")],
      },
    });
    for (const spec of [
      { admissionChecks: ["remote"] },
      { admissionChecksStrategy: { admissionChecks: [{ name: "remote" }] } },
    ]) {
      const root = firstRoot(workload, localQueue, aClusterQueue(spec, inactive), check, cluster);
      expect(root).toMatchObject({ id: "queue-inactive", jobSetStatus: "Stuck" });
      expect(root.message).toContain(
        "MultiKueueCluster west is inactive (ClientConnectionFailed): dial tcp: refused",
      );
      expect(root.objects.map(({ kind }: Wire) => kind)).toEqual([
        "MultiKueueCluster",
        "AdmissionCheck",
        "ClusterQueue",
        "LocalQueue",
        "Workload",
        "JobSet",
      ]);
    }
  });

  it("diagnose names missing ResourceFlavors, AdmissionChecks and ClusterQueues", () => {
    const workload = aWorkload({
      conditions: [pending("ClusterQueue cq is inactive", "Inadmissible")],
    });
    const noFlavor = condition(
      "Active",
      "False",
      "FlavorNotFound",
      "Can't admit new workloads: FlavorNotFound",
    );
    const spec = { resourceGroups: [{ flavors: [{ name: "h100" }] }], admissionChecks: ["gate"] };
    expect(firstRoot(workload, localQueue, aClusterQueue(spec, noFlavor)).message).toContain(
      "ResourceFlavor h100 does not exist",
    );
    const noCheck = condition(
      "Active",
      "False",
      "AdmissionCheckNotFound",
      "Can't admit new workloads: AdmissionCheckNotFound",
    );
    expect(firstRoot(workload, localQueue, aClusterQueue(spec, noCheck)).message).toContain(
      "AdmissionCheck gate does not exist",
    );
    const noQueue = {
      ...localQueue,
      status: {
        conditions: [
          condition(
            "Active",
            "False",
            "ClusterQueueDoesNotExist",
            "Can't submit new workloads to clusterQueue",
          ),
        ],
      },
    };
    const root = firstRoot(
      aWorkload({ conditions: [pending("ClusterQueue cq doesn't exist", "Inadmissible")] }),
      noQueue,
    );
    expect(root).toMatchObject({ id: "queue-inactive", jobSetStatus: "Stuck" });
    expect(root.message).toContain("ClusterQueue cq does not exist");
  });
});

describe("kueueChecks of admission checks and evictions", () => {
  it("diagnose reports each admission check that is not ready", () => {
    const admissionChecks = [
      { name: "budget", state: "Ready", message: "" },
      {
        name: "licence",
        state: "Pending",
        message: "no licence free",
        lastTransitionTime: "2026-02-07T09:30:00Z",
      },
      { name: "window", state: "Retry", message: "closed" },
    ];
    const root = firstRoot(aWorkload({ conditions: [reserved], admissionChecks }));
    expect(root).toMatchObject({ id: "admission-check-not-ready", jobSetStatus: "Waiting" });
    expect(root.message).toMatch(
      /licence.* is Pending: no licence free; .*window.* is Retry: closed/,
    );
    expect(root.message).not.toContain("budget");
    expect(root.since).toBe(Date.parse("2026-02-07T09:30:00Z"));
    expect(root.advice).toContain("kubectl describe admissioncheck licence");
  });

  it("diagnose reports the latest ProvisioningRequest of an admission check", () => {
    const admissionChecks = [{ name: "dws", state: "Pending", message: "" }];
    const request = (attempt: number, conditions: Wire[]) => ({
      apiVersion: "autoscaling.x-k8s.io/v1",
      kind: "ProvisioningRequest",
      metadata: {
        name: `jobset-js-1a2b3-dws-${attempt}`,
        namespace: "ml",
        ownerReferences: [{ uid: "uid-workload", controller: true }],
      },
      status: { conditions },
    });
    const root = firstRoot(
      aWorkload({ conditions: [reserved], admissionChecks }),
      request(9, [condition("Failed", "True", "CapacityRevoked", "first")]),
      request(10, [
        condition("Provisioned", "False", "CapacityIsNotFound", "Capacity is not found"),
      ]),
    );
    expect(root.message).toContain(
      "ProvisioningRequest jobset-js-1a2b3-dws-10: CapacityIsNotFound: Capacity is not found",
    );
    expect(root.advice).toContain(
      "kubectl describe provisioningrequest jobset-js-1a2b3-dws-10 -n ml",
    );
  });

  it("diagnose reports an admission check that evicted the Workload instead of quota", () => {
    const conditions = [
      pending("The workload has failed admission checks"),
      condition("Evicted", "True", "AdmissionCheck", "At least one admission check is false"),
    ];
    const admissionChecks = [{ name: "licence", state: "Retry", message: "no licence free" }];
    expect(firstRoot(aWorkload({ conditions, admissionChecks })).message).toContain("licence");
  });

  it("diagnose reports why Kueue evicted a Workload, and when it queues the Workload again", () => {
    const conditions = [
      pending(quota),
      condition("Evicted", "True", "PodsReadyTimeout", "Exceeded the PodsReady timeout ml/js"),
      condition("PodsReady", "False", "WaitForStart", "Not all pods are ready or succeeded"),
    ];
    const requeueState = { count: 2, requeueAt: "2026-02-07T10:01:00Z" };
    const root = firstRoot(aWorkload({ conditions, requeueState }));
    expect(root).toMatchObject({ id: "workload-evicted", jobSetStatus: "Waiting" });
    expect(root.message).toContain(
      "Exceeded the PodsReady timeout ml/js; Kueue queues it again at 2026-02-07T10:01:00Z",
    );
    expect(root.message).toContain(quota);
  });

  it("diagnose reports the preemption of a Workload, also after it was queued again", () => {
    const why = "Preempted to accommodate a workload (UID: u) due to reclamation within the cohort";
    const conditions = [
      pending(quota),
      condition("Evicted", "True", "Preempted", why),
      condition("Preempted", "True", "InCohortReclamation", why),
      condition("Requeued", "True", "Preempted", why),
    ];
    const root = firstRoot(aWorkload({ conditions }));
    expect(root).toMatchObject({ id: "workload-evicted", jobSetStatus: "Waiting" });
    expect(root.message).toContain(why);
  });

  it("diagnose reports an eviction while the Workload keeps its quota, because Pods have not ended yet", () => {
    const conditions = [
      condition("QuotaReserved", "True", "QuotaReserved", "Quota reserved in ClusterQueue cq"),
      condition("Admitted", "True", "Admitted", "The workload is admitted"),
      condition("Evicted", "True", "Preempted", "Preempted to accommodate a workload"),
    ];
    const root = firstRoot(aWorkload({ conditions }));
    expect(root).toMatchObject({ id: "workload-evicted", jobSetStatus: "Waiting" });
    expect(root.message).toMatch(/: Preempted to accommodate a workload$/);
  });

  it("diagnose reports quota if the stopped queue that evicted a Workload has started again", () => {
    const conditions = [
      pending(quota),
      condition("Evicted", "True", "ClusterQueueStopped", "The ClusterQueue is stopped"),
      condition("Requeued", "True", "ClusterQueueRestarted", "The ClusterQueue was restarted"),
    ];
    expect(firstRoot(aWorkload({ conditions })).id).toBe("quota-not-reserved");
  });

  it("diagnose calls a JobSet stuck if Kueue deactivated its Workload, and waiting if a user did", () => {
    const evicted = (reason: string) =>
      condition("Evicted", "True", reason, `because of ${reason}`);
    const limit = "DeactivatedDueToRequeuingLimitExceeded";
    const byKueue = firstRoot(
      aWorkload(
        { conditions: [pending("The workload is deactivated"), evicted(limit)] },
        { spec: { active: false } },
      ),
    );
    expect(byKueue).toMatchObject({ id: "workload-deactivated", jobSetStatus: "Stuck" });
    expect(byKueue.message).toContain(`because of ${limit}`);
    expect(byKueue.advice).toContain(
      `kubectl patch workload jobset-js-1a2b3 -n ml --type merge -p '{"spec":{"active":true}}'`,
    );
    const byUser = firstRoot(
      aWorkload({ conditions: [evicted("Deactivated")] }, { spec: { active: false } }),
    );
    expect(byUser.jobSetStatus).toBe("Waiting");
    const admissionChecks = [{ name: "budget", state: "Rejected", message: "no budget left" }];
    const rejected = firstRoot(
      aWorkload(
        { conditions: [evicted("DeactivatedDueToAdmissionCheck")], admissionChecks },
        { spec: { active: false } },
      ),
    );
    expect(rejected.message).toContain("admission check budget is Rejected: no budget left");
  });
});

describe("kueueChecks of Workloads that start", () => {
  it("diagnose reports a JobSet for which Kueue creates no Workload", () => {
    const young = diagnoseCluster(queuedCluster({ createdAt: "2026-02-07T09:59:50Z" }));
    expect(young.status).toBe("Waiting");
    expect(rootIds(young)).toEqual(["workload-missing"]);
    expect(firstRoot().jobSetStatus).toBe("Stuck");
    const prebuilt = queuedCluster({
      labels: {
        "kueue.x-k8s.io/queue-name": "team",
        "kueue.x-k8s.io/prebuilt-workload-name": "mine",
      },
    });
    expect(diagnoseCluster(prebuilt).roots[0]?.message).toContain("Workload mine");
  });

  it("diagnose is uncertain of the cause if Workloads were not read", () => {
    const { roots, notChecked } = diagnoseCluster(queuedCluster(), ["Workload"]);
    expect(roots).toMatchObject([{ id: "queued", mayBeCausedBy: ["workload-missing"] }]);
    expect(notChecked).toContain("workload-missing:Workload");
  });

  it("diagnose reports a suspended JobSet whose Workload is admitted or finished", () => {
    const admitted = (time: string) => ({
      ...condition("Admitted", "True", "Admitted", "The workload is admitted"),
      lastTransitionTime: time,
    });
    expect(
      firstRoot(aWorkload({ conditions: [reserved, admitted("2026-02-07T09:59:30Z")] }))
        .jobSetStatus,
    ).toBe("Progressing");
    const stuck = firstRoot(
      aWorkload({ conditions: [reserved, admitted("2026-02-07T09:50:00Z")] }),
    );
    expect(stuck).toMatchObject({ id: "workload-not-started", jobSetStatus: "Stuck" });
    const finished = condition(
      "Finished",
      "True",
      "OutOfSync",
      "The prebuilt workload is out of sync",
    );
    expect(firstRoot(aWorkload({ conditions: [finished] })).message).toContain("out of sync");
  });

  it("diagnose reports the worker clusters of a JobSet that MultiKueue manages", () => {
    const spec = { suspend: true, managedBy: "kueue.x-k8s.io/multikueue" };
    const admissionChecks = (state: string) => [{ name: "remote", state, message: "" }];
    const check = anObject("AdmissionCheck", "remote", {
      namespace: undefined,
      spec: { controllerName: "kueue.x-k8s.io/multikueue" },
    });
    const waiting = diagnoseCluster([
      ...queuedCluster({ spec }).slice(0, 1),
      aWorkload({
        conditions: [reserved],
        admissionChecks: admissionChecks("Pending"),
        nominatedClusterNames: ["west"],
      }),
      check,
    ]);
    expect(waiting).toMatchObject({
      status: "Waiting",
      roots: [{ id: "admission-check-not-ready" }],
    });
    expect(waiting.roots[0]?.message).toContain("nominated worker clusters: west");
    const admitted = condition("Admitted", "True", "Admitted", "");
    const running = diagnoseCluster([
      ...queuedCluster({ spec: { ...spec, suspend: false } }).slice(0, 1),
      aWorkload({
        conditions: [reserved, admitted],
        admissionChecks: admissionChecks("Ready"),
        clusterName: "west",
      }),
      check,
    ]);
    expect(running).toMatchObject({
      status: "Progressing",
      roots: [{ id: "multikueue-dispatched" }],
    });
    expect(running.roots[0]?.texts?.advice?.[0]).toContain(
      "kubectl --context west describe jobset js -n ml",
    );
  });

  it("diagnose reports the Workload of the TrainJob that owns a JobSet", () => {
    const jobSet = createJobSet({ spec: { suspend: true } });
    jobSet.metadata.ownerReferences = [
      { kind: "TrainJob", name: "yolo", uid: "uid-yolo", controller: true },
    ];
    const { roots, symptoms } = diagnoseCluster([
      jobSet,
      createService(jobSet),
      ...listJobs(jobSet),
      aWorkload({ conditions: [pending(quota)] }, { owner: "uid-yolo" }),
    ]);
    expect(roots).toMatchObject([{ id: "quota-not-reserved" }]);
    expect(roots[0]?.texts?.advice?.join("\n")).toContain("change TrainJob yolo");
    expect(symptoms[0]).toMatchObject({ id: "suspended", causedBy: ["quota-not-reserved"] });
  });
});
