import type { CreateEffect, UpdateEffect } from "../plan/effects.ts";
// Complete plans, and the passes that follow them. Each block is one story.

import type { FailurePolicy, ReplicatedJob, ReplicatedJobStatus } from "@jobset-ts/api";
import type {
  Condition,
  Job,
  JobStatus,
  KubernetesObject,
  PodTemplateSpec,
} from "@jobset-ts/api/kubernetes";
import { type AJob, aJob, aJobSet, aReplicatedJob, aService } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Plan } from "../plan/plan.ts";
import { PlanExecution } from "../run/plan-execution.ts";
import { describeRequest, sendUntil } from "../testing/a-plan.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";

const key = (name: string) => `jobset.sigs.k8s.io/${name}`;
const owner = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name: "train",
  uid: "u-1",
  controller: true,
  blockOwnerDeletion: true,
};

function replicatedJob(name: string, replicas: number, pods: number): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, {
    replicas,
    template: { spec: { ...template.spec, parallelism: pods, completions: pods } },
  });
}

const train = aJobSet("train")
  .inNamespace("ml")
  .withUid("u-1")
  .withSpec({ replicatedJobs: [replicatedJob("driver", 1, 1), replicatedJob("workers", 2, 4)] });

const service = aService("train").inNamespace("ml");

/** A child Job of the example. Default: running. */
function child(name: string, pods: number, status: JobStatus = {}): AJob {
  return aJob(`train-${name}`)
    .inNamespace("ml")
    .controlledBy(train)
    .withSpec({ parallelism: pods, completions: pods })
    .withStatus(status);
}

const [driver, worker0, worker1] = [
  child("driver-0", 1, { active: 1, ready: 1 }),
  child("workers-0", 4, { active: 4, ready: 4 }),
  child("workers-1", 4, { active: 4, ready: 4 }),
] as const;

/** An entry of the status; counters that are not named are 0. */
function createCounts(
  name: string,
  counters: Partial<ReplicatedJobStatus> = {},
): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counters };
}

function condition(
  type: string,
  status: "True" | "False",
  reason: string,
  message: string,
  lastTransitionTime: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime };
}

const time = (clock: string) => `2026-08-18T${clock}Z`;
const normal = (reason: string, message: string) => ({ type: "Normal", reason, message });
const warning = (reason: string, message: string) => ({ type: "Warning", reason, message });

/** The requests of a plan, in short form. */
function summarizePlan(plan: Plan) {
  const { status, events, metrics, requeueAfterSeconds, error } = plan;
  return {
    steps: listRequests(plan),
    status,
    events,
    metrics,
    ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }),
    ...(error !== undefined && { error }),
  };
}

const nothing = { steps: [], status: undefined, events: [], metrics: [] };

function listCreatedObjects(plan: Plan): KubernetesObject[] {
  const effects = listSteps(plan).flatMap((step) => step.effects);
  return effects
    .filter((one): one is CreateEffect => one.verb === "create")
    .map((one) => one.object);
}

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
        selector: { [key("jobset-name")]: "train" },
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
    const keys = Object.fromEntries(entries.map(([short, value]) => [key(short), value]));
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
        conditions: [condition(...suspended, time("10:05:10"))],
        restarts: 0,
        replicatedJobsStatus,
      },
      events: [normal("SuspendedJobs", "jobset is suspended")],
      metrics: [],
    });
    const jobs = listCreatedObjects(plan).slice(1) as Job[];
    expect(jobs.map(({ spec }) => spec.suspend)).toEqual([true, true, true]);
  });
});

describe("failed Jobs with restarts left", () => {
  const message =
    "applying RestartJobSet failure policy action (first failed job: train-workers-1)";
  const createRestartingCondition = (at: string) =>
    condition("RestartingJobSet", "True", "DefaultFailurePolicy", message, at);
  const ready = [
    createCounts("workers", { ready: 2, active: 2 }),
    createCounts("driver", { ready: 1, active: 1 }),
  ];
  const withFailures = [
    createCounts("workers", { failed: 2 }),
    createCounts("driver", { ready: 1, active: 1 }),
  ];
  const jobSet = (failurePolicy: Partial<FailurePolicy> = {}) =>
    train.withSpec({ failurePolicy: { maxRestarts: 3, ...failurePolicy } });
  const failures = [
    driver,
    child("workers-0", 4).failed({ at: time("10:05:09") }),
    child("workers-1", 4).failed({ at: time("10:05:07") }),
  ];

  it("a failed Job with restarts left only counts a restart", () => {
    const running = jobSet().withStatus({ restarts: 0, replicatedJobsStatus: ready });
    expect(summarizePlan(reconcileForTest(running, [service, ...failures]))).toStrictEqual({
      steps: [],
      status: {
        conditions: [createRestartingCondition(time("10:05:10"))],
        restarts: 1,
        restartsCountTowardsMax: 1,
        replicatedJobsStatus: withFailures,
      },
      events: [
        warning("DefaultFailurePolicy", message),
        warning("RestartJobSetFailurePolicyAction", message),
      ],
      metrics: [],
    });
  });

  describe("in the following passes", () => {
    const createRestartedStatus = (replicatedJobsStatus: ReplicatedJobStatus[]) => ({
      conditions: [createRestartingCondition(time("10:05:10"))],
      restarts: 1,
      restartsCountTowardsMax: 1,
      replicatedJobsStatus,
    });
    const empty = [createCounts("workers"), createCounts("driver")];
    const removed = [driver, failures[1] as AJob].map((job) => job.beingDeleted());

    it("the pass after a restart deletes all Jobs of the earlier attempt", () => {
      const plan = reconcileForTest(jobSet().withStatus(createRestartedStatus(withFailures)), [
        service,
        ...failures,
      ]);
      expect(summarizePlan(plan)).toStrictEqual({
        ...nothing,
        steps: [
          ["delete Job train-driver-0", "delete Job train-workers-0", "delete Job train-workers-1"],
        ],
        status: createRestartedStatus(empty),
      });
      expect(listSteps(plan)[0]?.effects[0]).toEqual({
        verb: "delete",
        target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-driver-0" },
        propagationPolicy: "Foreground",
        onNotFound: "Succeed",
        uid: "train-driver-0-uid",
      });
    });

    it("with Recreate, each Job is recreated once its predecessor is gone", () => {
      const plan = reconcileForTest(jobSet().withStatus(createRestartedStatus(empty)), [
        service,
        ...removed,
      ]);
      expect(summarizePlan(plan)).toStrictEqual({
        ...nothing,
        steps: [["create Job train-workers-1"]],
      });
      expect(listCreatedObjects(plan)[0]?.metadata.labels?.[key("restart-attempt")]).toBe("1");
    });

    it("with BlockingRecreate, no Job is created before all predecessors are gone", () => {
      const blocking = jobSet({ restartStrategy: "BlockingRecreate" });
      const plan = reconcileForTest(blocking.withStatus(createRestartedStatus(empty)), [
        service,
        ...removed,
      ]);
      expect(summarizePlan(plan)).toStrictEqual(nothing);
      expect(plan.decisions.map(({ rule }) => rule)).toEqual([
        "BlockingRecreate",
        "BlockingRecreate",
      ]);
    });

    it("a restart ends once all Jobs are ready", () => {
      const jobs = [driver, worker0, worker1].map((job) => job.ofAttempt(1));
      const plan = reconcileForTest(
        jobSet().withStatus(createRestartedStatus(empty)),
        [service, ...jobs],
        {
          now: time("10:06:00"),
        },
      );
      expect(summarizePlan(plan)).toStrictEqual({
        ...nothing,
        status: {
          ...createRestartedStatus(ready),
          conditions: [
            condition(
              "RestartingJobSet",
              "False",
              "JobsReady",
              "all jobs are ready",
              time("10:06:00"),
            ),
          ],
        },
        events: [normal("JobsReady", "all jobs are ready")],
      });
    });
  });

  it("a failed Job fails the JobSet at the restart limit", () => {
    const usedUp = jobSet().withStatus({
      conditions: [createRestartingCondition(time("09:00:00"))],
      restarts: 3,
      restartsCountTowardsMax: 3,
      replicatedJobsStatus: ready,
    });
    const failed =
      "jobset failed due to reaching max number of restarts (first failed job: train-workers-1)";
    const jobs = failures.map((job) => job.ofAttempt(3));
    expect(summarizePlan(reconcileForTest(usedUp, [service, ...jobs]))).toStrictEqual({
      steps: [],
      status: {
        conditions: [
          condition("RestartingJobSet", "False", "JobSetFailed", "jobset failed", time("10:05:10")),
          condition("Failed", "True", "ReachedMaxRestarts", failed, time("10:05:10")),
        ],
        restarts: 3,
        restartsCountTowardsMax: 3,
        replicatedJobsStatus: withFailures,
        terminalState: "Failed",
      },
      events: [warning("ReachedMaxRestarts", failed), normal("JobSetFailed", "jobset failed")],
      metrics: [{ name: "jobset_failed_total", labels: { jobset_name: "train", namespace: "ml" } }],
    });
  });

  it("RestartJob restarts one Job per pass", () => {
    const single = jobSet({ rules: [{ name: "one", action: "RestartJob" }] });
    const settings = { features: { RestartJob: true } };
    const jobs = failures.map((job) => job.withLabels({ [key("job-restart-attempt")]: "0" }));
    const text = (job: string) =>
      `applying RestartJob failure policy action (first failed job: ${job})`;
    const workers = (jobRestarts: number[], failed: number) =>
      createCounts("workers", { failed, jobRestarts, jobRestartsCountTowardsMax: jobRestarts });

    const first = reconcileForTest(
      single.withStatus({ restarts: 0, replicatedJobsStatus: ready }),
      [service, ...jobs],
      settings,
    );
    const afterFirst = {
      restarts: 0,
      replicatedJobsStatus: [workers([0, 1], 2), createCounts("driver", { ready: 1, active: 1 })],
    };
    expect(summarizePlan(first)).toStrictEqual({
      ...nothing,
      status: afterFirst,
      events: [warning("RestartJobFailurePolicyAction", text("train-workers-1"))],
    });

    const second = reconcileForTest(single.withStatus(afterFirst), [service, ...jobs], settings);
    expect(summarizePlan(second)).toStrictEqual({
      ...nothing,
      steps: [["delete Job train-workers-1"]],
      status: {
        restarts: 0,
        replicatedJobsStatus: [workers([1, 1], 1), createCounts("driver", { ready: 1, active: 1 })],
      },
      events: [warning("RestartJobFailurePolicyAction", text("train-workers-0"))],
    });
  });
});

describe("a rule that fails the JobSet", () => {
  const jobSet = train
    .withSpec({
      failurePolicy: {
        maxRestarts: 3,
        rules: [
          {
            name: "transient",
            action: "RestartJobSet",
            onJobFailureReasons: ["PodFailurePolicy"],
            onJobFailureMessagePatterns: ["DisruptionTarget"],
          },
          {
            name: "fatal",
            action: "FailJobSet",
            onJobFailureReasons: ["PodFailurePolicy"],
            onJobFailureMessagePatterns: ["exit code (42|43)"],
            targetReplicatedJobs: ["workers"],
          },
        ],
      },
    })
    .withStatus({
      conditions: [
        condition("RestartingJobSet", "False", "JobsReady", "all jobs are ready", time("09:50:00")),
      ],
    });
  const jobs = [
    child("driver-0", 1).failed({ at: time("10:05:01"), reason: "BackoffLimitExceeded" }),
    child("workers-0", 4).failed({
      at: time("10:05:09"),
      reason: "PodFailurePolicy",
      message:
        "Container main for pod ml/train-workers-0-1-abcde failed with exit code 42 matching FailJob rule at index 1",
    }),
    worker1,
  ];
  const message = "applying FailJobSet failure policy action (first failed job: train-workers-0)";
  const status = {
    conditions: [
      condition("RestartingJobSet", "False", "JobSetFailed", "jobset failed", time("09:50:00")),
      condition("Failed", "True", "FailJobSetFailurePolicyAction", message, time("10:05:10")),
    ],
    restarts: 0,
    terminalState: "Failed" as const,
    replicatedJobsStatus: [
      createCounts("workers", { ready: 1, failed: 1, active: 1 }),
      createCounts("driver", { failed: 1 }),
    ],
  };

  it("a rule that fails the JobSet applies even if another Job failed earlier", () => {
    expect(summarizePlan(reconcileForTest(jobSet, [service, ...jobs]))).toStrictEqual({
      steps: [],
      status,
      events: [
        warning("FailJobSetFailurePolicyAction", message),
        normal("JobSetFailed", "jobset failed"),
      ],
      metrics: [{ name: "jobset_failed_total", labels: { jobset_name: "train", namespace: "ml" } }],
    });
  });

  it("a JobSet failed by a rule loses its active Job in the next pass", () => {
    expect(
      summarizePlan(reconcileForTest(jobSet.withStatus(status), [service, ...jobs])),
    ).toStrictEqual({
      ...nothing,
      steps: [["delete Job train-workers-1"]],
    });
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
    condition("Suspended", "True", "SuspendedJobs", "jobset is suspended", at);
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
      conditions: [createSuspendedCondition(time("09:00:00"))],
      replicatedJobsStatus: [createCounts("workers", { suspended: 2 })],
    });
  const suspendedJob = (name: string) =>
    child(name, 1)
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
    suspendedJob("workers-0").withStatus({ startTime: time("08:00:00") }),
    suspendedJob("workers-1"),
  ];
  const settings = { now: time("10:00:00") };
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
            condition("Suspended", "False", "ResumeJobs", "jobset is resumed", time("10:00:00")),
          ],
          restarts: 0,
          replicatedJobsStatus: [createCounts("workers", { suspended: 2 })],
        },
        events: [normal("ResumeJobs", "jobset is resumed")],
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
    condition(inProgress[0], status, inProgress[1], inProgress[2], at);
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
      conditions: [progress("True", time("10:00:00"))],
      replicatedJobsStatus: [createCounts("workers"), createCounts("driver"), createCounts("db")],
    });
  const db = child("db-0", 1, { active: 1, ready: 1 });

  it("in-order startup starts the next ReplicatedJob and no later one", () => {
    const plan = reconcileForTest(jobSet, [service, db], { now: time("10:01:00") });
    expect(summarizePlan(plan)).toStrictEqual({
      ...nothing,
      steps: [["create Job train-driver-0"]],
      status: {
        conditions: [progress("True", time("10:00:00"))],
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
    const now = time("10:02:00");
    const [reason, message] = [
      "InOrderStartupPolicyCompleted",
      "in order startup policy has completed",
    ];
    const summaryWith = (inProgress: Condition) => ({
      ...nothing,
      status: {
        conditions: [inProgress, condition("StartupPolicyCompleted", "True", reason, message, now)],
        restarts: 0,
        replicatedJobsStatus,
      },
      events: [normal(reason, message)],
    });
    expect(summarizePlan(reconcileForTest(observed, objects, { now }))).toStrictEqual(
      summaryWith(progress("False", now)),
    );
    const quirks = ["StartupConditionKeepsTime"] as const;
    expect(summarizePlan(reconcileForTest(observed, objects, { now, quirks }))).toStrictEqual(
      summaryWith(progress("False", time("10:00:00"))),
    );
  });
});

describe("a finished JobSet with a TTL of five seconds", () => {
  const completed = condition(
    "Completed",
    "True",
    "AllJobsCompleted",
    "jobset completed successfully",
    time("10:00:00"),
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
  const others = [service, child("driver-0", 1).completed(), worker0];

  it("a finished JobSet loses its active Jobs and is requeued for its TTL", () => {
    const plan = reconcileForTest(jobSet, others, { now: "2026-08-18T10:00:03.250Z" });
    expect(summarizePlan(plan)).toStrictEqual({
      ...nothing,
      steps: [["delete Job train-workers-0"]],
      requeueAfterSeconds: 1.75,
    });
  });

  it("a finished JobSet is deleted after its TTL, after its Jobs", () => {
    const plan = reconcileForTest(jobSet, others, { now: time("10:00:05") });
    expect(summarizePlan(plan)).toStrictEqual({
      ...nothing,
      steps: [["delete Job train-workers-0"], ["delete JobSet train"]],
    });
    expect(listSteps(plan)[1]?.effects[0]).toMatchObject({
      target: { apiVersion: "jobset.x-k8s.io/v1alpha2", namespace: "ml" },
      propagationPolicy: "Foreground",
      uid: "u-1",
    });
  });

  it("a finished JobSet is not deleted if a Job cannot be deleted, and the pass is retried", () => {
    const run = new PlanExecution(reconcileForTest(jobSet, others, { now: time("10:00:05") }));
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

describe("completion after a restart", () => {
  it("completion after a restart first ends the restart, then the JobSet", () => {
    const jobs = [child("driver-0", 1), child("workers-0", 4), child("workers-1", 4)];
    const jobSet = train.withStatus({
      conditions: [
        condition("RestartingJobSet", "True", "DefaultFailurePolicy", "m", time("09:00:00")),
      ],
      restarts: 1,
      restartsCountTowardsMax: 1,
    });
    const others = [service, ...jobs.map((job) => job.ofAttempt(1).completed())];
    const completed = "jobset completed successfully";
    expect(
      summarizePlan(reconcileForTest(jobSet, others, { now: time("10:00:00") })),
    ).toStrictEqual({
      steps: [],
      status: {
        conditions: [
          condition("RestartingJobSet", "False", "JobSetCompleted", completed, time("10:00:00")),
          condition("Completed", "True", "AllJobsCompleted", completed, time("10:00:00")),
        ],
        restarts: 1,
        restartsCountTowardsMax: 1,
        terminalState: "Completed",
        replicatedJobsStatus: [
          createCounts("workers", { succeeded: 2 }),
          createCounts("driver", { succeeded: 1 }),
        ],
      },
      events: [
        normal("JobsReady", "all jobs are ready"),
        normal("AllJobsCompleted", completed),
        normal("JobSetCompleted", completed),
      ],
      metrics: [
        { name: "jobset_completed_total", labels: { jobset_name: "train", namespace: "ml" } },
      ],
    });
  });
});
