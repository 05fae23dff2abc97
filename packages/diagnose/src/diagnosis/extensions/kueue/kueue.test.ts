import { describe, expect, it } from "vitest";
import {
  createJobSet,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import {
  anObject,
  aWorkload,
  condition,
  firstRoot,
  pending,
  queuedCluster,
  quota,
  reserved,
} from "./testing/a-queued-cluster.ts";

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
