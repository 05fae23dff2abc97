import { expect, it } from "vitest";
import {
  EXCLUSIVE,
  firstReplicatedJob,
  withAnnotations,
  withJobSet,
  withSpec,
} from "../explore/scenario-edits.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { jobsGetTheirPods } from "./pod-liveness-laws.ts";

/** A Job of a leader and a follower. The follower cannot be created before the leader is evicted. */
const scenario: Scenario = {
  ...withJobSet(typicalScenarios.failure as Scenario, (jobSet) =>
    withAnnotations(withSpec(jobSet, { replicatedJobs: [firstReplicatedJob(jobSet)] }), EXCLUSIVE),
  ),
  workload: [{ readyMs: 100, stopMs: 200 }],
  faults: [
    { fault: "WebhookOutage", from: 16, until: 2_018 },
    { fault: "Drain", node: "node-0", from: 1_526, until: 1_527 },
  ],
};

it("a Job needs no followers after its leader has succeeded, whether the leader's Pod still exists or not", () => {
  const { violations, end } = simulate(scenario, { livenessLaws: [jobsGetTheirPods] });
  expect(violations).toEqual([]);
  const [job] = end.objects.ofKind("Job");
  expect(job).toMatchObject({ status: { succeeded: 1, completedIndexes: "0" } });
  expect(end.objects.ofKind("Pod")).toEqual([]);
});
