import { formatTime } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { START_TIME } from "../kernel/cluster.ts";
import { summarizeFinalState } from "../laws/final-state.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { withStatus } from "../testing/wrong-controller.ts";
import { exploreInBatches } from "./explore-in-blocks.ts";
import { findFaultDependentOutcomes } from "./fault-dependent-outcomes.ts";
import { getJobSet, withEach, withJobSet, withJobSpec, withSpec } from "./scenario-edits.ts";

const scenario = typicalScenarios.restartThatRunsOn as Scenario;

/** Reports once that the JobSet has taken long, and never removes the report. */
const keepsDelayCondition = withStatus((status, _, { now }) => {
  const { conditions = [] } = status;
  if (now < START_TIME + 12_000 || conditions?.some(({ type }) => type === "Late")) return status;
  const late = { type: "Late", status: "True", reason: "TookLong", message: "it took long" };
  return {
    ...status,
    conditions: [...(conditions ?? []), { ...late, lastTransitionTime: formatTime(now) }],
  } as typeof status;
});

describe("findFaultDependentOutcomes", () => {
  it("findFaultDependentOutcomes is the only law that catches a controller whose outcome depends on a single fault", () => {
    const listLaws = (settings: object) =>
      exploreInBatches(
        { seed: 1, scenario },
        settings,
      )(0).failingScenarios.map(({ violation }) => violation);
    expect(listLaws({})).toEqual([]);
    const found = listLaws({ controller: keepsDelayCondition });
    expect(new Set(found.map(({ law }) => law))).toEqual(new Set(["endsAsWithoutFaults"]));
    expect(found[0]?.message).toBe(
      "the final state has JobSet ml/train: Late True TookLong instead of nothing",
    );
  });

  it("Jobs of a failing JobSet are not compared", () => {
    const failed: Scenario = {
      ...withJobSet(scenario, (jobSet) => withSpec(jobSet, { failurePolicy: { maxRestarts: 0 } })),
      workload: [
        { replicatedJob: "workers", jobIndex: 1, runMs: 3_000, exitCode: 1 },
        { runMs: 5_000 },
      ],
    };
    const late: Scenario = {
      ...failed,
      faults: [{ fault: "HoldBack", kind: "Job", from: 2_500, until: 30_000 }],
    };
    const undisturbed = simulate(failed);
    const steadyStateLaws = findFaultDependentOutcomes(late, undisturbed);
    const { end, violations } = simulate(late, { steadyStateLaws });
    expect(steadyStateLaws.length).toBe(1);
    expect(summarizeFinalState(end.objects)).not.toEqual(
      summarizeFinalState(undisturbed.end.objects),
    );
    expect(violations).toEqual([]);
  });

  const editSpec = (spec: object) => withJobSet(scenario, (jobSet) => withSpec(jobSet, spec));
  const scenarioWithJobs = (spec: object) =>
    withJobSet(scenario, (jobSet) => withEach(jobSet, (one) => withJobSpec(one, spec)));
  const failing = { replicatedJob: "workers", jobIndex: 0, runMs: 3_000, exitCode: 1 };
  it.each<[string, Scenario]>([
    ["users act", { ...scenario, actions: (typicalScenarios.deletion as Scenario).actions }],
    ["JobSets wait for quota", { ...scenario, queueing: { flavors: [], evictions: [] } }],
    ["one Job suffices", editSpec({ successPolicy: { operator: "Any" } })],
    [
      "some Jobs suffice",
      editSpec({ successPolicy: { operator: "All", targetReplicatedJobs: ["leader"] } }),
    ],
    ["Jobs have a deadline", scenarioWithJobs({ activeDeadlineSeconds: 600 })],
    ["Jobs have a time to live", scenarioWithJobs({ ttlSecondsAfterFinished: 600 })],
    ["several Jobs fail", { ...scenario, workload: [failing, ...scenario.workload] }],
    ["all Jobs may fail", { ...scenario, workload: [{ runMs: 1_000, exitCode: 1 }] }],
    [
      "a Job fails at a time",
      { ...scenario, workload: [{ job: "train-workers-0", endsAtMs: 3_000, exitCode: 1 }] },
    ],
  ])("findFaultDependentOutcomes returns no law if %s", (_, one) => {
    expect(getJobSet(one).metadata.name).toBe("train");
    expect(findFaultDependentOutcomes(one, simulate({ ...one, faults: [] }))).toEqual([]);
  });
});
