// Complete plans, and the passes that follow them. Each block is one story.
import type { Condition, Job, PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import { type AJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { UpdateEffect } from "../plan/effects.ts";
import { PlanExecution } from "../run/plan-execution.ts";
import { describeRequest, sendUntil } from "../testing/a-plan.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  childJob,
  createCondition,
  driver,
  emptySummary,
  listCreatedObjects,
  normalEvent,
  owner,
  replicatedJob,
  service,
  summarizePlan,
  timeAt,
  train,
  worker0,
  worker1,
} from "../testing/train-example.ts";
import { createCounts, jobSetKey } from "../testing/typical-pass.ts";

describe("the first reconcile, with a coordinator", () => {
  const jobSet = train.withSpec({
    coordinator: { replicatedJob: "driver", jobIndex: 0, podIndex: 0 },
  });
  const steps = [
    ["create Service train"],
    ["create Job train-driver-0"],
    ["create Job train-workers-0", "create Job train-workers-1"],
  ];
  const replicatedJobsStatus = [createCounts("workers"), createCounts("driver")];

  it("the first reconcile creates the Service and all Jobs, one step per ReplicatedJob", () => {
    expect(summarizePlan(reconcileForTest(jobSet))).toStrictEqual({
      steps,
      status: { restarts: 0, replicatedJobsStatus },
      events: [],
      metrics: [],
    });
  });

  it("the first reconcile lists its reasons in decision order", () => {
    const rules = reconcileForTest(jobSet).decisions.map(({ phase, rule, object }) =>
      [phase, rule, object.kind, object.name].join(" "),
    );
    expect(rules).toEqual([
      "status CountersChanged JobSet train",
      "service ServiceMissing Service train",
      "create-jobs JobMissing ReplicatedJob driver",
      "create-jobs JobMissing ReplicatedJob workers",
    ]);
  });

  it("the first reconcile creates a headless Service", () => {
    expect(listCreatedObjects(reconcileForTest(jobSet))[0]).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "train", namespace: "ml", ownerReferences: [owner] },
      spec: {
        clusterIP: "None",
        selector: { [jobSetKey("jobset-name")]: "train" },
        publishNotReadyAddresses: true,
      },
    });
  });

  it.each([
    [
      "train-driver-0",
      1,
      {
        "replicatedjob-name": "driver",
        "replicatedjob-replicas": "1",
        "job-index": "0",
        "job-key": "e7672ee296fd560b6c31ecddd7bc0db38e6cd765",
        "job-global-index": "0",
        "job-group-index": "0",
      },
    ],
    [
      "train-workers-0",
      4,
      {
        "replicatedjob-name": "workers",
        "replicatedjob-replicas": "2",
        "job-index": "0",
        "job-key": "a93a97066ed58aa4f7a71b097176246f07ab144e",
        "job-global-index": "1",
        "job-group-index": "1",
      },
    ],
    [
      "train-workers-1",
      4,
      {
        "replicatedjob-name": "workers",
        "replicatedjob-replicas": "2",
        "job-index": "1",
        "job-key": "9758140d1b2c3c8dbaebb0783352de84ca2874b5",
        "job-global-index": "2",
        "job-group-index": "2",
      },
    ],
  ])("the first reconcile creates the Job %s", (name, pods, own) => {
    const shared = {
      "jobset-name": "train",
      "jobset-uid": "u-1",
      "restart-attempt": "0",
      "global-replicas": "3",
      "group-name": "default",
      "group-replicas": "3",
      coordinator: "train-driver-0-0.train",
    };
    const entries = Object.entries({ ...shared, ...own });
    const keys = Object.fromEntries(entries.map(([short, value]) => [jobSetKey(short), value]));
    const job = listCreatedObjects(reconcileForTest(jobSet)).find(
      (object) => object.metadata.name === name,
    );
    expect(job).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name,
        namespace: "ml",
        labels: keys,
        annotations: keys,
        ownerReferences: [owner],
      },
      spec: {
        parallelism: pods,
        completions: pods,
        completionMode: "Indexed",
        suspend: false,
        template: {
          metadata: { labels: keys, annotations: keys },
          spec: {
            restartPolicy: "Never",
            subdomain: "train",
            containers: [{ name: "main", image: "img" }],
          },
        },
      },
    });
  });

  it("the first reconcile of a suspended JobSet creates suspended Jobs", () => {
    const plan = reconcileForTest(jobSet.suspended());
    const suspended = ["Suspended", "True", "SuspendedJobs", "jobset is suspended"] as const;
    expect(summarizePlan(plan)).toStrictEqual({
      steps,
      status: {
        conditions: [createCondition(...suspended, timeAt("10:05:10"))],
        restarts: 0,
        replicatedJobsStatus,
      },
      events: [normalEvent("SuspendedJobs", "jobset is suspended")],
      metrics: [],
    });
    const jobs = listCreatedObjects(plan).slice(1) as Job[];
    expect(jobs.map(({ spec }) => spec.suspend)).toEqual([true, true, true]);
  });
});

describe("a resume", () => {
  const spot = { key: "spot", operator: "Exists" };
  const gpu = { key: "gpu", operator: "Exists" };
  const containers = [{ name: "main", image: "img" }];
  const template = {
    metadata: { labels: { queue: "a" }, annotations: { flavor: "spot" } },
    spec: { containers, nodeSelector: { pool: "b" }, tolerations: [spot] },
  } as PodTemplateSpec;
  const createSuspendedCondition = (at: string) =>
    createCondition("Suspended", "True", "SuspendedJobs", "jobset is suspended", at);
  const jobSet = aJobSet("train")
    .inNamespace("ml")
    .withUid("u-1")
    .withSpec({
      network: { enableDNSHostnames: false },
      replicatedJobs: [
        aReplicatedJob("workers", {
          replicas: 2,
          template: { spec: { ...aReplicatedJob("workers").template.spec, template } },
        }),
      ],
    })
    .withStatus({
      conditions: [createSuspendedCondition(timeAt("09:00:00"))],
      replicatedJobsStatus: [createCounts("workers", { suspended: 2 })],
    });
  const suspendedJob = (name: string) =>
    childJob(name, 1)
      .suspended()
      .withSpec({
        template: {
          metadata: {
            labels: { queue: "old", "batch.kubernetes.io/job-name": `train-${name}` },
          },
          spec: {
            containers,
            nodeSelector: { pool: "a", zone: "z1" },
            tolerations: [gpu, spot],
          },
        } as PodTemplateSpec,
      });
  const jobs = [
    suspendedJob("workers-0").withStatus({ startTime: timeAt("08:00:00") }),
    suspendedJob("workers-1"),
  ];
  const settings = { now: timeAt("10:00:00") };
  const upstream = { ...settings, quirks: ["ResumeMergesTemplate"] as const };

  it("a resume removes the start time, then lets each Job run with the new template", () => {
    for (const each of [settings, upstream]) {
      expect(summarizePlan(reconcileForTest(jobSet, jobs, each))).toStrictEqual({
        steps: [
          [
            "updateStatus Job train-workers-0",
            "update Job train-workers-0",
            "update Job train-workers-1",
          ],
        ],
        status: {
          conditions: [
            createCondition(
              "Suspended",
              "False",
              "ResumeJobs",
              "jobset is resumed",
              timeAt("10:00:00"),
            ),
          ],
          restarts: 0,
          replicatedJobsStatus: [createCounts("workers", { suspended: 2 })],
        },
        events: [normalEvent("ResumeJobs", "jobset is resumed")],
        metrics: [],
      });
    }
  });

  const resumedTemplates = (each: typeof settings) =>
    reconcileForTest(jobSet, jobs, each)
      .steps.flatMap((step) => step.effects)
      .filter((effect): effect is UpdateEffect => effect.verb === "update")
      .map(({ object }) => (object as Job).spec.template);

  it.each([0, 1])("a resume merges the template into that of Job %i, as upstream does", (index) => {
    expect(resumedTemplates(upstream)[index]).toEqual({
      metadata: {
        labels: { queue: "a", "batch.kubernetes.io/job-name": `train-workers-${index}` },
        annotations: { flavor: "spot" },
      },
      spec: { containers, nodeSelector: { pool: "b", zone: "z1" }, tolerations: [gpu, spot] },
    });
  });

  it.each([0, 1])(
    "a resume gives Job %i exactly the template's selector and tolerations by default",
    (index) => {
      expect(resumedTemplates(settings)[index]).toEqual({
        metadata: {
          labels: { queue: "a", "batch.kubernetes.io/job-name": `train-workers-${index}` },
          annotations: { flavor: "spot" },
        },
        spec: { containers, nodeSelector: { pool: "b" }, tolerations: [spot] },
      });
    },
  );

  it("a repeated resume continues with the remaining Jobs", () => {
    const [done, left] = jobs as [AJob, AJob];
    const plan = reconcileForTest(jobSet, [done.withSpec({ suspend: false }), left], settings);
    expect(listRequests(plan)).toEqual([["update Job train-workers-1"]]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("workers", { suspended: 1 })]);
  });
});

describe("startup in order, midway", () => {
  const inProgress = [
    "StartupPolicyInProgress",
    "InOrderStartupPolicyInProgress",
    "in order startup policy is in progress",
  ] as const;
  const progress = (status: "True" | "False", at: string) =>
    createCondition(inProgress[0], status, inProgress[1], inProgress[2], at);
  const jobSet = train
    .withSpec({
      startupPolicy: { startupPolicyOrder: "InOrder" },
      replicatedJobs: [
        replicatedJob("db", 1, 1),
        replicatedJob("driver", 1, 1),
        replicatedJob("workers", 2, 4),
      ],
    })
    .withStatus({
      conditions: [progress("True", timeAt("10:00:00"))],
      replicatedJobsStatus: [createCounts("workers"), createCounts("driver"), createCounts("db")],
    });
  const db = childJob("db-0", 1, { active: 1, ready: 1 });

  it("in-order startup starts the next ReplicatedJob and no later one", () => {
    const plan = reconcileForTest(jobSet, [service, db], { now: timeAt("10:01:00") });
    expect(summarizePlan(plan)).toStrictEqual({
      ...emptySummary,
      steps: [["create Job train-driver-0"]],
      status: {
        conditions: [progress("True", timeAt("10:00:00"))],
        restarts: 0,
        replicatedJobsStatus: [
          createCounts("workers"),
          createCounts("driver"),
          createCounts("db", { ready: 1, active: 1 }),
        ],
      },
    });
  });

  it("in-order startup has completed once all ReplicatedJobs are ready", () => {
    const replicatedJobsStatus = [
      createCounts("workers", { ready: 2, active: 2 }),
      createCounts("driver", { ready: 1, active: 1 }),
      createCounts("db", { ready: 1, active: 1 }),
    ];
    const observed = jobSet.withStatus({ replicatedJobsStatus });
    const objects = [service, db, driver, worker0, worker1];
    const now = timeAt("10:02:00");
    const [reason, message] = [
      "InOrderStartupPolicyCompleted",
      "in order startup policy has completed",
    ];
    const summaryWith = (inProgress: Condition) => ({
      ...emptySummary,
      status: {
        conditions: [
          inProgress,
          createCondition("StartupPolicyCompleted", "True", reason, message, now),
        ],
        restarts: 0,
        replicatedJobsStatus,
      },
      events: [normalEvent(reason, message)],
    });
    expect(summarizePlan(reconcileForTest(observed, objects, { now }))).toStrictEqual(
      summaryWith(progress("False", now)),
    );
    const quirks = ["StartupConditionKeepsTime"] as const;
    expect(summarizePlan(reconcileForTest(observed, objects, { now, quirks }))).toStrictEqual(
      summaryWith(progress("False", timeAt("10:00:00"))),
    );
  });
});

describe("a finished JobSet with a TTL of five seconds", () => {
  const completed = createCondition(
    "Completed",
    "True",
    "AllJobsCompleted",
    "jobset completed successfully",
    timeAt("10:00:00"),
  );
  const jobSet = train
    .withSpec({ ttlSecondsAfterFinished: 5, successPolicy: { operator: "Any" } })
    .withStatus({
      conditions: [completed],
      replicatedJobsStatus: [
        createCounts("workers", { ready: 1, active: 1 }),
        createCounts("driver", { succeeded: 1 }),
      ],
    });
  const others = [service, childJob("driver-0", 1).completed(), worker0];

  it("a finished JobSet loses its active Jobs and is requeued for its TTL", () => {
    const plan = reconcileForTest(jobSet, others, { now: "2026-08-18T10:00:03.250Z" });
    expect(summarizePlan(plan)).toStrictEqual({
      ...emptySummary,
      steps: [["delete Job train-workers-0"]],
      requeueAfterSeconds: 1.75,
    });
  });

  it("a finished JobSet is deleted after its TTL, after its Jobs", () => {
    const plan = reconcileForTest(jobSet, others, { now: timeAt("10:00:05") });
    expect(summarizePlan(plan)).toStrictEqual({
      ...emptySummary,
      steps: [["delete Job train-workers-0"], ["delete JobSet train"]],
    });
    expect(listSteps(plan)[1]?.effects[0]).toMatchObject({
      target: { apiVersion: "jobset.x-k8s.io/v1alpha2", namespace: "ml" },
      propagationPolicy: "Foreground",
      uid: "u-1",
    });
  });

  it("a finished JobSet is not deleted if a Job cannot be deleted, and the pass is retried", () => {
    const run = new PlanExecution(reconcileForTest(jobSet, others, { now: timeAt("10:00:05") }));
    const { requests } = sendUntil(run);
    expect(requests.map(describeRequest)).toEqual(["delete train-workers-0"]);
    run.settle(requests[0]?.id ?? 0, { ok: false, error: { message: "no" } });
    const message = 'job "train-workers-0" deletion failed with error: no';
    const event = { type: "Warning", reason: "JobDeletionFailed", message };
    expect(run.next()).toEqual({ action: "Emit", event });
    expect(run.next()).toMatchObject({
      action: "Done",
      outcome: { ok: false, phase: "delete-active", message },
    });
  });
});
