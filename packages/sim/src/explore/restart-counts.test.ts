import { expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import { summarizeFinalState } from "../laws/final-state.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { withJobSet, withSpec } from "./scenario-edits.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { singleFaults } from "./single-faults.ts";

const REPLICATED_JOBS = [
  { name: "leader", replicas: 1 },
  { name: "workers", replicas: 2 },
] as const;

/** In each of this many attempts, one Job fails. In the next attempt, all succeed. */
function createFailingScenario(seed: number, failures: number, maxRestarts: number): Scenario {
  const { below, pick } = createSeededRandom(seed);
  const workload: readonly WorkloadRule[] = [
    ...Array.from({ length: failures }, (_, attempt): WorkloadRule => {
      const { name, replicas } = pick(REPLICATED_JOBS, "fails", attempt);
      const jobIndex = below(replicas, "index", attempt);
      const runMs = 1_000 + below(9_000, "after", attempt);
      return { replicatedJob: name, jobIndex, attempt, runMs, exitCode: 1 };
    }),
    { attempt: failures, runMs: 20_000 },
    { stopMs: below(3_000, "stop") },
  ];
  const failurePolicy = {
    maxRestarts,
    restartStrategy: pick(["Recreate", "BlockingRecreate"], "strategy"),
  };
  const startupPolicyOrder = pick(["AnyOrder", "InOrder"], "order");
  return withJobSet({ ...(typicalScenarios.limit as Scenario), workload }, (jobSet) =>
    withSpec(jobSet, { failurePolicy, startupPolicy: { startupPolicyOrder } }),
  );
}

const LIMIT = 2;

it.each([0, 1, LIMIT, LIMIT + 1])(
  "after %s failures, a JobSet with two restarts has the correct number of restarts, for any network fault",
  (failures) => {
    const expected =
      failures > LIMIT
        ? `Failed, ${LIMIT} restarts, ${LIMIT} counted`
        : `Completed, ${failures} restarts, ${failures} counted`;
    const scenario = createFailingScenario(failures, failures, LIMIT);
    const faulty = [...singleFaults(scenario, simulate(scenario))].filter(
      (_, at) => at % runs(61, 5) === failures,
    );
    expect(faulty.length).toBeGreaterThan(5);
    for (const variant of [scenario, ...faulty]) {
      const { end, isIdle, violations } = simulate(variant);
      const [jobSet] = summarizeFinalState(end.objects).filter((line) =>
        line.includes(" restarts, "),
      );
      expect({ isIdle, violations, jobSet }, JSON.stringify(variant.faults)).toEqual({
        isIdle: true,
        violations: [],
        jobSet: `JobSet ml/train: ${expected}`,
      });
    }
  },
);
