import type { PodSpec } from "@jobset-ts/api/kubernetes";
import { type AJob, aClaim, aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Step } from "../plan/plan.ts";
import { UPSTREAM_QUIRKS } from "../quirks.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  asReady,
  conditionWith,
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

describe("suspension", () => {
  it("suspension suspends every active Job, one after the other", () => {
    const jobs = [job0.withStatus({ active: 1 }), job1.suspended(), aJob("train-gone-0")];
    const plan = reconcileForTest(train.suspended(), [service, ...jobs]);
    expect(listRequests(plan)).toEqual([["update Job train-gone-0", "update Job train-w-0"]]);
    expect(listSteps(plan)[0]).toMatchObject({
      phase: "suspend",
      concurrency: 1,
      onError: "Continue",
      effects: [
        {},
        {
          object: { apiVersion: "batch/v1", kind: "Job", spec: { suspend: true } },
          changes: [{ path: ["spec", "suspend"], value: true }],
        },
      ],
    });
    expect(listEvents(plan)).toEqual(["SuspendedJobs"]);
  });

  it("the condition Suspended is set once, even without Jobs to suspend", () => {
    const plan = reconcileForTest(train.suspended(), [service, job0.suspended(), job1.suspended()]);
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual(["Suspended True SuspendedJobs"]);
    const next = { ...train.suspended(), status: plan.status };
    const second = reconcileForTest(next, [service, job0.suspended(), job1.suspended()]);
    expect(second).toMatchObject({ events: [] });
    expect(second.status).toBeUndefined();
  });

  it("a resume follows spec order and skips unknown ReplicatedJobs", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w").withReplicatedJob("a");
    const jobs = ["train-a-0", "train-w-0", "train-gone-0"].map((name) => aJob(name).suspended());
    const plan = reconcileForTest(withConditions(jobSet, "Suspended"), [service, ...jobs]);
    expect(listRequests(plan)).toEqual([["update Job train-w-0"], ["update Job train-a-0"]]);
    expect(listConditions(plan)).toEqual(["Suspended False ResumeJobs"]);
  });

  it("a resume skips Jobs of a waiting ReplicatedJob, and still ends the suspension", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Ready" }] });
    const jobs = [aJob("train-a-0").suspended(), aJob("train-b-0").suspended()];
    const plan = reconcileForTest(withConditions(jobSet, "Suspended"), [service, ...jobs]);
    expect(listRequests(plan)).toEqual([["update Job train-a-0"]]);
    expect(listConditions(plan)).toEqual(["Suspended False ResumeJobs"]);
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

    it("a resume that changes the template waits until the Pods have stopped, and does not block others", () => {
      const plan = reconcileForTest(withConditions(moved, "Suspended"), [service, ...jobs]);
      expect(listRequests(plan)).toEqual([["update Job train-w-1"]]);
      expect(plan.decisions.filter(({ phase }) => phase === "resume")).toMatchObject([
        {
          rule: "PodsNotStopped",
          object: { kind: "ReplicatedJob", name: "w" },
          message: "suspended Jobs whose Pods must stop before their template can change: 2",
        },
        { rule: "JobSetResumed" },
      ]);
      expect(plan.requeueAfterSeconds).toBeUndefined();
    });

    it("a resume does not wait for Pods with the quirk ResumePrecedesStop", () => {
      const quirks = ["ResumePrecedesStop"] as const;
      const plan = reconcileForTest(withConditions(moved, "Suspended"), [service, ...jobs], {
        quirks,
      });
      expect(listRequests(plan)).toEqual([
        ["update Job train-w-0", "update Job train-w-1", "update Job train-w-2"],
      ]);
    });
  });

  it("suspension ends under in-order startup only once all ReplicatedJobs have started", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b")
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const [a, b] = [aJob("train-a-0"), aJob("train-b-0")];
    const suspended = withConditions(jobSet, "Suspended");
    const first = reconcileForTest(suspended, [service, a.suspended(), b.suspended()]);
    expect(listRequests(first)).toEqual([["update Job train-a-0"]]);
    expect(listConditions(first)).toEqual([
      "Suspended True R",
      "StartupPolicyInProgress True InOrderStartupPolicyInProgress",
    ]);
    const second = reconcileForTest(suspended, [
      service,
      a.withStatus({ ready: 1 }),
      b.suspended(),
    ]);
    expect(listRequests(second)).toEqual([["update Job train-b-0"]]);
    const ready = [a, b].map((job) => job.withStatus({ ready: 1 }));
    expect(listConditions(reconcileForTest(suspended, [service, ...ready]))).toEqual([
      "Suspended False ResumeJobs",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
  });

  it("a resume of a Job with a start time takes two consecutive writes", () => {
    const startTime = new Date(earlier);
    const job = job0.suspended().withStatus({ startTime: startTime as never, active: 0 });
    const metadata = { ...job.metadata, resourceVersion: "5" };
    const plan = reconcileForTest(train, [service, { ...job, metadata }, running[1]]);
    const [step] = listSteps(plan);
    expect(step).toMatchObject({ phase: "resume", concurrency: 1, onError: "Continue" });
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
  const listEventReasons = (steps: readonly Step[]) => steps.map((step) => step.failureEventReason);

  it("resources follow the template on resume with the gate (KEP-1150)", () => {
    const jobs = [0, 1, 2].map((index) => suspendedJob(index, "1"));
    const plan = reconcileForTest(jobSet, [service, ...jobs], { features });
    expect(listRequests(plan)).toEqual([
      ["update Job train-w-0", "update Job train-w-1", "update Job train-w-2"],
    ]);
    expect(listSteps(plan)[0]).toMatchObject(propagation);
    expect(listSteps(plan)[0]?.effects[0]).toMatchObject({
      object: { spec: { template: { spec: podSpec("4") } } },
    });
  });

  it("resources do not change on resume without the gate (KEP-1150)", () => {
    const jobs = [0, 1, 2].map((index) => suspendedJob(index, "1"));
    const plan = reconcileForTest(jobSet, [service, ...jobs]);
    expect(listEventReasons(listSteps(plan))).toEqual(["JobUpdateFailed"]);
    expect(listSteps(plan)[0]?.effects[0]).toMatchObject({
      object: { spec: { template: { spec: podSpec("1") } } },
    });
  });

  it("only a rejected write that changes resources is attributed to them (KEP-1150)", () => {
    const jobs = [suspendedJob(0, "4"), suspendedJob(1, "1", earlier), suspendedJob(2, "1")];
    const plan = reconcileForTest(jobSet, [service, ...jobs], { features });
    expect(listRequests(plan)).toEqual([
      ["update Job train-w-0", "updateStatus Job train-w-1"],
      ["update Job train-w-1", "update Job train-w-2"],
    ]);
    expect(listEventReasons(listSteps(plan))).toEqual([
      "JobUpdateFailed",
      "FailedResourcePropagation",
    ]);
  });
});

describe("a suspended JobSet", () => {
  const suspended = train.suspended();

  it("a suspended JobSet loses its Jobs of earlier attempts", () => {
    const plan = reconcileForTest(suspended.restarted(1), [service, job0.suspended()]);
    expect(listRequests(plan)[0]).toEqual(["delete Job train-w-0"]);
  });

  it("a suspended JobSet can fail and complete", () => {
    expect(listConditions(reconcileForTest(suspended, [job0.failed()]))).toEqual([
      "Failed True FailedJobs",
    ]);
    const done = [job0.completed(), job1.completed()];
    expect(listConditions(reconcileForTest(suspended, done))).toEqual([
      "Completed True AllJobsCompleted",
    ]);
  });

  it("a new JobSet gets its Service, PersistentVolumeClaims and Jobs, with any startup order", () => {
    const templates = [{ metadata: { name: "data" }, spec: {} }];
    const jobSet = suspended.withReplicatedJob("v").withSpec({
      volumeClaimPolicies: [{ templates }],
      startupPolicy: { startupPolicyOrder: "InOrder" },
    });
    const plan = reconcileForTest(jobSet);
    expect(listRequests(plan)).toEqual([
      ["create Service train"],
      ["create PersistentVolumeClaim data-train"],
      ["create Job train-w-0", "create Job train-w-1"],
      ["create Job train-v-0"],
    ]);
    expect(listConditions(plan)).toEqual(["Suspended True SuspendedJobs"]);
    expect(
      listRequests(reconcileForTest(jobSet, [service, aClaim("data-train"), job0, job1])),
    ).toEqual([["update Job train-w-0", "update Job train-w-1"], ["create Job train-v-0"]]);
  });

  it("a pass whose status was not written is planned again, with its remaining steps", () => {
    const first = reconcileForTest(train.suspended(), [service, job0, job1.suspended()]);
    const second = reconcileForTest(train.suspended(), [
      service,
      job0.suspended(),
      job1.suspended(),
    ]);
    expect(listRequests(first)).toEqual([["update Job train-w-0"]]);
    expect(listSteps(second)).toEqual([]);
    expect(second.events).toEqual(first.events);
  });

  it("a condition that is stored twice is set twice, with one Event", () => {
    const conditions = [conditionWith("Suspended"), conditionWith("Suspended")];
    const plan = reconcileForTest(train.withStatus({ conditions }), [service, job0, job1]);
    expect(listConditions(plan)).toEqual([
      "Suspended False ResumeJobs",
      "Suspended False ResumeJobs",
    ]);
    expect(plan.events).toHaveLength(1);
  });
});

describe("a suspended Job with ready Pods in its status", () => {
  it("a suspended Job without Pods is resumed under in-order startup, except with the quirk", () => {
    const template = { spec: { ...aReplicatedJob("w").template.spec, parallelism: 0 } };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { template })
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const job = job0.suspended().withSpec({ parallelism: 0 });
    expect(listRequests(reconcileForTest(jobSet, [service, job]))).toEqual([
      ["update Job train-w-0"],
    ]);
    expect(
      listSteps(reconcileForTest(jobSet, [service, job], { quirks: UPSTREAM_QUIRKS })),
    ).toEqual([]);
  });

  it.each([
    ["startup in order", { startupPolicy: { startupPolicyOrder: "InOrder" } }, []],
    ["dependsOn", {}, [{ name: "driver", status: "Ready" }]],
  ] as const)(
    "a suspended Job that claims to be ready does not release its dependents under %s, except with the quirk",
    (_, spec, dependsOn) => {
      const jobSet = aJobSet("train")
        .withReplicatedJob("driver")
        .withReplicatedJob("worker", { dependsOn: [...dependsOn] })
        .withSpec(spec);
      const driver = asReady(aJob("train-driver-0")).suspended();
      const worker = aJob("train-worker-0").suspended();
      const resumes = (...jobs: AJob[]) =>
        listRequests(reconcileForTest(jobSet, [service, ...jobs]));
      expect(resumes(driver, worker)).toEqual([["update Job train-driver-0"]]);
      expect(resumes(asReady(aJob("train-driver-0")), worker)).toEqual([
        ["update Job train-worker-0"],
      ]);
      const plan = reconcileForTest(jobSet, [service, driver, worker], { quirks: UPSTREAM_QUIRKS });
      expect(listRequests(plan).flat()).toContain("update Job train-worker-0");
    },
  );
});
