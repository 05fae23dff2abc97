// Complete plans for failed Jobs, and the passes that follow them. Each block is one story.
import type { FailurePolicy, ReplicatedJobStatus } from "@jobset-ts/api";
import type { AJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  childJob,
  createCondition,
  driver,
  emptySummary,
  listCreatedObjects,
  normalEvent,
  service,
  summarizePlan,
  timeAt,
  train,
  warningEvent,
  worker0,
  worker1,
} from "../testing/train-example.ts";
import { createCounts, jobSetKey } from "../testing/typical-pass.ts";

describe("failed Jobs with restarts left", () => {
  const message =
    "applying RestartJobSet failure policy action (first failed job: train-workers-1)";
  const createRestartingCondition = (at: string) =>
    createCondition("RestartingJobSet", "True", "DefaultFailurePolicy", message, at);
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
    childJob("workers-0", 4).failed({ at: timeAt("10:05:09") }),
    childJob("workers-1", 4).failed({ at: timeAt("10:05:07") }),
  ];

  it("a failed Job with restarts left only counts a restart", () => {
    const running = jobSet().withStatus({ restarts: 0, replicatedJobsStatus: ready });
    expect(summarizePlan(reconcileForTest(running, [service, ...failures]))).toStrictEqual({
      steps: [],
      status: {
        conditions: [createRestartingCondition(timeAt("10:05:10"))],
        restarts: 1,
        restartsCountTowardsMax: 1,
        replicatedJobsStatus: withFailures,
      },
      events: [
        warningEvent("DefaultFailurePolicy", message),
        warningEvent("RestartJobSetFailurePolicyAction", message),
      ],
      metrics: [],
    });
  });

  describe("in the following passes", () => {
    const createRestartedStatus = (replicatedJobsStatus: ReplicatedJobStatus[]) => ({
      conditions: [createRestartingCondition(timeAt("10:05:10"))],
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
        ...emptySummary,
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
        ...emptySummary,
        steps: [["create Job train-workers-1"]],
      });
      expect(listCreatedObjects(plan)[0]?.metadata.labels?.[jobSetKey("restart-attempt")]).toBe(
        "1",
      );
    });

    it("with BlockingRecreate, no Job is created before all predecessors are gone", () => {
      const blocking = jobSet({ restartStrategy: "BlockingRecreate" });
      const plan = reconcileForTest(blocking.withStatus(createRestartedStatus(empty)), [
        service,
        ...removed,
      ]);
      expect(summarizePlan(plan)).toStrictEqual(emptySummary);
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
          now: timeAt("10:06:00"),
        },
      );
      expect(summarizePlan(plan)).toStrictEqual({
        ...emptySummary,
        status: {
          ...createRestartedStatus(ready),
          conditions: [
            createCondition(
              "RestartingJobSet",
              "False",
              "JobsReady",
              "all jobs are ready",
              timeAt("10:06:00"),
            ),
          ],
        },
        events: [normalEvent("JobsReady", "all jobs are ready")],
      });
    });
  });

  it("a failed Job fails the JobSet at the restart limit", () => {
    const usedUp = jobSet().withStatus({
      conditions: [createRestartingCondition(timeAt("09:00:00"))],
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
          createCondition(
            "RestartingJobSet",
            "False",
            "JobSetFailed",
            "jobset failed",
            timeAt("10:05:10"),
          ),
          createCondition("Failed", "True", "ReachedMaxRestarts", failed, timeAt("10:05:10")),
        ],
        restarts: 3,
        restartsCountTowardsMax: 3,
        replicatedJobsStatus: withFailures,
        terminalState: "Failed",
      },
      events: [
        warningEvent("ReachedMaxRestarts", failed),
        normalEvent("JobSetFailed", "jobset failed"),
      ],
      metrics: [{ name: "jobset_failed_total", labels: { jobset_name: "train", namespace: "ml" } }],
    });
  });

  it("RestartJob restarts one Job per pass", () => {
    const single = jobSet({ rules: [{ name: "one", action: "RestartJob" }] });
    const settings = { features: { RestartJob: true } };
    const jobs = failures.map((job) => job.withLabels({ [jobSetKey("job-restart-attempt")]: "0" }));
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
      ...emptySummary,
      status: afterFirst,
      events: [warningEvent("RestartJobFailurePolicyAction", text("train-workers-1"))],
    });

    const second = reconcileForTest(single.withStatus(afterFirst), [service, ...jobs], settings);
    expect(summarizePlan(second)).toStrictEqual({
      ...emptySummary,
      steps: [["delete Job train-workers-1"]],
      status: {
        restarts: 0,
        replicatedJobsStatus: [workers([1, 1], 1), createCounts("driver", { ready: 1, active: 1 })],
      },
      events: [warningEvent("RestartJobFailurePolicyAction", text("train-workers-0"))],
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
        createCondition(
          "RestartingJobSet",
          "False",
          "JobsReady",
          "all jobs are ready",
          timeAt("09:50:00"),
        ),
      ],
    });
  const jobs = [
    childJob("driver-0", 1).failed({ at: timeAt("10:05:01"), reason: "BackoffLimitExceeded" }),
    childJob("workers-0", 4).failed({
      at: timeAt("10:05:09"),
      reason: "PodFailurePolicy",
      message:
        "Container main for pod ml/train-workers-0-1-abcde failed with exit code 42 matching FailJob rule at index 1",
    }),
    worker1,
  ];
  const message = "applying FailJobSet failure policy action (first failed job: train-workers-0)";
  const status = {
    conditions: [
      createCondition(
        "RestartingJobSet",
        "False",
        "JobSetFailed",
        "jobset failed",
        timeAt("09:50:00"),
      ),
      createCondition(
        "Failed",
        "True",
        "FailJobSetFailurePolicyAction",
        message,
        timeAt("10:05:10"),
      ),
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
        warningEvent("FailJobSetFailurePolicyAction", message),
        normalEvent("JobSetFailed", "jobset failed"),
      ],
      metrics: [{ name: "jobset_failed_total", labels: { jobset_name: "train", namespace: "ml" } }],
    });
  });

  it("a JobSet failed by a rule loses its active Job in the next pass", () => {
    expect(
      summarizePlan(reconcileForTest(jobSet.withStatus(status), [service, ...jobs])),
    ).toStrictEqual({
      ...emptySummary,
      steps: [["delete Job train-workers-1"]],
    });
  });
});

describe("completion after a restart", () => {
  it("completion after a restart first ends the restart, then the JobSet", () => {
    const jobs = [childJob("driver-0", 1), childJob("workers-0", 4), childJob("workers-1", 4)];
    const jobSet = train.withStatus({
      conditions: [
        createCondition(
          "RestartingJobSet",
          "True",
          "DefaultFailurePolicy",
          "m",
          timeAt("09:00:00"),
        ),
      ],
      restarts: 1,
      restartsCountTowardsMax: 1,
    });
    const others = [service, ...jobs.map((job) => job.ofAttempt(1).completed())];
    const completed = "jobset completed successfully";
    expect(
      summarizePlan(reconcileForTest(jobSet, others, { now: timeAt("10:00:00") })),
    ).toStrictEqual({
      steps: [],
      status: {
        conditions: [
          createCondition(
            "RestartingJobSet",
            "False",
            "JobSetCompleted",
            completed,
            timeAt("10:00:00"),
          ),
          createCondition("Completed", "True", "AllJobsCompleted", completed, timeAt("10:00:00")),
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
        normalEvent("JobsReady", "all jobs are ready"),
        normalEvent("AllJobsCompleted", completed),
        normalEvent("JobSetCompleted", completed),
      ],
      metrics: [
        { name: "jobset_completed_total", labels: { jobset_name: "train", namespace: "ml" } },
      ],
    });
  });
});
