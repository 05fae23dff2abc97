import { expect, it } from "vitest";
import { type Controller, controllerOfPlans } from "../jobset-controller/pass-run.ts";
import { BEGINNING } from "../kernel/cluster.ts";
import type { Fault } from "../scenario/fault.ts";
import { play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { SOON_MS } from "./awaiting.ts";

const LONG_MS = 6 * SOON_MS;

/** A Job fails, and with it the JobSet, once everybody does what is theirs. */
function failing(fault: Fault): Scenario {
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
])("what has to come about has its time after a long $fault", (fault) => {
  const { end, isQuiet, violations } = play(failing(fault));
  expect({ isQuiet, violations }).toEqual({ isQuiet: true, violations: [] });
  expect(end.objects.ofKind("JobSet")).toMatchObject([{ status: { terminalState: "Failed" } }]);
});

it("what has to come about has no more than its time after a long Crash", () => {
  const crash: Fault = { fault: "Crash", request: 2, when: "Before", downMs: LONG_MS };
  const right = controllerOfPlans();
  const controller: Controller = (key, snapshot, context) =>
    context.now < BEGINNING + LONG_MS ? right(key, snapshot, context) : undefined;
  const [violation] = play(failing(crash), { controller }).violations;
  const sinceTheCrash = (violation?.at ?? 0) - BEGINNING - LONG_MS - SOON_MS;
  // The crash comes with the second request, which is sent at once.
  expect(sinceTheCrash).toBeGreaterThan(0);
  expect(sinceTheCrash).toBeLessThan(100);
});
