import type { Job } from "@jobset-ts/api/kubernetes";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import { NO_QUIRKS, type Quirk } from "../quirks.ts";
import { createSnapshot } from "../snapshot/snapshot.ts";
import { listRequests, listSteps, reconcileForTest, someTime } from "../testing/reconciled.ts";
import {
  counted,
  earlier,
  job0,
  job1,
  listConditions,
  listEvents,
  running,
  service,
  train,
  withConditions,
} from "../testing/typical-pass.ts";
import { reconcile } from "./reconcile.ts";

const nowText = "2026-08-18T10:05:10Z";

const empty = { steps: [], events: [], metrics: [], decisions: [], warnings: [] };

describe("a plan", () => {
  it("a plan has no member that says nothing", () => {
    expect(Object.values(reconcileForTest(train, [service, ...running]))).not.toContain(undefined);
  });
});

describe("a JobSet that another controller manages", () => {
  const jobs = [job0.failed(), job1.ofAttempt(-1)];

  it.each([
    ["is being deleted", train.beingDeleted()],
    ["is managed by another controller", train.withSpec({ managedBy: "acme.com/controller" })],
    ["has an empty manager name", train.withSpec({ managedBy: "" })],
    ["is being deleted elsewhere", train.withSpec({ managedBy: "x" }).beingDeleted()],
    ["has a manager that is not text", train.withSpec({ managedBy: 5 as never })],
  ])("%s gets the empty plan", (_, jobSet) => {
    const { jobSet: self, ...plan } = reconcileForTest(jobSet, jobs);
    expect(plan).toStrictEqual(empty);
    expect(self).toMatchObject({ kind: "JobSet", namespace: "default", name: "train" });
  });

  it.each([undefined, null, "jobset.sigs.k8s.io/jobset-controller"])(
    "a JobSet that another controller manages is not one that is managed by %s",
    (managedBy) => {
      const plan = reconcileForTest(train.withSpec({ managedBy: managedBy as never }));
      expect(listRequests(plan)).toHaveLength(2);
    },
  );
});

describe("the plan", () => {
  it("names the JobSet as it was observed", () => {
    const jobSet = { ...train, metadata: { ...train.metadata, resourceVersion: "17" } };
    expect(reconcileForTest(jobSet).jobSet).toEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "train",
      uid: "train-uid",
      resourceVersion: "17",
    });
  });

  it("names a JobSet that no server has stored without a UID and a version", () => {
    const jobSet = { ...train, metadata: { namespace: "default", name: "train" } };
    expect(reconcileForTest(jobSet as never).jobSet).toStrictEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "train",
    });
  });

  it("the plan carries over what we do not know of the status", () => {
    const status = { restarts: 0, novelty: { deep: [1] }, previousInPlaceRestartAttempt: 0 };
    expect(reconcileForTest({ ...train, status } as never, [service]).status).toEqual({
      ...status,
      replicatedJobsStatus: [counted("w")],
    });
  });

  it("the plan has no empty members in the status, and writes its times as the wire does", () => {
    const lastTransitionTime = new Date(earlier) as never;
    const jobSet = train.withStatus({
      conditions: [{ type: "X", status: "True", reason: "R", message: "m", lastTransitionTime }],
      restartsCountTowardsMax: 0,
    });
    expect(reconcileForTest(jobSet, [service]).status).toStrictEqual({
      conditions: [
        { type: "X", status: "True", reason: "R", message: "m", lastTransitionTime: earlier },
      ],
      restarts: 0,
      replicatedJobsStatus: [counted("w")],
    });
  });

  it("reconcile returns the same plan for a JobSet that is not an object", () => {
    const context = { now: 0, features: new Set<never>(), quirks: NO_QUIRKS };
    for (const none of [null, undefined, 5, "train", []]) {
      expect(reconcile(createSnapshot([]), none as never, context)).toEqual(
        reconcile(createSnapshot([]), {}, context),
      );
    }
  });
});

describe("what cannot be read", () => {
  it("what cannot be read ends the pass before anything, when it is the Jobs", () => {
    const plan = reconcileForTest(train, running, { readErrors: { Job: "no Jobs today" } });
    expect(plan).toMatchObject({
      steps: [],
      events: [],
      error: { phase: "classify", message: "no Jobs today" },
    });
    expect(plan).not.toHaveProperty("status");
  });

  it("what cannot be read ends the pass where it is needed, when it is the Services", () => {
    const old = job0.ofAttempt(-1);
    const readErrors = { Service: "no Services today" };
    const plan = reconcileForTest(train, [old], { readErrors });
    expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan).toMatchObject({
      events: [],
      error: {
        phase: "service",
        message: "no Services today",
        object: { kind: "Service", name: "train" },
      },
    });
    expect(plan).not.toHaveProperty("status");
    const network = { enableDNSHostnames: false };
    expect(reconcileForTest(train.withSpec({ network }), [], { readErrors }).error).toBeUndefined();
  });

  it("unread Pods end the pass before the status if the JobSet uses in-place restart", () => {
    const readErrors = { Pod: "no Pods today" };
    const inPlace = train.withSpec({ failurePolicy: { restartStrategy: "InPlaceRestart" } });
    const plan = reconcileForTest(inPlace, [], { readErrors, features: { InPlaceRestart: true } });
    expect(listRequests(plan)).toHaveLength(2);
    expect(plan).toMatchObject({ error: { phase: "in-place-restart", message: "no Pods today" } });
    expect(plan).not.toHaveProperty("status");
    expect(reconcileForTest(inPlace, [], { readErrors }).error).toBeUndefined();
    const features = { InPlaceRestart: true };
    expect(reconcileForTest(train, [], { readErrors, features }).error).toBeUndefined();
  });
});

describe("a kind that was not read", () => {
  const unread = (kind: string) =>
    `objects of kind ${kind} were not read; { kinds: ["${kind}"] } says that there are none`;

  it.each([
    { kind: "Job", kinds: ["Service", "Pod"], phase: "classify", requests: 0 },
    { kind: "Service", kinds: ["Job", "Pod"], phase: "service", requests: 0 },
    { kind: "Pod", kinds: ["Job", "Service"], phase: "in-place-restart", requests: 2 },
  ])(
    "a kind that was not read is not taken for absent: $kind",
    ({ kind, kinds, phase, requests }) => {
      const jobSet = train.withSpec({ failurePolicy: { restartStrategy: "InPlaceRestart" } });
      const features = { InPlaceRestart: true };
      const plan = reconcileForTest(jobSet, [], { kinds, features });
      expect(plan).toMatchObject({ events: [], error: { phase, message: unread(kind) } });
      expect(plan).not.toHaveProperty("status");
      expect(listRequests(plan)).toHaveLength(requests);
      expect(
        reconcileForTest(jobSet, [], { kinds: [...kinds, kind], features }).error,
      ).toBeUndefined();
    },
  );

  it("unread PersistentVolumeClaims do not end the pass, because they are created blindly", () => {
    const template = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } };
    const volumeClaimPolicies = [{ templates: [template] }];
    const plan = reconcileForTest(train.withSpec({ volumeClaimPolicies }), [], {
      kinds: ["Job", "Service"],
    });
    expect(plan.error).toBeUndefined();
    expect(listRequests(plan)).toContainEqual(["create PersistentVolumeClaim data-train"]);
  });
});

describe("what ends a pass", () => {
  it("a failed Job: nothing is created, scaled or resumed, and no Service is made", () => {
    const template = { spec: { parallelism: 8, completions: 8, template: {} } };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { replicas: 2, template })
      .withSpec({ failurePolicy: { maxRestarts: 1 } });
    const jobs = [job0.failed(), job1.suspended()];
    const plan = reconcileForTest(jobSet, jobs, { features: { ElasticJobSet: true } });
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual(["RestartingJobSet True DefaultFailurePolicy"]);
  });

  describe("a failed Job of a suspended JobSet", () => {
    const rules = (action: string) =>
      train.suspended().withSpec({
        failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action: action as "FailJobSet" }] },
      });
    const jobs = [job0.failed(), job1.withStatus({ active: 1 }), aJob("train-gone-0")];
    const features = { RestartJob: true };
    const jobsOfGate = [job0, job1].map((job) =>
      job.withLabels({ "jobset.sigs.k8s.io/job-restart-attempt": "0" }),
    );
    const suspends = ["update Job train-gone-0", "update Job train-w-1"];

    it.each(["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"])(
      "%s: counts, and what runs is suspended",
      (action) => {
        const plan = reconcileForTest(rules(action), jobs);
        expect(listRequests(plan)).toEqual([suspends]);
        expect(plan.status?.restarts).toBe(1);
        expect(listConditions(plan)).toEqual([
          "RestartingJobSet False JobSetSuspended",
          "Suspended True SuspendedJobs",
        ]);
        expect(listEvents(plan)).toEqual([
          "FailurePolicy_r",
          `${action}FailurePolicyAction`,
          "SuspendedJobs",
          "JobSetSuspended",
        ]);
      },
    );

    it("RestartJob: counts, and what runs is suspended", () => {
      const [failed, other] = jobsOfGate;
      const plan = reconcileForTest(rules("RestartJob"), [failed?.failed(), other], { features });
      expect(listRequests(plan)).toEqual([["update Job train-w-1"]]);
      expect(plan.status?.replicatedJobsStatus?.[0]?.jobRestarts).toEqual([1, 0]);
      expect(listConditions(plan)).toEqual(["Suspended True SuspendedJobs"]);
      expect(listEvents(plan)).toEqual(["RestartJobFailurePolicyAction", "SuspendedJobs"]);
    });

    it("what its rule asks for cannot be done: what runs is suspended all the same", () => {
      const plan = reconcileForTest(rules("RestartJob"), jobs);
      expect(plan.error?.phase).toBe("failure-policy");
      expect(listRequests(plan)).toEqual([suspends]);
    });

    it.each([rules("FailJobSet"), train.suspended()])(
      "a failed Job of a suspended JobSet fails it: what runs is deleted by the next pass",
      (jobSet) => {
        const plan = reconcileForTest(jobSet, jobs);
        expect(listRequests(plan)).toEqual([]);
        const next = reconcileForTest({ ...jobSet, status: plan.status }, jobs);
        expect(listRequests(next)).toEqual([["delete Job train-gone-0", "delete Job train-w-1"]]);
      },
    );

    it("the next attempt's Jobs of a suspended JobSet are created suspended", () => {
      const jobSet = rules("RestartJobSet");
      const restarted = { ...jobSet, status: reconcileForTest(jobSet, jobs).status };
      const gone = reconcileForTest(restarted, [service]);
      const created = listSteps(gone).flatMap(({ effects }) => effects) as readonly CreateEffect[];
      const specs = created.map(({ object }) => (object as Job).spec);
      expect(specs).toMatchObject([{ suspend: true }, { suspend: true }]);
      expect(listEvents(gone)).toEqual([]);
    });

    it("a failed Job of a suspended JobSet lets what runs run on with the quirk FailureSkipsSuspension", () => {
      const quirks = new Set<Quirk>(["FailureSkipsSuspension"]);
      const plans = ["RestartJobSet", "RestartJob", "FailJobSet"].map((action) =>
        reconcileForTest(rules(action), jobs, { quirks }),
      );
      expect(plans.map(listRequests)).toEqual([[], [], []]);
      expect(plans.map(listConditions)).toEqual([
        ["RestartingJobSet True FailurePolicy_r"],
        [],
        ["Failed True FailJobSetFailurePolicyAction"],
      ]);
    });
  });

  it("but Jobs of earlier attempts are deleted even then", () => {
    const jobSet = train.restarted(1).withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconcileForTest(jobSet, [job0, job1.ofAttempt(1).failed()]);
    expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan.status?.restarts).toBe(2);
  });

  it("failure comes before success", () => {
    const jobSet = train.withSpec({ successPolicy: { operator: "Any" } });
    const plan = reconcileForTest(jobSet, [job0.completed(), job1.failed()]);
    expect(listConditions(plan)).toEqual(["Failed True FailedJobs"]);
  });

  it("what ends a pass success: the active Jobs go in the next pass", () => {
    const jobSet = train.withSpec({ successPolicy: { operator: "Any" } });
    const plan = reconcileForTest(jobSet, [job0.completed(), running[1]]);
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual(["Completed True AllJobsCompleted"]);
    const next = reconcileForTest({ ...jobSet, status: plan.status }, [
      job0.completed(),
      running[1],
    ]);
    expect(listRequests(next)).toEqual([["delete Job train-w-1"]]);
    expect(next.status).toBeUndefined();
  });

  it("a success that is not enough does not", () => {
    const plan = reconcileForTest(train, [service, job0.completed()]);
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
  });

  it("more Jobs than can be planned", () => {
    const jobSet = train.withReplicatedJob("many", { replicas: 200_000 });
    const plan = reconcileForTest(jobSet, [service]);
    expect(plan.error).toEqual({
      phase: "create-jobs",
      message: "the JobSet asks for 200002 Jobs, and no more than 200000 can be planned",
      object: { kind: "JobSet", name: "train" },
    });
  });
});

describe("conditions over a lifetime", () => {
  const restarting = withConditions(train, "RestartingJobSet");
  const wide = (jobs: readonly AJob[]) =>
    jobs.map((job) => job.withSpec({ parallelism: 4, completions: 4 }));

  it("turn RestartingJobSet False when all Jobs are ready or have succeeded", () => {
    const jobs = [job0.withStatus({ ready: 1 }), job1.completed()];
    expect(listConditions(reconcileForTest(restarting, [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
    expect(listConditions(reconcileForTest(restarting, [service, ...wide(running)]))).toEqual([
      "RestartingJobSet True R",
    ]);
  });

  it("and not while the JobSet is suspended, whatever is ready", () => {
    const jobs = [job0, job1].map((job) => job.suspended().withSpec({ parallelism: 0 }));
    expect(listConditions(reconcileForTest(restarting.suspended(), [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobSetSuspended",
      "Suspended True SuspendedJobs",
    ]);
  });

  it("conditions on ready Jobs hold without Jobs", () => {
    const jobSet = withConditions(aJobSet("train"), "RestartingJobSet");
    expect(listConditions(reconcileForTest(jobSet, [service]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
  });

  it("introduce no False ones", () => {
    const plan = reconcileForTest(train, [service, ...running]);
    expect(plan.status?.conditions).toBeUndefined();
    expect(plan.events).toEqual([]);
  });

  it("conditions over a lifetime are written with an Event for each that changed", () => {
    const plan = reconcileForTest(restarting.suspended(), [service, ...running]);
    expect(plan.events).toEqual([
      { type: "Normal", reason: "SuspendedJobs", message: "jobset is suspended" },
      { type: "Normal", reason: "JobSetSuspended", message: "jobset is suspended" },
    ]);
  });

  it("conditions over a lifetime are not turned on again by a resume that follows a restart", () => {
    const jobSet = withConditions(train, "Suspended").withStatus({
      conditions: [
        {
          type: "RestartingJobSet",
          status: "False",
          reason: "JobSetSuspended",
          message: "jobset is suspended",
          lastTransitionTime: earlier,
        },
        {
          type: "Suspended",
          status: "True",
          reason: "R",
          message: "m",
          lastTransitionTime: earlier,
        },
      ],
    });
    expect(
      listConditions(reconcileForTest(jobSet, [service, job0.suspended(), job1.suspended()])),
    ).toEqual(["RestartingJobSet False JobSetSuspended", "Suspended False ResumeJobs"]);
  });
});

describe("time", () => {
  it("time is one instant for the whole pass, in whole seconds on the wire", () => {
    const plan = reconcileForTest(train.suspended(), [service], { now: someTime });
    expect(plan.status?.conditions?.[0]?.lastTransitionTime).toBe(nowText);
  });
});
