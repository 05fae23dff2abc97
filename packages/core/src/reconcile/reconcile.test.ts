import type { Job } from "@jobset-ts/api/kubernetes";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import { NO_QUIRKS, type Quirk } from "../quirks.ts";
import { createSnapshot } from "../snapshot/snapshot.ts";
import { listRequests, listSteps, reconcileForTest, someTime } from "../testing/reconciled.ts";
import {
  createCounts,
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
  it("a plan has no undefined or empty members", () => {
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
    "managedBy %s does not mean another controller",
    (managedBy) => {
      const plan = reconcileForTest(train.withSpec({ managedBy: managedBy as never }));
      expect(listRequests(plan)).toHaveLength(2);
    },
  );
});

describe("the plan", () => {
  it("the plan identifies the observed JobSet", () => {
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

  it("the plan identifies a JobSet that was never stored without UID and version", () => {
    const jobSet = { ...train, metadata: { namespace: "default", name: "train" } };
    expect(reconcileForTest(jobSet as never).jobSet).toStrictEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "train",
    });
  });

  it("the plan keeps unknown members of the status", () => {
    const status = { restarts: 0, novelty: { deep: [1] }, previousInPlaceRestartAttempt: 0 };
    expect(reconcileForTest({ ...train, status } as never, [service]).status).toEqual({
      ...status,
      replicatedJobsStatus: [createCounts("w")],
    });
  });

  it("the status has no empty members, and its times are in wire form", () => {
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
      replicatedJobsStatus: [createCounts("w")],
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

describe("unreadable objects", () => {
  it("unreadable Jobs end the pass at the start", () => {
    const plan = reconcileForTest(train, running, { readErrors: { Job: "no Jobs today" } });
    expect(plan).toMatchObject({
      steps: [],
      events: [],
      error: { phase: "classify", message: "no Jobs today" },
    });
    expect(plan).not.toHaveProperty("status");
  });

  it("unreadable Services end the pass where they are needed", () => {
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
    `objects of kind ${kind} were not read; { kinds: ["${kind}"] } means that there are none`;

  it.each([
    { kind: "Job", kinds: ["Service", "Pod"], phase: "classify", requests: 0 },
    { kind: "Service", kinds: ["Job", "Pod"], phase: "service", requests: 0 },
    { kind: "Pod", kinds: ["Job", "Service"], phase: "in-place-restart", requests: 2 },
  ])("an unread kind is not treated as absent: $kind", ({ kind, kinds, phase, requests }) => {
    const jobSet = train.withSpec({ failurePolicy: { restartStrategy: "InPlaceRestart" } });
    const features = { InPlaceRestart: true };
    const plan = reconcileForTest(jobSet, [], { kinds, features });
    expect(plan).toMatchObject({ events: [], error: { phase, message: unread(kind) } });
    expect(plan).not.toHaveProperty("status");
    expect(listRequests(plan)).toHaveLength(requests);
    expect(
      reconcileForTest(jobSet, [], { kinds: [...kinds, kind], features }).error,
    ).toBeUndefined();
  });

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

describe("the end of a pass", () => {
  it("after a failed Job, nothing is created, scaled or resumed, and no Service is created", () => {
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
      "%s in a suspended JobSet counts, and active Jobs are suspended",
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

    it("RestartJob in a suspended JobSet counts, and active Jobs are suspended", () => {
      const [failed, other] = jobsOfGate;
      const plan = reconcileForTest(rules("RestartJob"), [failed?.failed(), other], { features });
      expect(listRequests(plan)).toEqual([["update Job train-w-1"]]);
      expect(plan.status?.replicatedJobsStatus?.[0]?.jobRestarts).toEqual([1, 0]);
      expect(listConditions(plan)).toEqual(["Suspended True SuspendedJobs"]);
      expect(listEvents(plan)).toEqual(["RestartJobFailurePolicyAction", "SuspendedJobs"]);
    });

    it("an impossible action in a suspended JobSet still suspends active Jobs", () => {
      const plan = reconcileForTest(rules("RestartJob"), jobs);
      expect(plan.error?.phase).toBe("failure-policy");
      expect(listRequests(plan)).toEqual([suspends]);
    });

    it.each([rules("FailJobSet"), train.suspended()])(
      "a failing suspended JobSet loses its active Jobs in the next pass",
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
      const next = reconcileForTest(restarted, [service]);
      const created = listSteps(next).flatMap(({ effects }) => effects) as readonly CreateEffect[];
      const specs = created.map(({ object }) => (object as Job).spec);
      expect(specs).toMatchObject([{ suspend: true }, { suspend: true }]);
      expect(listEvents(next)).toEqual([]);
    });

    it("with the quirk FailureSkipsSuspension active Jobs of a suspended JobSet keep running", () => {
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

  it("Jobs of earlier attempts are deleted even with FailureSkipsSuspension", () => {
    const jobSet = train.restarted(1).withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconcileForTest(jobSet, [job0, job1.ofAttempt(1).failed()]);
    expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan.status?.restarts).toBe(2);
  });

  it("a failure takes precedence over success", () => {
    const jobSet = train.withSpec({ successPolicy: { operator: "Any" } });
    const plan = reconcileForTest(jobSet, [job0.completed(), job1.failed()]);
    expect(listConditions(plan)).toEqual(["Failed True FailedJobs"]);
  });

  it("success ends the pass, and the next pass deletes active Jobs", () => {
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

  it("an insufficient success does not end the pass", () => {
    const plan = reconcileForTest(train, [service, job0.completed()]);
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
  });

  it("a JobSet with more Jobs than can be planned fails the pass", () => {
    const jobSet = train.withReplicatedJob("many", { replicas: 200_000 });
    const plan = reconcileForTest(jobSet, [service]);
    expect(plan.error).toEqual({
      phase: "create-jobs",
      message: "the JobSet requests 200002 Jobs, but a plan may contain at most 200000",
      object: { kind: "JobSet", name: "train" },
    });
  });
});

describe("conditions over a lifetime", () => {
  const restarting = withConditions(train, "RestartingJobSet");
  const wide = (jobs: readonly AJob[]) =>
    jobs.map((job) => job.withSpec({ parallelism: 4, completions: 4 }));

  it("RestartingJobSet becomes False when all Jobs are ready or have succeeded", () => {
    const jobs = [job0.withStatus({ ready: 1 }), job1.completed()];
    expect(listConditions(reconcileForTest(restarting, [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
    expect(listConditions(reconcileForTest(restarting, [service, ...wide(running)]))).toEqual([
      "RestartingJobSet True R",
    ]);
  });

  it("RestartingJobSet does not become False while the JobSet is suspended", () => {
    const jobs = [job0, job1].map((job) => job.suspended().withSpec({ parallelism: 0 }));
    expect(listConditions(reconcileForTest(restarting.suspended(), [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobSetSuspended",
      "Suspended True SuspendedJobs",
    ]);
  });

  it("a condition that requires all Jobs to be ready is satisfied if there are no Jobs", () => {
    const jobSet = withConditions(aJobSet("train"), "RestartingJobSet");
    expect(listConditions(reconcileForTest(jobSet, [service]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
  });

  it("reconcile adds no condition that is False", () => {
    const plan = reconcileForTest(train, [service, ...running]);
    expect(plan.status?.conditions).toBeUndefined();
    expect(plan.events).toEqual([]);
  });

  it("each changed condition is written with its own Event", () => {
    const plan = reconcileForTest(restarting.suspended(), [service, ...running]);
    expect(plan.events).toEqual([
      { type: "Normal", reason: "SuspendedJobs", message: "jobset is suspended" },
      { type: "Normal", reason: "JobSetSuspended", message: "jobset is suspended" },
    ]);
  });

  it("a resume after a restart does not set the condition again", () => {
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
  it("all times of a pass are equal, in whole seconds on the wire", () => {
    const plan = reconcileForTest(train.suspended(), [service], { now: someTime });
    expect(plan.status?.conditions?.[0]?.lastTransitionTime).toBe(nowText);
  });
});
