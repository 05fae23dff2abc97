import type { FailurePolicyAction, ReplicatedJobStatus } from "@jobset-ts/api";
import type { Condition, Job, PodSpec, Service } from "@jobset-ts/api/kubernetes";
import {
  type AJob,
  type AJobSet,
  aClaim,
  aJob,
  aJobSet,
  aPod,
  aReplicatedJob,
  aService,
} from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import type { Plan, Step } from "../plan/plan.ts";
import { NO_QUIRKS, type Quirk } from "../quirks.ts";
import { snapshotOf } from "../snapshot/snapshot.ts";
import { reconciled, requestsOf, someTime, stepsOf } from "../testing/reconciled.ts";
import { reconcile } from "./reconcile.ts";

const service = aService("train");
const nowText = "2026-08-18T10:05:10Z";
const earlier = "2026-08-18T09:00:00Z";

/** One ReplicatedJob `w` of two Jobs with one Pod each, and counters as stored for none. */
const train = aJobSet("train").withReplicatedJob("w", { replicas: 2 });
const [job0, job1] = [aJob("train-w-0"), aJob("train-w-1")];
const running = [job0, job1].map((job) => job.withStatus({ active: 1, ready: 1 }));

function counted(name: string, counters: Partial<ReplicatedJobStatus> = {}): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counters };
}

function withConditions(jobSet: AJobSet, ...types: string[]): AJobSet {
  return jobSet.withStatus({
    conditions: types.map((type) => ({
      type,
      status: "True",
      reason: "R",
      message: "m",
      lastTransitionTime: earlier,
    })),
  });
}

function conditionsOf({ status }: Plan): string[] {
  return (status?.conditions ?? []).map(
    ({ type, status: value, reason }: Condition) => `${type} ${value} ${reason}`,
  );
}

function eventsOf({ events }: Plan): string[] {
  return events.map(({ reason }) => reason);
}

describe("a plan", () => {
  it("has no member that says nothing", () => {
    expect(Object.values(reconciled(train, [service, ...running]))).not.toContain(undefined);
  });
});

const empty = { steps: [], events: [], metrics: [], decisions: [], warnings: [] };

describe("a JobSet that is nobody's business here", () => {
  const jobs = [job0.failed(), job1.ofAttempt(-1)];

  it.each([
    ["is being deleted", train.beingDeleted()],
    ["is managed by another controller", train.withSpec({ managedBy: "acme.com/controller" })],
    ["is managed by nobody with a name", train.withSpec({ managedBy: "" })],
    ["is being deleted elsewhere", train.withSpec({ managedBy: "x" }).beingDeleted()],
    ["is managed by what is no name", train.withSpec({ managedBy: 5 as never })],
  ])("%s gets the empty plan", (_, jobSet) => {
    const { jobSet: self, ...plan } = reconciled(jobSet, jobs);
    expect(plan).toStrictEqual(empty);
    expect(self).toMatchObject({ kind: "JobSet", namespace: "default", name: "train" });
  });

  it.each([undefined, null, "jobset.sigs.k8s.io/jobset-controller"])(
    "is not one that is managed by %s",
    (managedBy) => {
      const plan = reconciled(train.withSpec({ managedBy: managedBy as never }));
      expect(requestsOf(plan)).toHaveLength(2);
    },
  );
});

describe("the plan", () => {
  it("names the JobSet as it was observed", () => {
    const jobSet = { ...train, metadata: { ...train.metadata, resourceVersion: "17" } };
    expect(reconciled(jobSet).jobSet).toEqual({
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
    expect(reconciled(jobSet as never).jobSet).toStrictEqual({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      namespace: "default",
      name: "train",
    });
  });

  it("carries over what we do not know of the status", () => {
    const status = { restarts: 0, novelty: { deep: [1] }, previousInPlaceRestartAttempt: 0 };
    expect(reconciled({ ...train, status } as never, [service]).status).toEqual({
      ...status,
      replicatedJobsStatus: [counted("w")],
    });
  });

  it("has no empty members in the status, and writes its times as the wire does", () => {
    const lastTransitionTime = new Date(earlier) as never;
    const jobSet = train.withStatus({
      conditions: [{ type: "X", status: "True", reason: "R", message: "m", lastTransitionTime }],
      restartsCountTowardsMax: 0,
    });
    expect(reconciled(jobSet, [service]).status).toStrictEqual({
      conditions: [
        { type: "X", status: "True", reason: "R", message: "m", lastTransitionTime: earlier },
      ],
      restarts: 0,
      replicatedJobsStatus: [counted("w")],
    });
  });

  it("is the same plan of a JobSet that is no object at all", () => {
    const context = { now: 0, features: new Set<never>(), quirks: NO_QUIRKS };
    for (const none of [null, undefined, 5, "train", []]) {
      expect(reconcile(snapshotOf([]), none as never, context)).toEqual(
        reconcile(snapshotOf([]), {}, context),
      );
    }
  });
});

describe("what cannot be read", () => {
  it("ends the pass before anything, when it is the Jobs", () => {
    const plan = reconciled(train, running, { readErrors: { Job: "no Jobs today" } });
    expect(plan).toMatchObject({
      steps: [],
      events: [],
      error: { phase: "classify", message: "no Jobs today" },
    });
    expect(plan).not.toHaveProperty("status");
  });

  it("ends the pass where it is needed, when it is the Services", () => {
    const old = job0.ofAttempt(-1);
    const readErrors = { Service: "no Services today" };
    const plan = reconciled(train, [old], { readErrors });
    expect(requestsOf(plan)).toEqual([["delete Job train-w-0"]]);
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
    expect(reconciled(train.withSpec({ network }), [], { readErrors }).error).toBeUndefined();
  });

  it("ends the pass before the status, when it is the Pods and they restart in place", () => {
    const readErrors = { Pod: "no Pods today" };
    const inPlace = train.withSpec({ failurePolicy: { restartStrategy: "InPlaceRestart" } });
    const plan = reconciled(inPlace, [], { readErrors, features: { InPlaceRestart: true } });
    expect(requestsOf(plan)).toHaveLength(2);
    expect(plan).toMatchObject({ error: { phase: "in-place-restart", message: "no Pods today" } });
    expect(plan).not.toHaveProperty("status");
    expect(reconciled(inPlace, [], { readErrors }).error).toBeUndefined();
    const features = { InPlaceRestart: true };
    expect(reconciled(train, [], { readErrors, features }).error).toBeUndefined();
  });
});

describe("what nobody has read", () => {
  const unread = (kind: string) =>
    `objects of kind ${kind} were not read; { kinds: ["${kind}"] } says that there are none`;

  it.each([
    { kind: "Job", kinds: ["Service", "Pod"], phase: "classify", requests: 0 },
    { kind: "Service", kinds: ["Job", "Pod"], phase: "service", requests: 0 },
    { kind: "Pod", kinds: ["Job", "Service"], phase: "in-place-restart", requests: 2 },
  ])("is not taken for absent: $kind", ({ kind, kinds, phase, requests }) => {
    const jobSet = train.withSpec({ failurePolicy: { restartStrategy: "InPlaceRestart" } });
    const features = { InPlaceRestart: true };
    const plan = reconciled(jobSet, [], { kinds, features });
    expect(plan).toMatchObject({ events: [], error: { phase, message: unread(kind) } });
    expect(plan).not.toHaveProperty("status");
    expect(requestsOf(plan)).toHaveLength(requests);
    expect(reconciled(jobSet, [], { kinds: [...kinds, kind], features }).error).toBeUndefined();
  });

  it("does not keep a pass from volume claims, which are created blindly", () => {
    const template = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } };
    const volumeClaimPolicies = [{ templates: [template] }];
    const plan = reconciled(train.withSpec({ volumeClaimPolicies }), [], {
      kinds: ["Job", "Service"],
    });
    expect(plan.error).toBeUndefined();
    expect(requestsOf(plan)).toContainEqual(["create PersistentVolumeClaim data-train"]);
  });
});

describe("what ends a pass", () => {
  it("a failed Job: nothing is created, scaled or resumed, and no Service is made", () => {
    const template = { spec: { parallelism: 8, completions: 8, template: {} } };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { replicas: 2, template })
      .withSpec({ failurePolicy: { maxRestarts: 1 } });
    const jobs = [job0.failed(), job1.suspended()];
    const plan = reconciled(jobSet, jobs, { features: { ElasticJobSet: true } });
    expect(stepsOf(plan)).toEqual([]);
    expect(conditionsOf(plan)).toEqual(["RestartingJobSet True DefaultFailurePolicy"]);
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
        const plan = reconciled(rules(action), jobs);
        expect(requestsOf(plan)).toEqual([suspends]);
        expect(plan.status?.restarts).toBe(1);
        expect(conditionsOf(plan)).toEqual([
          "RestartingJobSet False JobSetSuspended",
          "Suspended True SuspendedJobs",
        ]);
        expect(eventsOf(plan)).toEqual([
          "FailurePolicy_r",
          `${action}FailurePolicyAction`,
          "SuspendedJobs",
          "JobSetSuspended",
        ]);
      },
    );

    it("RestartJob: counts, and what runs is suspended", () => {
      const [failed, other] = jobsOfGate;
      const plan = reconciled(rules("RestartJob"), [failed?.failed(), other], { features });
      expect(requestsOf(plan)).toEqual([["update Job train-w-1"]]);
      expect(plan.status?.replicatedJobsStatus?.[0]?.jobRestarts).toEqual([1, 0]);
      expect(conditionsOf(plan)).toEqual(["Suspended True SuspendedJobs"]);
      expect(eventsOf(plan)).toEqual(["RestartJobFailurePolicyAction", "SuspendedJobs"]);
    });

    it("what its rule asks for cannot be done: what runs is suspended all the same", () => {
      const plan = reconciled(rules("RestartJob"), jobs);
      expect(plan.error?.phase).toBe("failure-policy");
      expect(requestsOf(plan)).toEqual([suspends]);
    });

    it.each([rules("FailJobSet"), train.suspended()])(
      "fails it: what runs is deleted by the next pass",
      (jobSet) => {
        const plan = reconciled(jobSet, jobs);
        expect(requestsOf(plan)).toEqual([]);
        const next = reconciled({ ...jobSet, status: plan.status }, jobs);
        expect(requestsOf(next)).toEqual([["delete Job train-gone-0", "delete Job train-w-1"]]);
      },
    );

    it("is looked at once: the Jobs of the next attempt are suspended from the beginning", () => {
      const jobSet = rules("RestartJobSet");
      const restarted = { ...jobSet, status: reconciled(jobSet, jobs).status };
      const gone = reconciled(restarted, [service]);
      const created = stepsOf(gone).flatMap(({ effects }) => effects) as readonly CreateEffect[];
      const specs = created.map(({ object }) => (object as Job).spec);
      expect(specs).toMatchObject([{ suspend: true }, { suspend: true }]);
      expect(eventsOf(gone)).toEqual([]);
    });

    it("lets what runs run on with the quirk FailureSkipsSuspension", () => {
      const quirks = new Set<Quirk>(["FailureSkipsSuspension"]);
      const plans = ["RestartJobSet", "RestartJob", "FailJobSet"].map((action) =>
        reconciled(rules(action), jobs, { quirks }),
      );
      expect(plans.map(requestsOf)).toEqual([[], [], []]);
      expect(plans.map(conditionsOf)).toEqual([
        ["RestartingJobSet True FailurePolicy_r"],
        [],
        ["Failed True FailJobSetFailurePolicyAction"],
      ]);
    });
  });

  it("but Jobs of earlier attempts are deleted even then", () => {
    const jobSet = train.restarted(1).withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconciled(jobSet, [job0, job1.ofAttempt(1).failed()]);
    expect(requestsOf(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan.status?.restarts).toBe(2);
  });

  it("failure comes before success", () => {
    const jobSet = train.withSpec({ successPolicy: { operator: "Any" } });
    const plan = reconciled(jobSet, [job0.completed(), job1.failed()]);
    expect(conditionsOf(plan)).toEqual(["Failed True FailedJobs"]);
  });

  it("success: the active Jobs go in the next pass", () => {
    const jobSet = train.withSpec({ successPolicy: { operator: "Any" } });
    const plan = reconciled(jobSet, [job0.completed(), running[1]]);
    expect(stepsOf(plan)).toEqual([]);
    expect(conditionsOf(plan)).toEqual(["Completed True AllJobsCompleted"]);
    const next = reconciled({ ...jobSet, status: plan.status }, [job0.completed(), running[1]]);
    expect(requestsOf(next)).toEqual([["delete Job train-w-1"]]);
    expect(next.status).toBeUndefined();
  });

  it("a success that is not enough does not", () => {
    const plan = reconciled(train, [service, job0.completed()]);
    expect(requestsOf(plan)).toEqual([["create Job train-w-1"]]);
  });

  it("more Jobs than can be planned", () => {
    const jobSet = train.withReplicatedJob("many", { replicas: 200_000 });
    const plan = reconciled(jobSet, [service]);
    expect(plan.error).toEqual({
      phase: "create-jobs",
      message: "the JobSet asks for 200002 Jobs, and no more than 200000 can be planned",
      object: { kind: "JobSet", name: "train" },
    });
  });
});

describe("a finished JobSet", () => {
  it.each(["Completed", "Failed"])(
    "that is %s has its active Jobs deleted, and no others",
    (type) => {
      const jobs = [
        job0.completed(),
        job1.failed(),
        aJob("train-w-2").withStatus({ active: 1 }),
        aJob("train-w-3").beingDeleted(),
        aJob("train-w-4").ofAttempt(-1),
        aJob("train-w-5").ofAttempt(-1).completed(),
      ];
      const plan = reconciled(withConditions(train, type), jobs);
      expect(requestsOf(plan)).toEqual([["delete Job train-w-2", "delete Job train-w-4"]]);
      expect(plan.status?.replicatedJobsStatus).toEqual([
        counted("w", { succeeded: 1, failed: 1 }),
      ]);
      expect(plan.events).toEqual([]);
    },
  );

  it("leaves Jobs of earlier attempts with the quirk EndSparesEarlierAttempts", () => {
    const quirks = ["EndSparesEarlierAttempts"] as const;
    const jobs = [aJob("train-w-2"), aJob("train-w-4").ofAttempt(-1)];
    const plan = reconciled(withConditions(train, "Failed"), jobs, { quirks });
    expect(requestsOf(plan)).toEqual([["delete Job train-w-2"]]);
  });

  it("goes on counting its Jobs as they go", () => {
    const jobSet = withConditions(train, "Completed").withStatus({
      replicatedJobsStatus: [counted("w", { succeeded: 2 })],
    });
    const one = reconciled(jobSet, [job0.completed()]);
    expect(one.status?.replicatedJobsStatus).toEqual([counted("w", { succeeded: 1 })]);
    expect(stepsOf(one)).toEqual([]);
    expect(reconciled(jobSet, [job0.completed(), job1.completed()]).status).toBeUndefined();
  });

  it("is judged by its conditions, never by terminalState", () => {
    const jobSet = train.withStatus({ terminalState: "Completed" });
    expect(requestsOf(reconciled(jobSet, [service]))).toEqual([
      ["create Job train-w-0", "create Job train-w-1"],
    ]);
  });

  it("is not restarted, resumed or served", () => {
    const plan = reconciled(withConditions(train, "Failed", "Suspended"), [job0.failed()], {
      features: { ExecutionAttemptsTracking: true },
    });
    expect(stepsOf(plan)).toEqual([]);
    expect(plan.status).not.toHaveProperty("executionAttempts");
  });
});

describe("the failure policy's actions", () => {
  const jobs = [job0.failed(), running[1]] as const;
  const rule = (action: FailurePolicyAction) =>
    train.withSpec({ failurePolicy: { maxRestarts: 2, rules: [{ name: "one", action }] } });
  const text = (action: string) =>
    `applying ${action} failure policy action (first failed job: train-w-0)`;

  it("fail the JobSet without a policy", () => {
    const plan = reconciled(train, jobs);
    const message = "jobset failed due to one or more job failures (first failed job: train-w-0)";
    expect(plan.events).toEqual([{ type: "Warning", reason: "FailedJobs", message }]);
    expect(plan.status).toMatchObject({ terminalState: "Failed" });
    expect(plan.metrics.map(({ name }) => name)).toEqual(["jobset_failed_total"]);
  });

  it.each([
    ["RestartJobSet", 1],
    ["RestartJobSetAndIgnoreMaxRestarts", undefined],
  ] as const)("%s counts a restart, towards the limit: %s", (action, countedRestarts) => {
    const plan = reconciled(rule(action), jobs);
    const message = text(action);
    expect(plan.events).toEqual([
      { type: "Warning", reason: "FailurePolicy_one", message },
      { type: "Warning", reason: `${action}FailurePolicyAction`, message },
    ]);
    expect(plan.status).toMatchObject({ restarts: 1 });
    expect(plan.status?.restartsCountTowardsMax).toBe(countedRestarts);
    expect(conditionsOf(plan)).toEqual(["RestartingJobSet True FailurePolicy_one"]);
    expect(plan.metrics).toEqual([]);
  });

  it("has one Event only when the condition says the same already", () => {
    const message = text("RestartJobSet");
    const status = {
      conditions: [
        {
          type: "RestartingJobSet",
          status: "True" as const,
          reason: "FailurePolicy_one",
          message,
          lastTransitionTime: earlier,
        },
      ],
    };
    const plan = reconciled(rule("RestartJobSet").withStatus(status), jobs);
    expect(eventsOf(plan)).toEqual(["RestartJobSetFailurePolicyAction"]);
    expect(plan.status).toMatchObject({ ...status, restarts: 1 });
  });

  it.each([
    ["RestartJob", [1, 0]],
    ["RestartJobAndIgnoreMaxRestarts", undefined],
  ] as const)(
    "%s counts a restart of the one Job, towards the limit: %j",
    (action, countedRestarts) => {
      const plan = reconciled(rule(action), jobs, { features: { RestartJob: true } });
      expect(plan.events).toEqual([
        { type: "Warning", reason: `${action}FailurePolicyAction`, message: text(action) },
      ]);
      expect(plan.status).toEqual({
        restarts: 0,
        replicatedJobsStatus: [
          counted("w", {
            failed: 1,
            ready: 1,
            active: 1,
            jobRestarts: [1, 0],
            ...(countedRestarts !== undefined && {
              jobRestartsCountTowardsMax: [...countedRestarts],
            }),
          }),
        ],
      });
    },
  );

  it("count the restart of one Job even when nothing else is to be written", () => {
    const stored = counted("w", { failed: 1, ready: 1, active: 1, jobRestarts: [0, 0] });
    const jobSet = rule("RestartJobAndIgnoreMaxRestarts").withStatus({
      replicatedJobsStatus: [stored],
    });
    const plan = reconciled(jobSet, jobs, { features: { RestartJob: true } });
    expect(plan.status?.replicatedJobsStatus).toEqual([{ ...stored, jobRestarts: [1, 0] }]);
  });

  it("leave the counts of single restarts alone when all Jobs restart", () => {
    const stored = counted("w", { jobRestarts: [0, 4], jobRestartsCountTowardsMax: [0, 1] });
    const jobSet = rule("RestartJobSet").withStatus({ replicatedJobsStatus: [stored] });
    const plan = reconciled(jobSet, jobs, { features: { RestartJob: true } });
    expect(plan.status?.restarts).toBe(1);
    expect(plan.status?.replicatedJobsStatus?.[0]).toMatchObject({
      jobRestarts: [0, 4],
      jobRestartsCountTowardsMax: [0, 1],
    });
  });

  it("never count beyond 32 bits, nor down", () => {
    for (const restarts of [2_147_483_647, 2_147_483_650]) {
      const jobSet = rule("RestartJobSetAndIgnoreMaxRestarts").withStatus({ restarts });
      const plan = reconciled(jobSet, [job0.ofAttempt(restarts).failed()]);
      expect(plan.status?.restarts).toBe(restarts);
    }
  });

  it("say which rule decided, and about which Job", () => {
    expect(reconciled(rule("FailJobSet"), jobs).decisions.at(-1)).toEqual({
      phase: "failure-policy",
      rule: "FailJobSet",
      object: { kind: "Job", name: "train-w-0" },
      message: "Job train-w-0 failed, rule one applies: FailJobSet (FailJobSetFailurePolicyAction)",
    });
  });
});

describe("conditions over a lifetime", () => {
  const restarting = withConditions(train, "RestartingJobSet");
  const wide = (jobs: readonly AJob[]) =>
    jobs.map((job) => job.withSpec({ parallelism: 4, completions: 4 }));

  it("turn RestartingJobSet False when all Jobs are ready or have succeeded", () => {
    const jobs = [job0.withStatus({ ready: 1 }), job1.completed()];
    expect(conditionsOf(reconciled(restarting, [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
    expect(conditionsOf(reconciled(restarting, [service, ...wide(running)]))).toEqual([
      "RestartingJobSet True R",
    ]);
  });

  it("and not while the JobSet is suspended, whatever is ready", () => {
    const jobs = [job0, job1].map((job) => job.suspended().withSpec({ parallelism: 0 }));
    expect(conditionsOf(reconciled(restarting.suspended(), [service, ...jobs]))).toEqual([
      "RestartingJobSet False JobSetSuspended",
      "Suspended True SuspendedJobs",
    ]);
  });

  it("hold trivially when there are no Jobs to be ready", () => {
    const jobSet = withConditions(aJobSet("train"), "RestartingJobSet");
    expect(conditionsOf(reconciled(jobSet, [service]))).toEqual([
      "RestartingJobSet False JobsReady",
    ]);
  });

  it("introduce no False ones", () => {
    const plan = reconciled(train, [service, ...running]);
    expect(plan.status?.conditions).toBeUndefined();
    expect(plan.events).toEqual([]);
  });

  it("are written with an Event for each that changed", () => {
    const plan = reconciled(restarting.suspended(), [service, ...running]);
    expect(plan.events).toEqual([
      { type: "Normal", reason: "SuspendedJobs", message: "jobset is suspended" },
      { type: "Normal", reason: "JobSetSuspended", message: "jobset is suspended" },
    ]);
  });

  it("are not turned on again by a resume that follows a restart", () => {
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
    expect(conditionsOf(reconciled(jobSet, [service, job0.suspended(), job1.suspended()]))).toEqual(
      ["RestartingJobSet False JobSetSuspended", "Suspended False ResumeJobs"],
    );
  });
});

describe("the Service", () => {
  it("is made only when DNS host names are on", () => {
    for (const network of [undefined, {}, { enableDNSHostnames: false }]) {
      expect(requestsOf(reconciled(train.withSpec({ network })))).toEqual([
        ["create Job train-w-0", "create Job train-w-1"],
      ]);
    }
  });

  it("has the name of the subdomain, and one of that name in another namespace is none", () => {
    const network = { enableDNSHostnames: true, subdomain: "net" };
    const others = [aService("train"), aService("net").inNamespace("ml")];
    const plan = reconciled(train.withSpec({ network }), others);
    expect(requestsOf(plan)[0]).toEqual(["create Service net"]);
  });

  describe("that selects the Pods of another JobSet", () => {
    const other = { ...service, spec: { selector: { "jobset.sigs.k8s.io/jobset-name": "other" } } };
    const message =
      "Service train selects the Pods of JobSet other, so those of this JobSet have no DNS host names";
    const conflict = { type: "Warning", reason: "HeadlessServiceConflict", message };

    it("is told by each plan, and by an Event with the first status", () => {
      const first = reconciled(train, [other, job0]);
      expect(first.warnings).toEqual([message]);
      expect(first.decisions).toContainEqual({
        phase: "service",
        rule: "ServiceConflict",
        object: { kind: "Service", name: "train" },
        message,
      });
      expect(first.events).toEqual([conflict]);
      expect(requestsOf(first)).toEqual([["create Job train-w-1"]]);

      const counting = reconciled({ ...train, status: first.status }, [other, ...running]);
      expect(counting.status).toBeDefined();
      expect([counting.warnings, counting.events]).toEqual([[message], []]);
    });

    it("is told by a first status that is about a failed Job, too", () => {
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1 } });
      const plan = reconciled(jobSet, [other, job0.failed()]);
      expect(plan.status).toMatchObject({ restarts: 1 });
      expect(plan.events[0]).toEqual(conflict);
    });

    it("is told by no Event where no status is written", () => {
      const plan = reconciled(aJobSet("train"), [other]);
      expect(plan.warnings).toEqual([message]);
      expect([plan.events, plan.status]).toEqual([[], undefined]);
    });

    it.each<[string, Service, AJobSet]>([
      ["without a selector", service, train],
      ["with other labels", { ...service, spec: { selector: { app: "other" } } }, train],
      [
        "of its own",
        { ...other, spec: { selector: { "jobset.sigs.k8s.io/jobset-name": "train" } } },
        train,
      ],
      [
        "that it does not ask for",
        other,
        train.withSpec({ network: { enableDNSHostnames: false } }),
      ],
    ])("is not one %s", (_, existing, jobSet) => {
      const plan = reconciled(jobSet, [existing, job0]);
      expect([plan.warnings, plan.events]).toEqual([[], []]);
    });

    it("is not told with the quirk ServiceConflictUnsaid", () => {
      const plan = reconciled(train, [other, job0], { quirks: ["ServiceConflictUnsaid"] });
      expect([plan.warnings, plan.events]).toEqual([[], []]);
    });
  });

  it("is made once, and may not exist when it is", () => {
    const [step] = stepsOf(reconciled(train));
    expect(step).toMatchObject({
      phase: "service",
      concurrency: 1,
      afterFailure: "SkipOthers",
      needs: [],
      failureEventReason: "HeadlessServiceCreationFailed",
      effects: [{ whenExists: "Fail" }],
    });
  });
});

describe("volume claims", () => {
  const policy = (...names: string[]) => ({
    templates: names.map((name) => ({ metadata: { name }, spec: {} })),
  });
  const jobSet = aJobSet("train").withSpec({
    volumeClaimPolicies: [policy("data", "logs"), policy("cache"), policy("old")],
  });

  it("are made policy by policy, those that exist left out, whoever has them", () => {
    const plan = reconciled(jobSet, [service, aClaim("logs-train"), aClaim("old-train")]);
    expect(requestsOf(plan)).toEqual([
      ["create PersistentVolumeClaim data-train"],
      ["create PersistentVolumeClaim cache-train"],
    ]);
  });

  it("do not mind that they exist after all, and the next policy is gone through in any case", () => {
    expect(stepsOf(reconciled(jobSet, [service]))[0]).toMatchObject({
      phase: "volume-claims",
      concurrency: 1,
      afterFailure: "SkipOthers",
      needs: [],
      failureEventReason: "PVCCreationFailed",
      effects: [{ whenExists: "Succeed" }, { whenExists: "Succeed" }],
    });
  });
});

describe("the creation of Jobs", () => {
  it("is one step a ReplicatedJob, up to fifty at once", () => {
    const jobSet = train.withReplicatedJob("v");
    const steps = stepsOf(reconciled(jobSet, [service]));
    expect(steps.map(({ effects }) => effects.length)).toEqual([2, 1]);
    expect(steps[0]).toMatchObject({
      phase: "create-jobs",
      concurrency: 50,
      afterFailure: "TryOthers",
      needs: ["service", "volume-claims"],
      errorText: 'job "<name>" creation failed with error: <error>',
      failureEventReason: "JobCreationFailed",
    });
  });

  it("waits for dependencies, and goes on with the others", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Complete" }] })
      .withReplicatedJob("c");
    const plan = reconciled(jobSet, [service]);
    expect(requestsOf(plan)).toEqual([["create Job train-a-0"], ["create Job train-c-0"]]);
    expect(plan.decisions).toContainEqual({
      phase: "create-jobs",
      rule: "DependencyNotReached",
      object: { kind: "ReplicatedJob", name: "b" },
      message: "waits until a is Complete",
    });
    const done = aJob("train-a-0").completed();
    expect(requestsOf(reconciled(jobSet, [service, done]))).toEqual([
      ["create Job train-b-0"],
      ["create Job train-c-0"],
    ]);
  });

  it("says on what it waits in text, whatever the spec says", () => {
    const odd = { toString: 1 };
    const dependsOn = [{ name: odd, status: odd }] as never;
    const jobSet = aJobSet("train").withReplicatedJob("a", { dependsOn });
    expect(reconciled(jobSet, [service]).decisions.at(-1)?.message).toBe("waits until  is ");
  });

  it("leaves alone the Jobs beyond the replicas and those of unknown ReplicatedJobs", () => {
    const others = [aJob("train-w-7"), aJob("train-gone-0")];
    const plan = reconciled(train, [service, ...others, ...running]);
    expect(stepsOf(plan)).toEqual([]);
    expect(plan.warnings).toEqual([
      "Job train-gone-0 belongs to no ReplicatedJob of the JobSet and counts nowhere",
      "Job train-w-7 belongs to no ReplicatedJob of the JobSet and counts nowhere",
    ]);
  });
});

describe("what may be refused", () => {
  const likeUpstream = { quirks: new Set<Quirk>(["RefusalEndsPass"]) };
  const jobSet = train.withReplicatedJob("v");

  it("comes behind the suspension, which does not depend on it", () => {
    const suspended = jobSet.suspended();
    const plan = reconciled(suspended, running);
    const [suspends, service, creates] = [
      ["update Job train-w-0", "update Job train-w-1"],
      ["create Service train"],
      ["create Job train-v-0"],
    ];
    expect(requestsOf(plan)).toEqual([suspends, service, creates]);
    expect(requestsOf(reconciled(suspended, running, likeUpstream))).toEqual([
      service,
      creates,
      suspends,
    ]);
  });

  it("keeps no Job from being resumed, and none of other ReplicatedJobs from being created", () => {
    const resumes = ["update Job train-w-0"];
    const creates = [["create Job train-w-1"], ["create Job train-v-0"]];
    const stopped = [service, job0.suspended()];
    const plan = reconciled(jobSet, stopped);
    expect(requestsOf(plan)).toEqual([resumes, ...creates]);
    expect(stepsOf(plan).flatMap(({ needs }) => needs)).not.toContain("create-jobs");
    const upstream = reconciled(jobSet, stopped, likeUpstream);
    expect(requestsOf(upstream)).toEqual([...creates, resumes]);
    expect(stepsOf(upstream).map(({ needs }) => needs)).toEqual([
      [],
      ["create-jobs"],
      ["create-jobs"],
    ]);
  });

  it("is told, unless the Job is only not as it was seen; with the quirk it is not", () => {
    const reasons = { "delete-previous": "JobDeletionFailed", suspend: "JobUpdateFailed" };
    const old = aJob("train-w-1").ofAttempt(0);
    const restarted = jobSet.suspended().withStatus({ restarts: 1 });
    const [deletes, suspends] = stepsOf(reconciled(restarted, [service, old, job0.ofAttempt(1)]));
    for (const step of [deletes, suspends]) {
      expect(step).toMatchObject({
        failureEventReason: reasons[step?.phase as keyof typeof reasons],
        untoldReasons: ["Conflict", "NotFound"],
        errorText: expect.stringMatching(/^job "<name>" \w+ failed with error: <error>$/),
      });
    }
    const upstream = reconciled(restarted, [service, old, job0.ofAttempt(1)], likeUpstream);
    const told = stepsOf(upstream).map(({ failureEventReason }) => failureEventReason);
    expect(told).toEqual([undefined, "JobCreationFailed", undefined]);
  });

  it("keeps no status from being written that was so before", () => {
    const plan = reconciled(jobSet.suspended(), [service, job0.suspended(), job1.suspended()]);
    expect(requestsOf(plan)).toEqual([["create Job train-v-0"]]);
    expect(plan.regardless?.step).toEqual({ ...plan.steps.at(-1), needs: [] });
    expect(plan.regardless?.events).toEqual(plan.events);
    expect(eventsOf(plan)).toEqual(["SuspendedJobs"]);
  });

  it("is not said to have been done: in that status there is only what was decided before", () => {
    const suspension = { type: "Suspended", status: "True", reason: "x", message: "x" } as const;
    const stopped = train.withStatus({ conditions: [suspension as never] });
    const plan = reconciled(stopped, [service, job0.suspended(), job1.suspended()]);
    expect(requestsOf(plan)).toEqual([["update Job train-w-0", "update Job train-w-1"]]);
    expect(conditionsOf(plan)).toEqual(["Suspended False ResumeJobs"]);
    const { step, events } = plan.regardless ?? {};
    expect(step?.effects).toMatchObject([{ object: { status: { conditions: [suspension] } } }]);
    expect(events).toEqual([]);
  });

  it("has nothing written in its place where nothing was decided before, nor with the quirk", () => {
    const counted = { ...jobSet, status: reconciled(jobSet, [service, ...running]).status };
    expect(reconciled(counted, [service, ...running]).regardless).toBeUndefined();
    expect(reconciled(jobSet, [service], likeUpstream).regardless).toBeUndefined();
  });
});

describe("suspension", () => {
  it("suspends every active Job that is not, one after the other", () => {
    const jobs = [job0.withStatus({ active: 1 }), job1.suspended(), aJob("train-gone-0")];
    const plan = reconciled(train.suspended(), [service, ...jobs]);
    expect(requestsOf(plan)).toEqual([["update Job train-gone-0", "update Job train-w-0"]]);
    expect(stepsOf(plan)[0]).toMatchObject({
      phase: "suspend",
      concurrency: 1,
      afterFailure: "TryOthers",
      effects: [
        {},
        {
          object: { apiVersion: "batch/v1", kind: "Job", spec: { suspend: true } },
          changes: [{ path: ["spec", "suspend"], value: true }],
        },
      ],
    });
    expect(eventsOf(plan)).toEqual(["SuspendedJobs"]);
  });

  it("says so even when there was nothing to suspend, and says it once", () => {
    const plan = reconciled(train.suspended(), [service, job0.suspended(), job1.suspended()]);
    expect(stepsOf(plan)).toEqual([]);
    expect(conditionsOf(plan)).toEqual(["Suspended True SuspendedJobs"]);
    const next = { ...train.suspended(), status: plan.status };
    const again = reconciled(next, [service, job0.suspended(), job1.suspended()]);
    expect(again).toMatchObject({ events: [] });
    expect(again.status).toBeUndefined();
  });

  it("resumes Jobs in the order of the spec, those of unknown ReplicatedJobs never", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w").withReplicatedJob("a");
    const jobs = ["train-a-0", "train-w-0", "train-gone-0"].map((name) => aJob(name).suspended());
    const plan = reconciled(withConditions(jobSet, "Suspended"), [service, ...jobs]);
    expect(requestsOf(plan)).toEqual([["update Job train-w-0"], ["update Job train-a-0"]]);
    expect(conditionsOf(plan)).toEqual(["Suspended False ResumeJobs"]);
  });

  it("resumes no Job whose ReplicatedJob waits, and is over all the same", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Ready" }] });
    const jobs = [aJob("train-a-0").suspended(), aJob("train-b-0").suspended()];
    const plan = reconciled(withConditions(jobSet, "Suspended"), [service, ...jobs]);
    expect(requestsOf(plan)).toEqual([["update Job train-a-0"]]);
    expect(conditionsOf(plan)).toEqual(["Suspended False ResumeJobs"]);
  });

  describe("of a Job whose Pods have not stopped yet", () => {
    const moved = aJobSet("train").withReplicatedJob("w", {
      replicas: 3,
      template: { spec: { template: { spec: { containers: [], nodeSelector: { pool: "b" } } } } },
    });
    const jobs = [
      aJob("train-w-0").suspended().withStatus({ active: 1 }),
      aJob("train-w-1").suspended().withStatus({ active: 0 }),
      aJob("train-w-2").suspended().withStatus({ active: 2 }),
    ];

    it("waits where its template changes, and holds up no other", () => {
      const plan = reconciled(withConditions(moved, "Suspended"), [service, ...jobs]);
      expect(requestsOf(plan)).toEqual([["update Job train-w-1"]]);
      expect(plan.decisions.filter(({ phase }) => phase === "resume")).toMatchObject([
        {
          rule: "PodsNotStopped",
          object: { kind: "ReplicatedJob", name: "w" },
          message: "suspended Jobs whose Pods have to stop before their template can change: 2",
        },
        { rule: "JobSetResumed" },
      ]);
      expect(plan.requeueAfterSeconds).toBeUndefined();
    });

    it("does not wait with the quirk ResumePrecedesStop", () => {
      const quirks = ["ResumePrecedesStop"] as const;
      const plan = reconciled(withConditions(moved, "Suspended"), [service, ...jobs], { quirks });
      expect(requestsOf(plan)).toEqual([
        ["update Job train-w-0", "update Job train-w-1", "update Job train-w-2"],
      ]);
    });
  });

  it("ends under startup in order only once all have started", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b")
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const [a, b] = [aJob("train-a-0"), aJob("train-b-0")];
    const suspended = withConditions(jobSet, "Suspended");
    const first = reconciled(suspended, [service, a.suspended(), b.suspended()]);
    expect(requestsOf(first)).toEqual([["update Job train-a-0"]]);
    expect(conditionsOf(first)).toEqual([
      "Suspended True R",
      "StartupPolicyInProgress True InOrderStartupPolicyInProgress",
    ]);
    const second = reconciled(suspended, [service, a.withStatus({ ready: 1 }), b.suspended()]);
    expect(requestsOf(second)).toEqual([["update Job train-b-0"]]);
    const ready = [a, b].map((job) => job.withStatus({ ready: 1 }));
    expect(conditionsOf(reconciled(suspended, [service, ...ready]))).toEqual([
      "Suspended False ResumeJobs",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
  });

  it("sends what resumes a Job that has a start time in two writes on top of each other", () => {
    const startTime = new Date(earlier);
    const job = job0.suspended().withStatus({ startTime: startTime as never, active: 0 });
    const metadata = { ...job.metadata, resourceVersion: "5" };
    const plan = reconciled(train, [service, { ...job, metadata }, running[1]]);
    const [step] = stepsOf(plan);
    expect(step).toMatchObject({ phase: "resume", concurrency: 1, afterFailure: "TryOthers" });
    const [reset, update] = step?.effects ?? [];
    expect(reset).toMatchObject({
      verb: "updateStatus",
      object: { metadata: { resourceVersion: "5" }, spec: { suspend: true } },
      changes: [{ path: ["status", "startTime"] }],
    });
    expect(reset).not.toHaveProperty("object.status.startTime");
    expect(update).toMatchObject({
      verb: "update",
      object: { metadata: { resourceVersion: "5" }, spec: { suspend: false } },
    });
    expect(update).not.toHaveProperty("object.status.startTime");
  });
});

describe("elastic scaling", () => {
  const features = { ElasticJobSet: true };
  const template = {
    spec: { ...aReplicatedJob("w").template.spec, parallelism: 4, completions: 4 },
  };
  const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 2, template });

  it("patches every active Job that differs, suspended and deleting ones included", () => {
    const jobs = [
      job0.suspended(),
      job1.beingDeleted(),
      aJob("train-w-2").withSpec({ parallelism: 4, completions: 4 }),
      aJob("train-w-3").completed(),
      aJob("train-gone-0"),
    ];
    const plan = reconciled(jobSet.suspended(), [service, ...jobs], { features });
    expect(requestsOf(plan)).toEqual([
      ["update Job train-gone-0", "update Job train-w-1", "update Job train-w-2"],
      ["patch Job train-w-0", "patch Job train-w-1"],
    ]);
    expect(stepsOf(plan)[1]).toMatchObject({
      phase: "scale",
      concurrency: 1,
      afterFailure: "TryOthers",
      errorText: 'failed to patch job "<name>" for scaling: <error>',
      effects: [{ patch: { spec: { parallelism: 4, completions: 4 } } }, {}],
    });
  });

  it("does so only under its gate", () => {
    expect(stepsOf(reconciled(jobSet, [service, ...running]))).toEqual([]);
  });

  it("comes before resume, which builds on it", () => {
    const plan = reconciled(jobSet, [service, job0.suspended()], { features });
    expect(requestsOf(plan)).toEqual([
      ["patch Job train-w-0"],
      ["update Job train-w-0"],
      ["create Job train-w-1"],
    ]);
    expect(stepsOf(plan)[1]?.effects[0]).toMatchObject({
      object: { spec: { parallelism: 4, completions: 4, suspend: false } },
    });
  });
});

describe("restarts in place", () => {
  const features = { InPlaceRestart: true };
  const jobSet = train.withSpec({
    failurePolicy: { maxRestarts: 3, restartStrategy: "InPlaceRestart" },
  });
  const pods = (...attempts: string[]) =>
    attempts.map((attempt, index) =>
      aPod(`train-w-${index}-0-abcde`).withAnnotations({
        "jobset.sigs.k8s.io/in-place-restart-attempt": attempt,
      }),
    );
  const settled = jobSet.withStatus({
    replicatedJobsStatus: [counted("w", { ready: 2, active: 2 })],
  });

  it("move the attempts without any Event", () => {
    const all = reconciled(settled, [service, ...running, ...pods("1", "1")], { features });
    expect(all.status).toMatchObject({ currentInPlaceRestartAttempt: 1 });
    expect([stepsOf(all), all.events]).toEqual([[], []]);
    const some = reconciled(settled, [service, ...running, ...pods("0", "1")], { features });
    expect(some.status).toMatchObject({ previousInPlaceRestartAttempt: 0 });
    const first = reconciled(settled, [service, ...running, ...pods("0", "0")], { features });
    expect(first.status).toMatchObject({ currentInPlaceRestartAttempt: 0 });
  });

  it("do not fall when old Pods are seen, but for the quirk CurrentAttemptFalls", () => {
    const ahead = settled.withStatus({
      replicatedJobsStatus: [counted("w", { ready: 2, active: 2 })],
      currentInPlaceRestartAttempt: 2,
    });
    const objects = [service, ...running, ...pods("1", "1")];
    expect(reconciled(ahead, objects, { features }).status).toBeUndefined();
    const quirks = ["CurrentAttemptFalls"] as const;
    expect(reconciled(ahead, objects, { features, quirks }).status).toMatchObject({
      currentInPlaceRestartAttempt: 1,
    });
  });

  it("are moved while the JobSet is suspended, too", () => {
    const objects = [service, ...running, ...pods("1", "1")];
    const plan = reconciled(settled.suspended(), objects, { features });
    expect(plan.status).toMatchObject({ currentInPlaceRestartAttempt: 1 });
  });

  it("fail the JobSet without naming a Job, after the Jobs of the pass", () => {
    const plan = reconciled(settled, [service, running[0], ...pods("4")], { features });
    expect(requestsOf(plan)).toEqual([["create Job train-w-1"]]);
    expect(plan.events).toEqual([
      {
        type: "Warning",
        reason: "ReachedMaxRestarts",
        message: "jobset failed due to reaching max number of restarts",
      },
    ]);
    expect(plan.status).toMatchObject({ terminalState: "Failed" });
    expect(plan.metrics).toHaveLength(1);
    expect(plan.decisions.at(-1)?.message).toBe(
      "4 restarts (RestartAttempts) are more than maxRestarts",
    );
    const next = reconciled({ ...settled, status: plan.status }, running, { features });
    expect(requestsOf(next)).toEqual([["delete Job train-w-0", "delete Job train-w-1"]]);
  });
});

describe("the count of executions (KEP-1282)", () => {
  const features = { ExecutionAttemptsTracking: true };
  const key = "jobset.sigs.k8s.io/execution-attempt";
  const suspended = withConditions(train, "Suspended");
  const attemptsOf = (plan: Plan) => plan.status?.executionAttempts;
  const annotationsOf = (plan: Plan) =>
    stepsOf(plan)
      .flatMap(({ effects }) => effects)
      .filter((effect): effect is CreateEffect => effect.verb === "create")
      .map(({ object }) => object as Job)
      .filter(({ kind }) => kind === "Job")
      .map(({ metadata, spec }) => [
        metadata.annotations?.[key],
        spec.template.metadata?.annotations?.[key],
        metadata.labels?.[key],
      ]);

  it("stays as it is without the gate, and no Job is told (E1)", () => {
    expect(attemptsOf(reconciled(train))).toBeUndefined();
    const stored = train.withStatus({ executionAttempts: 4 });
    const plan = reconciled(stored);
    expect(attemptsOf(plan)).toBe(4);
    expect(annotationsOf(plan)).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("begins with the restarts, and the Jobs of that very pass are told (E2)", () => {
    const plan = reconciled(train.restarted(2), [service, job0.ofAttempt(2)], { features });
    expect(attemptsOf(plan)).toBe(2);
    expect(annotationsOf(plan)).toEqual([["2", "2", undefined]]);
    expect(plan.decisions).toContainEqual({
      phase: "execution-attempts",
      rule: "Initialize",
      object: { kind: "JobSet", name: "train" },
      message: "status.executionAttempts becomes 2",
    });
  });

  it("is 0 for a JobSet that runs for the first time (E3)", () => {
    const plan = reconciled(train, [], { features });
    expect(attemptsOf(plan)).toBe(0);
    expect(annotationsOf(plan)).toEqual([
      ["0", "0", undefined],
      ["0", "0", undefined],
    ]);
    expect(JSON.stringify(plan.status)).toContain('"executionAttempts":0');
  });

  it("stays unset while a JobSet that was created suspended has not run, and its Jobs are of execution 0", () => {
    const plan = reconciled(train.suspended(), [], { features });
    expect(attemptsOf(plan)).toBeUndefined();
    expect(annotationsOf(plan)).toEqual([
      ["0", "0", undefined],
      ["0", "0", undefined],
    ]);
    const next = { ...train.suspended(), status: plan.status };
    const jobs = [job0.suspended(), job1.suspended()];
    expect(reconciled(next, [service, ...jobs], { features }).status?.executionAttempts).toBe(
      undefined,
    );
  });

  it("goes up in the write that ends the suspension, before any Job runs (E4)", () => {
    const jobSet = suspended.withStatus({ executionAttempts: 4 });
    const jobs = [job0.suspended(), job1.suspended()];
    const plan = reconciled(jobSet, jobs, { features });
    // The Service comes first; nothing of the Jobs is touched.
    expect(requestsOf(plan)).toEqual([["create Service train"]]);
    expect(attemptsOf(plan)).toBe(5);
    expect(conditionsOf(plan)).toEqual(["Suspended False ResumeJobs"]);
    expect(eventsOf(plan)).toEqual(["ResumeJobs"]);

    const next = reconciled({ ...jobSet, status: plan.status }, [service, ...jobs], { features });
    expect(requestsOf(next)).toEqual([["update Job train-w-0", "update Job train-w-1"]]);
    expect(next.status).toBeUndefined();
    const effect = stepsOf(next)[0]?.effects[0];
    expect(effect).toMatchObject({
      object: {
        metadata: { annotations: { [key]: "5" } },
        spec: { template: { metadata: { annotations: { [key]: "5" } } } },
      },
    });
  });

  it("ends the suspension at once even under startup in order", () => {
    const jobSet = suspended.withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const plan = reconciled(jobSet, [service, job0.suspended()], { features });
    expect(stepsOf(plan)).toEqual([]);
    expect(conditionsOf(plan)).toEqual(["Suspended False ResumeJobs"]);
    expect(attemptsOf(plan)).toBe(0);
  });

  it("goes up once a resume, however often its write meets a conflict", () => {
    const jobSet = suspended.withStatus({ executionAttempts: 4 });
    const twice = [1, 2].map(() => attemptsOf(reconciled(jobSet, [service], { features })));
    expect(twice).toEqual([5, 5]);
  });

  it.each(["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"] as const)(
    "goes up with %s, in the write that counts the restart (E5)",
    (action) => {
      const jobSet = train
        .withStatus({ executionAttempts: 4 })
        .withSpec({ failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action }] } });
      expect(reconciled(jobSet, [job0.failed()], { features }).status).toMatchObject({
        restarts: 1,
        executionAttempts: 5,
      });
      expect(reconciled(jobSet, [job0.failed()]).status).toMatchObject({ executionAttempts: 4 });
    },
  );

  it("goes up together with a first count in the same pass, and is never below the restarts (E7)", () => {
    const jobSet = train.restarted(2).withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconciled(jobSet, [job0.ofAttempt(2).failed()], { features });
    expect(plan.status).toMatchObject({ restarts: 3, executionAttempts: 3 });
  });

  it("stays unset with a restart while nothing has run, and begins with the next pass", () => {
    const jobSet = train.suspended().withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconciled(jobSet, [job0.suspended().failed()], { features });
    expect(plan.status).toMatchObject({ restarts: 1 });
    expect(attemptsOf(plan)).toBeUndefined();
    const next = reconciled({ ...jobSet, status: plan.status }, [], { features });
    expect(attemptsOf(next)).toBe(1);
  });

  it("does not go up with the restart of a single Job, or one in place (E5)", () => {
    const single = train.withStatus({ executionAttempts: 4 }).withSpec({
      failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action: "RestartJob" }] },
    });
    const gates = { ...features, RestartJob: true };
    expect(attemptsOf(reconciled(single, [job0.failed()], { features: gates }))).toBe(4);
  });
});

describe("resources on resume (KEP-1150)", () => {
  const features = { MutablePodResourcesForSuspendedJobSets: true };
  const container = (cpu: string) => ({
    name: "main",
    image: "img",
    resources: { requests: { cpu } },
  });
  const podSpec = (cpu: string): PodSpec => ({
    restartPolicy: "Never",
    containers: [container(cpu)],
  });
  const template = {
    spec: { ...aReplicatedJob("w").template.spec, template: { spec: podSpec("4") } },
  };
  const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 3, template });
  const suspendedJob = (index: number, cpu: string, startTime?: string) =>
    aJob(`train-w-${index}`)
      .suspended()
      .withSpec({ template: { spec: podSpec(cpu) } })
      .withStatus({ startTime });
  const propagation = {
    failureEventReason: "FailedResourcePropagation",
    failureEventText:
      "Failed to propagate mutated resources to child Job: <error>. Ensure MutablePodResourcesForSuspendedJobs is enabled on the API server.",
  };
  const blamed = (steps: readonly Step[]) => steps.map((step) => step.failureEventReason);

  it("become the template's under the gate", () => {
    const jobs = [0, 1, 2].map((index) => suspendedJob(index, "1"));
    const plan = reconciled(jobSet, [service, ...jobs], { features });
    expect(requestsOf(plan)).toEqual([
      ["update Job train-w-0", "update Job train-w-1", "update Job train-w-2"],
    ]);
    expect(stepsOf(plan)[0]).toMatchObject(propagation);
    expect(stepsOf(plan)[0]?.effects[0]).toMatchObject({
      object: { spec: { template: { spec: podSpec("4") } } },
    });
  });

  it("stay the Job's without the gate", () => {
    const jobs = [0, 1, 2].map((index) => suspendedJob(index, "1"));
    const plan = reconciled(jobSet, [service, ...jobs]);
    expect(blamed(stepsOf(plan))).toEqual(["JobUpdateFailed"]);
    expect(stepsOf(plan)[0]?.effects[0]).toMatchObject({
      object: { spec: { template: { spec: podSpec("1") } } },
    });
  });

  it("are blamed only for a refusal of a write that changes them", () => {
    const jobs = [suspendedJob(0, "4"), suspendedJob(1, "1", earlier), suspendedJob(2, "1")];
    const plan = reconciled(jobSet, [service, ...jobs], { features });
    expect(requestsOf(plan)).toEqual([
      ["update Job train-w-0", "updateStatus Job train-w-1"],
      ["update Job train-w-1", "update Job train-w-2"],
    ]);
    expect(blamed(stepsOf(plan))).toEqual(["JobUpdateFailed", "FailedResourcePropagation"]);
  });
});

describe("time", () => {
  it("is one instant for the whole pass, in whole seconds on the wire", () => {
    const plan = reconciled(train.suspended(), [service], { now: someTime });
    expect(plan.status?.conditions?.[0]?.lastTransitionTime).toBe(nowText);
  });
});
