import { describe, expect, it } from "vitest";
import { anEvent, diagnoseCluster, rootIds, type Wire } from "../../testing/a-diagnosed-cluster.ts";
import {
  aClusterQueue,
  anObject,
  aWorkload,
  condition,
  firstRoot,
  localQueue,
  pending,
  queuedCluster,
  quota,
} from "./testing/a-queued-cluster.ts";

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
