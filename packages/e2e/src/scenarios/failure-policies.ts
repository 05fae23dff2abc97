import assert from "node:assert/strict";
import { eventually, type Stored } from "../cluster.ts";
import { listConditions, part, type Scenario } from "../scenario.ts";

/** The workers fail in the first attempt and run from the second on. The others always run. */
const failOnce = part("workers", { command: ["fail-before-attempt", "1"] });

function policy(action: string, maxRestarts = 0) {
  return { maxRestarts, rules: [{ name: "any", action }] };
}

export const failurePolicies: readonly Scenario[] = [
  {
    name: "FailJobSet ends the JobSet",
    events: ["Warning FailJobSetFailurePolicyAction"],
    async play(stage) {
      await stage.create({
        failurePolicy: policy("FailJobSet", 3),
        replicatedJobs: [part("driver"), failOnce],
      });
      const jobSet = await stage.condition("Failed");
      const { reason } = listConditions(jobSet).find(({ type }) => type === "Failed");
      assert.equal(reason, "FailJobSetFailurePolicyAction");
      assert.equal(jobSet.status.terminalState, "Failed");
      await stage.jobs("workers-0");
    },
  },
  {
    name: "RestartJobSet recreates all Jobs once",
    events: [
      "Warning FailurePolicy_any",
      "Warning RestartJobSetFailurePolicyAction",
      "Normal JobsReady",
    ],
    async play(stage) {
      await stage.create({
        failurePolicy: policy("RestartJobSet", 1),
        replicatedJobs: [part("driver"), failOnce],
      });
      await stage.waitForCounts("workers", { ready: 1 });
      const { status } = await stage.condition("RestartingJobSet", "False");
      assert.equal(status.restarts, 1);
      assert.equal(status.restartsCountTowardsMax, 1);
      await stage.waitForCounts("driver", { ready: 1 });
    },
  },
  {
    name: "RestartJobSet fails the JobSet after maxRestarts",
    events: [
      "Warning FailurePolicy_any",
      "Warning RestartJobSetFailurePolicyAction",
      "Warning ReachedMaxRestarts",
      "Normal JobSetFailed",
    ],
    async play(stage) {
      await stage.create({
        failurePolicy: policy("RestartJobSet", 1),
        replicatedJobs: [part("driver"), part("workers", { command: ["fail"] })],
      });
      const jobSet = await stage.condition("Failed");
      const { reason } = listConditions(jobSet).find(({ type }) => type === "Failed");
      assert.equal(reason, "ReachedMaxRestarts");
      assert.equal(jobSet.status.restarts, 1);
      await stage.jobs("workers-0");
    },
  },
  {
    name: "RestartJobSetAndIgnoreMaxRestarts does not count",
    events: [
      "Warning FailurePolicy_any",
      ...Array(2).fill("Warning RestartJobSetAndIgnoreMaxRestartsFailurePolicyAction"),
      "Normal JobsReady",
    ],
    async play(stage) {
      await stage.create({
        failurePolicy: policy("RestartJobSetAndIgnoreMaxRestarts"),
        replicatedJobs: [
          part("driver"),
          part("workers", { command: ["fail-before-attempt", "2"] }),
        ],
      });
      await stage.waitForCounts("workers", { ready: 1 });
      const { status } = await stage.condition("RestartingJobSet", "False");
      assert.equal(status.restarts, 2);
      assert.equal(status.restartsCountTowardsMax ?? 0, 0);
      await stage.waitForCounts("driver", { ready: 1 });
    },
  },
  {
    name: "three restarts because of one Job are reported three times",
    events: [
      // The condition stays true, with the same reason, until all Jobs are ready.
      "Warning DefaultFailurePolicy",
      ...Array(3).fill("Warning RestartJobSetFailurePolicyAction"),
      "Normal JobsReady",
    ],
    async play(stage) {
      const workers = part("workers", { command: ["fail-before-attempt", "3"] });
      await stage.create({ failurePolicy: { maxRestarts: 3 }, replicatedJobs: [workers] });
      await stage.waitForCounts("workers", { ready: 1 });
      const { status } = await stage.condition("RestartingJobSet", "False");
      assert.equal(status.restarts, 3);
    },
  },
  ...[policy("RestartJob", 2), policy("RestartJobAndIgnoreMaxRestarts")].map(
    (failurePolicy): Scenario => ({
      name: `${failurePolicy.rules[0]?.action} recreates the failed Jobs and no others`,
      gates: ["RestartJob"],
      events: Array(2).fill(`Warning ${failurePolicy.rules[0]?.action}FailurePolicyAction`),
      async play(stage) {
        const workers = part("workers", { replicas: 2, command: ["fail-before-attempt", "1"] });
        await stage.create({ failurePolicy, replicatedJobs: [part("driver"), workers] });
        const before = await eventually("the driver exists", () =>
          stage.cluster.get("Job", stage.namespace, "train-driver-0"),
        );
        const { status } = await stage.waitForCounts("workers", { ready: 2 });
        const { jobRestarts } = status.replicatedJobsStatus.find(
          ({ name }: Stored) => name === "workers",
        );
        assert.deepEqual(jobRestarts, [1, 1]);
        assert.equal(status.restarts, 0);
        const after = await stage.cluster.get("Job", stage.namespace, "train-driver-0");
        assert.equal(after?.metadata.uid, before.metadata.uid);
        await stage.waitForCounts("driver", { ready: 1 });
      },
    }),
  ),
];
