import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { summarizeFinalState } from "../laws/final-state.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { withJobSet, withSpec } from "./scenario-edits.ts";
import { singleFaultsDoNotChangeTheOutcome } from "./single-fault-law.ts";
import { singleFaults } from "./single-faults.ts";

const { scenario: ordinary } = singleFaultsDoNotChangeTheOutcome;

/** A leader, and a worker that fails in the first attempt. They run longer than any fault lasts. */
const scenario: Scenario = {
  ...withJobSet(ordinary, (jobSet) =>
    withSpec(jobSet, {
      network: { enableDNSHostnames: true },
      startupPolicy: { startupPolicyOrder: "InOrder" },
      replicatedJobs: jobSet.spec.replicatedJobs?.map((one) => ({ ...one, replicas: 1 })),
    }),
  ),
  workload: [
    { replicatedJob: "workers", jobIndex: 0, attempt: 0, runMs: 3_000, exitCode: 1 },
    { runMs: 300_000, stopMs: 500 },
  ],
  endsAt: 3_600_000,
};

describe("singleFaults", () => {
  it("the final state equals that without faults if any single request or watch of the controller fails", () => {
    const undisturbed = simulate(scenario);
    const expected = summarizeFinalState(undisturbed.end.objects);
    expect(undisturbed.violations).toEqual([]);
    expect(expected).toContain("JobSet ml/train: Completed, 1 restarts, 1 counted");
    const all = [...singleFaults(scenario, undisturbed)];
    expect(all.length).toBeGreaterThan(300);
    // The long tier simulates all of them. The short tier simulates every thirteenth, which covers each kind of
    // fault.
    const step = runs(13, 1);
    const kinds = (scenarios: readonly Scenario[]) =>
      new Set(scenarios.map(({ faults: [fault] }) => fault?.fault));
    const selected = all.filter((_, at) => at % step === 0);
    expect(kinds(selected)).toEqual(kinds(all));
    for (const disturbed of selected) {
      const { end, violations, isIdle } = simulate(disturbed);
      const fault = JSON.stringify(disturbed.faults);
      expect(violations, fault).toEqual([]);
      expect(isIdle, fault).toBe(true);
      expect(summarizeFinalState(end.objects), fault).toEqual(expected);
    }
  });

  it("single faults come when something happens and end soon, even if the JobSet waits long for its deletion", () => {
    const listSpans = (ttlSecondsAfterFinished: number) => {
      const lasting = withJobSet(scenario, (jobSet) =>
        withSpec(jobSet, { ttlSecondsAfterFinished }),
      );
      const whole = { ...lasting, endsAt: 100_000_000 };
      const singles = singleFaults(whole, simulate(whole));
      return [...singles].flatMap(({ faults: [fault] }) =>
        fault?.fault === "HoldBack" && fault.kind === "Pod" ? [fault] : [],
      );
    };
    const [soon, late] = [listSpans(60), listSpans(86_400)];
    expect(late).toHaveLength(10);
    expect(late.map(({ from }) => from)).toEqual(soon.map(({ from }) => from));
    expect(Math.max(...late.map(({ from, until }) => until - from))).toBe(600_000);
  });
});
