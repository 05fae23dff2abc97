import type { Condition } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import type { Workload } from "../objects/workload.ts";
import { reclaimableUpdateErrors } from "../status/reclaimable-pods.ts";
import { newWorkload } from "../workload/new-workload.ts";
import { reconcileKueue } from "./reconcile.ts";

const features = resolveKueueFeatureGates({ TopologyAwareScheduling: false });
const context = { now: 1_770_447_379_000, config: {}, features };
const namespaces = [{ metadata: { name: "ml" } }];
const aJobSet = (suspend: boolean, more: object = {}) => ({
  apiVersion: "jobset.x-k8s.io/v1alpha2" as const,
  kind: "JobSet" as const,
  metadata: {
    name: "train",
    namespace: "ml",
    uid: "u-1",
    labels: { "kueue.x-k8s.io/queue-name": "gpu" } as Record<string, string>,
  },
  spec: {
    suspend,
    replicatedJobs: [{ name: "w", replicas: 2, template: { spec: { template: {} } } }],
  },
  ...more,
});
const condition = (type: string, reason = "r", message = "m"): Condition => ({
  type,
  status: "True",
  reason,
  message,
  lastTransitionTime: "2026-02-07T05:56:19Z",
});
function aWorkload(conditions: Condition[] = [], more: Partial<Workload> = {}): Workload {
  const created = newWorkload(aJobSet(true), {}, {}, features);
  if (!created.ok) throw new Error(created.refusal.message);
  const admission = { clusterQueue: "cq", podSetAssignments: [{ name: "w", count: 2 }] };
  return { ...created.value, status: { conditions, admission }, ...more };
}
const admitted = [condition("QuotaReserved"), condition("Admitted")];
const reconcileWith = (jobSet: object | undefined, workloads: Workload[], options: object = {}) => {
  const request = { namespace: "ml", name: "train", ...(jobSet && { jobSet }) };
  const pass = reconcileKueue(request, { namespaces, workloads }, { ...context, ...options });
  return {
    rule: pass.rule,
    asked: pass.effects.map(({ verb, target }) => `${verb} ${target.kind}`),
    told: pass.events.map(({ reason, message }) => `${reason}: ${message}`),
    error: pass.refusal?.message,
    effects: pass.effects,
  };
};

describe("reconcileKueue", () => {
  it("reconcileKueue removes the finalizers of the Workloads of a deleted JobSet", () => {
    const { rule, asked, effects } = reconcileWith(undefined, [aWorkload()]);
    expect([rule, asked]).toEqual(["OwnerGone", ["patchStatus Workload", "update Workload"]]);
    expect(effects[0]).toMatchObject({
      status: { conditions: [{ type: "Finished", reason: "OwnerNotFound" }] },
    });
  });

  it("reconcileKueue ignores a JobSet without a queue", () => {
    const jobSet = aJobSet(false);
    jobSet.metadata.labels = {};
    expect(reconcileWith(jobSet, [])).toMatchObject({ rule: "NotManaged", asked: [] });
  });

  it("reconcileKueue suspends a running JobSet without a Workload, and creates the Workload", () => {
    expect(reconcileWith(aJobSet(false), [])).toMatchObject({
      rule: "NoWorkload",
      asked: ["patch JobSet", "create Workload"],
      told: [
        "Stopped: Missing Workload; unable to restore pod templates",
        "CreatedWorkload: Created Workload: ml/jobset-train-daae2",
      ],
    });
  });

  it("reconcileKueue starts an admitted JobSet", () => {
    expect(reconcileWith(aJobSet(true), [aWorkload(admitted)])).toMatchObject({
      rule: "MayStart",
      asked: ["patch JobSet"],
      told: ["Started: Admitted by clusterQueue cq"],
    });
  });

  it("reconcileKueue finishes a Workload whose admission cannot be applied", () => {
    const workload = aWorkload(admitted);
    workload.status = { conditions: admitted };
    const { rule, effects } = reconcileWith(aJobSet(true), [workload]);
    expect(rule).toBe("MayStart");
    expect(effects).toMatchObject([
      { verb: "patchStatus", status: { conditions: [{}, {}, { reason: "FailedToStart" }] } },
    ]);
  });

  it("reconcileKueue stops a running JobSet that is not admitted", () => {
    expect(reconcileWith(aJobSet(false), [aWorkload()])).toMatchObject({
      rule: "NotAdmitted",
      told: ["Stopped: Not admitted by cluster queue"],
    });
  });

  it("reconcileKueue releases quota after an eviction only when no Pods run", () => {
    const evicted = aWorkload([...admitted, condition("Evicted", "Preempted", "make room")]);
    const status = { replicatedJobsStatus: [{ name: "w", active: 1 }] };
    expect(reconcileWith(aJobSet(false, { status }), [evicted])).toMatchObject({
      rule: "Evicted",
      asked: ["patch JobSet"],
      told: ["Stopped: make room"],
    });
    const { effects } = reconcileWith(aJobSet(true), [evicted]);
    expect(effects).toHaveLength(1);
    expect(effects[0]).toMatchObject({
      verb: "patchStatus",
      status: { accumulatedPastExecutionTimeSeconds: 3600 },
    });
    expect(effects[0]).not.toHaveProperty("status.admission");
    const conditions = (effects[0] as unknown as { status: { conditions: Condition[] } }).status
      .conditions;
    expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["QuotaReserved", "False", "PendingEvaluation"],
      ["Admitted", "False", "NoReservation"],
      ["Evicted", "True", "Preempted"],
      ["Requeued", "True", "Preempted"],
    ]);
  });

  it("reconcileKueue reports a missing reservation for unused quota if the feature gate is on", () => {
    const createEvictedWorkload = () =>
      aWorkload([condition("QuotaReserved"), condition("Evicted", "Deactivated")]);
    const getMessages = (gate: boolean) => {
      const gates = { TopologyAwareScheduling: false, UnadmittedWorkloadsObservability: gate };
      const options = { features: resolveKueueFeatureGates(gates) };
      const [effect] = reconcileWith(aJobSet(true), [createEvictedWorkload()], options).effects;
      const { conditions } = (effect as unknown as { status: { conditions: Condition[] } }).status;
      return conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
    };
    const both = ["Evicted True Deactivated", "Requeued False Deactivated"];
    expect(getMessages(true)).toEqual([
      "QuotaReserved False PendingEvaluation",
      ...both,
      "Admitted False NoReservation",
    ]);
    expect(getMessages(false)).toEqual(["QuotaReserved False Pending", ...both]);
  });

  it("reconcileKueue copies the result of a finished JobSet to its Workload, then removes the finalizer", () => {
    const status = { conditions: [condition("Failed", "FailedJobs", "no")] };
    const { rule, effects, told } = reconcileWith(aJobSet(false, { status }), [
      aWorkload(admitted),
    ]);
    expect(rule).toBe("JobSetFinished");
    expect(effects).toMatchObject([
      { status: { conditions: [{}, {}, { type: "Finished", reason: "Failed", message: "no" }] } },
    ]);
    expect(told).toEqual([
      "FinishedWorkload: Workload 'ml/jobset-train-daae2' is declared finished",
    ]);
    const over = reconcileWith(aJobSet(false, { status }), [aWorkload([condition("Finished")])]);
    expect([over.rule, over.asked]).toEqual(["WorkloadFinished", ["update Workload"]]);
  });

  it("reconcileKueue writes reclaimable Pods before it processes an eviction", () => {
    const status = { replicatedJobsStatus: [{ name: "w", succeeded: 1 }] };
    const evicted = aWorkload([...admitted, condition("Evicted")]);
    expect(reconcileWith(aJobSet(false, { status }), [evicted])).toMatchObject({
      rule: "ReclaimablePodsDiffer",
      effects: [{ verb: "patchStatus", status: { reclaimablePods: [{ name: "w", count: 1 }] } }],
    });
  });

  describe("an eviction after a restart lowered the reclaimable Pods", () => {
    const before = aWorkload([...admitted, condition("Evicted", "Preempted")]);
    before.status = { ...before.status, reclaimablePods: [{ name: "w", count: 2 }] };
    const running = { status: { replicatedJobsStatus: [{ name: "w", active: 1 }] } };
    const stopped = { status: { replicatedJobsStatus: [{ name: "w", suspended: 2 }] } };
    /** Returns the Workload that the API server stores, or its error. */
    const applyEffects = (workload: Workload, effects: readonly object[]): Workload | string => {
      const [effect] = effects as { status?: Workload["status"] }[];
      const after: Workload = { ...workload, ...(effect?.status && { status: effect.status }) };
      return reclaimableUpdateErrors(workload, after)[0]?.body ?? after;
    };

    it("reconcileKueue repeats the rejected status write, as Kueue does", () => {
      const pass = reconcileWith(aJobSet(false, running), [before]);
      expect([pass.rule, pass.asked]).toEqual(["ReclaimablePodsDiffer", ["patchStatus Workload"]]);
      expect(applyEffects(before, pass.effects)).toBe("Required value: cannot be removed");
    });

    it("reconcileKueue evicts, then releases quota, then writes reclaimable Pods if evictFirst is on", () => {
      const options = { evictFirst: true };
      const first = reconcileWith(aJobSet(false, running), [before], options);
      expect([first.rule, first.asked]).toEqual(["Evicted", ["patch JobSet"]]);
      const second = reconcileWith(aJobSet(true, stopped), [before], options);
      expect([second.rule, second.asked]).toEqual(["Evicted", ["patchStatus Workload"]]);
      const released = applyEffects(before, second.effects) as Workload;
      const third = reconcileWith(aJobSet(true, stopped), [released], options);
      expect(third.rule).toBe("ReclaimablePodsDiffer");
      const updated = applyEffects(released, third.effects) as Workload;
      expect(updated.status).not.toHaveProperty("reclaimablePods");
      expect(reconcileWith(aJobSet(true, stopped), [updated], options)).toMatchObject({
        rule: "Evicted",
        asked: [],
      });
    });

    it("reconcileKueue does not depend on evictFirst if no Workload is evicted", () => {
      const workload = aWorkload(admitted);
      const status = { replicatedJobsStatus: [{ name: "w", succeeded: 1 }] };
      const jobSet = aJobSet(false, { status });
      expect(reconcileWith(jobSet, [workload], { evictFirst: true })).toEqual(
        reconcileWith(jobSet, [workload]),
      );
      expect(reconcileWith(jobSet, [workload]).rule).toBe("ReclaimablePodsDiffer");
    });
  });

  it("reconcileKueue maintains PodsReady only if the configuration enables it", () => {
    const options = { config: { waitForPodsReady: true } };
    expect(reconcileWith(aJobSet(false), [aWorkload(admitted)], options).rule).toBe(
      "PodsReadyDiffers",
    );
    expect(reconcileWith(aJobSet(false), [aWorkload(admitted)]).rule).toBe("Running");
  });

  it("reconcileKueue moves a waiting Workload to the JobSet's queue and reports its pending checks", () => {
    const checks = [{ name: "check", state: "Pending", message: "soon", lastTransitionTime: "" }];
    const workload = aWorkload([condition("QuotaReserved")]);
    workload.spec.queueName = "cpu";
    workload.status = { ...workload.status, admissionChecks: checks as never };
    expect(reconcileWith(aJobSet(true), [workload])).toMatchObject({
      rule: "Queued",
      told: ["UpdatedAdmissionCheck: check: soon"],
      effects: [{ verb: "update", spec: { queueName: "gpu" } }],
    });
  });

  it("reconcileKueue deletes all Workloads but one and then retries", () => {
    const other = aWorkload();
    other.metadata = { ...other.metadata, name: "other" };
    expect(reconcileWith(aJobSet(true), [aWorkload(), other])).toMatchObject({
      rule: "WorkloadUnsettled",
      asked: ["update Workload", "delete Workload"],
      error: "extra workloads: deleted 1 workloads",
    });
  });

  it("reconcileKueue updates a waiting Workload that does not match", () => {
    const workload = aWorkload([], { spec: { podSets: [], active: false } });
    expect(reconcileWith(aJobSet(true), [workload])).toMatchObject({
      rule: "Queued",
      effects: [{ verb: "update", spec: { active: false, podSets: [{ count: 2 }] } }],
    });
  });

  it("reconcileKueue waits for a prebuilt Workload and adopts it", () => {
    const jobSet = aJobSet(true);
    jobSet.metadata.labels["kueue.x-k8s.io/prebuilt-workload-name"] = "made";
    expect(reconcileWith(jobSet, []).error).toBe("prebuilt workload not found");
    const prebuilt = aWorkload();
    prebuilt.metadata = { name: "made", namespace: "ml" };
    const { rule, effects } = reconcileWith(jobSet, [prebuilt]);
    expect(rule).toBe("Queued");
    expect(effects).toMatchObject([{ metadata: { ownerReferences: [{ uid: "u-1" }] } }]);
    prebuilt.spec.podSets = [];
    expect(reconcileWith(jobSet, [prebuilt]).effects[1]).toMatchObject({
      status: { conditions: [{ type: "Finished", reason: "OutOfSync" }] },
    });
  });

  it("reconcileKueue does not touch a Workload that another JobSet owns", () => {
    const jobSet = aJobSet(true);
    jobSet.metadata.labels["kueue.x-k8s.io/prebuilt-workload-name"] = "made";
    const taken = aWorkload();
    const [reference] = taken.metadata.ownerReferences ?? [];
    const ownerReferences = [
      { ...reference, uid: "another" },
    ] as typeof taken.metadata.ownerReferences;
    taken.metadata = { name: "made", namespace: "ml", ownerReferences };
    expect(reconcileWith(jobSet, [taken])).toMatchObject({
      asked: [],
      error: "prebuilt workload not found",
    });
  });

  it("reconcileKueue suspends a JobSet while its ancestor may not run", () => {
    const owner = {
      ...aJobSet(false),
      metadata: { ...aJobSet(false).metadata, name: "top", uid: "t" },
    };
    const reference = {
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      name: "top",
      uid: "t",
      controller: true,
    };
    const jobSet = aJobSet(false);
    const owned = { ...jobSet, metadata: { ...jobSet.metadata, ownerReferences: [reference] } };
    const options = { ...context, config: { enabledFrameworks: ["jobset.x-k8s.io/jobset"] } };
    const request = { namespace: "ml", name: "train", jobSet: owned };
    const pass = reconcileKueue(request, { namespaces, owners: [owner] }, options);
    expect(pass).toMatchObject({
      rule: "ChildOfManaged",
      effects: [{ verb: "patch", spec: { suspend: true } }],
      events: [{ reason: "Suspended" }],
    });
    const top = (name: string, uid: string, conditions: Condition[]) => {
      const created = aWorkload(conditions);
      const ownerReferences = [reference];
      return { ...created, metadata: { ...created.metadata, name, uid, ownerReferences } };
    };
    const [older, newer] = [top("b", "1", []), top("a", "2", admitted)];
    const around = { namespaces, owners: [owner], workloads: [newer, older] };
    expect(reconcileKueue(request, around, options).effects).toEqual([]);
  });
});
