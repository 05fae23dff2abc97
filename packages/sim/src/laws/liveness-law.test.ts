import { expect, it } from "vitest";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { LIVENESS_LIMIT_MS } from "./liveness-law.ts";

const LONG_MS = 6 * LIVENESS_LIMIT_MS;

/** A Job fails, and the JobSet then fails once all components have reacted. */
function createScenarioWithFault(fault: Fault): Scenario {
  return {
    ...(typicalScenarios.failure as Scenario),
    faults: [fault],
    endsAt: 10 * LONG_MS,
  };
}

it.each<Fault>([
  { fault: "Crash", request: 2, when: "Before", downMs: LONG_MS },
  { fault: "Crash", request: 2, when: "After", downMs: LONG_MS },
  { fault: "DelayRequest", request: 2, ms: LONG_MS },
  { fault: "Slow", component: "job-controller", from: 0, until: 1_000, ms: LONG_MS },
])("a liveness law allows its full time after a long $fault", (fault) => {
  const { end, isIdle, violations } = simulate(createScenarioWithFault(fault));
  expect({ isIdle, violations }).toEqual({ isIdle: true, violations: [] });
  expect(end.objects.ofKind("JobSet")).toMatchObject([{ status: { terminalState: "Failed" } }]);
});

it("a liveness law allows only its own time after a long Crash", () => {
  const crash: Fault = { fault: "Crash", request: 2, when: "Before", downMs: LONG_MS };
  const right = createSimController();
  const controller: SimController = (key, snapshot, context) =>
    context.now < START_TIME + LONG_MS ? right(key, snapshot, context) : undefined;
  const [violation] = simulate(createScenarioWithFault(crash), { controller }).violations;
  const sinceTheCrash = (violation?.at ?? 0) - START_TIME - LONG_MS - LIVENESS_LIMIT_MS;
  // The crash comes with the second request, which is sent at once.
  expect(sinceTheCrash).toBeGreaterThan(0);
  expect(sinceTheCrash).toBeLessThan(100);
});
