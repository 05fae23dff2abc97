import { describe, expect, it } from "vitest";
import { type Controller, controllerOfPlans, type PassRun } from "../manager/pass-run.ts";
import type { Fault } from "../scenario/fault.ts";
import { play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { refusedCreationsAreTold } from "./event-oracles.ts";
import type { Oracle } from "./oracle.ts";

/** Does what it has to, and tells of nothing. */
const mute: Controller = (...asked) => {
  const run = controllerOfPlans()(...asked);
  return run && muted(run);
};

function muted(run: PassRun): PassRun {
  return {
    next: () => {
      let { action, after } = run.next();
      while (action.action === "Emit") ({ action, after } = after.next());
      const quiet = action.action === "Done" ? { ...action, events: [] } : action;
      return { action: quiet, after: muted(after) };
    },
    settle: (id, reply) => muted(run.settle(id, reply)),
  };
}

describe("refusedCreationsAreTold", () => {
  const refused: Fault = {
    fault: "RefuseObject",
    kind: "Job",
    name: "train-leader-0",
    from: 0,
    until: 30_000,
  };
  const lost: Fault = { fault: "LoseEvents", from: 0, until: 30_000 };
  const brokenBy = (controller: Controller, faults: readonly Fault[]) => {
    const scenario = { ...(typicalScenarios.failure as Scenario), faults };
    const { violations } = play(scenario, {
      controller,
      oracles: [refusedCreationsAreTold as Oracle],
    });
    return violations.map(({ oracle }) => oracle);
  };

  it("is broken by a controller that tells of nothing, whoever refuses", () => {
    expect(brokenBy(mute, [refused])).toEqual(["refusedCreationsAreTold"]);
    expect(brokenBy(controllerOfPlans(), [refused])).toEqual([]);
  });

  it("asks for nothing where Events get lost", () => {
    expect(brokenBy(controllerOfPlans(), [refused, lost])).toEqual([]);
  });
});
