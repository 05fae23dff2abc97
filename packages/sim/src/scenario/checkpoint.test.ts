import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { randomScenario } from "../explore/random-scenario.ts";
import { singleFaults } from "../explore/single-faults.ts";
import type { StepResult } from "../kernel/advance.ts";
import type { LivenessLaw } from "../laws/liveness-law.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";
import {
  type SimulationResult,
  simulate,
  simulateFrom,
  simulateWithCheckpoints,
} from "./simulate.ts";
import type { SimulationOptions } from "./simulation-options.ts";

const clockFaults: readonly (readonly Fault[])[] = [
  [{ fault: "ClockOffset", ms: 5_000 }],
  [{ fault: "ClockJump", clock: "kubelet", ms: -5_000, from: 2_000, until: 9_000 }],
];

describe("simulateFrom", () => {
  it.each([
    ["a restart", typicalScenarios.restartThatRunsOn as Scenario, runs(73, 1)],
    ["a random scenario", randomScenario(5), runs(7, 1)],
  ])(
    "simulateFrom returns the result and the turns of simulate for single faults of %s",
    (_, scenario, step) => {
      const undisturbed = { ...scenario, faults: [] };
      const { checkpoints, ...kept } = simulateWithCheckpoints(undisturbed);
      const each = [...singleFaults(undisturbed, kept)].map(({ faults }) => faults);
      const chosen = each.filter((_, at) => at % step === 0 || at === each.length - 1);
      let forked = 0;
      for (const faults of [...chosen, ...clockFaults]) {
        const one = { ...undisturbed, faults };
        const other = describeRun((settings) => simulateFrom(checkpoints, one, settings));
        expect(other.text, JSON.stringify(faults)).toBe(
          describeRun((to) => simulate(one, to)).text,
        );
        if (other.first === checkpoints[0]?.turn) forked += 1;
      }
      expect(forked).toBeGreaterThan(chosen.length / 2);
    },
  );

  it.each<Fault>([
    { fault: "HoldBack", kind: "Job", from: 5_000, until: 30_000 },
    { fault: "LoseReply", request: 12 },
  ])("simulateFrom waits as long as simulate for work that started before $fault", (fault) => {
    const undisturbed = { ...typicalScenarios.restartThatRunsOn, faults: [] } as Scenario;
    const neverThere: LivenessLaw = {
      name: "neverThere",
      sentence: "Nothing of it is ever missing",
      withinMs: 40_000,
      begins: ({ verb, after }) =>
        verb === "Added" && after?.kind === "JobSet" ? { subject: after } : undefined,
      missing: () => "it is missing",
    };
    const settings = { livenessLaws: [neverThere] };
    const { checkpoints } = simulateWithCheckpoints(undisturbed, settings);
    const one = { ...undisturbed, faults: [fault] };
    const { violations } = simulateFrom(checkpoints, one, settings);
    expect(violations).toEqual(simulate(one, settings).violations);
    expect(violations.map(({ law }) => law)).toEqual(["neverThere"]);
  });

  it("simulateFrom ends after as many turns as simulate", () => {
    const undisturbed = { ...randomScenario(2), faults: [] };
    const { checkpoints, turns } = simulateWithCheckpoints(undisturbed);
    const fault: Fault = { fault: "Spurious", at: 1e9, jobSet: "ml/train" };
    const maxTurns = Math.floor(turns / 2);
    const run = simulateFrom(checkpoints, { ...undisturbed, faults: [fault] }, { maxTurns });
    expect(run.turns).toBe(maxTurns);
    expect(run.abortReason).toBeDefined();
  });
});

/** Returns the first turn, and the result and all turns as text. */
function describeRun(simulateOne: (settings: SimulationOptions) => SimulationResult) {
  const turns: StepResult[] = [];
  const { end, ...run } = simulateOne({ onTurn: (turn) => turns.push(turn) });
  const { now, revision, wakes, turns: left, objects } = end;
  const history = turns.map(({ cluster, changes, events, notes }) => {
    const written = changes.map(({ verb, actor }) => [verb, actor]);
    return [cluster.now, cluster.revision, written, events, notes.length];
  });
  return {
    first: turns[0],
    text: JSON.stringify([run, now, revision, wakes, left.size, [...objects.all()], history]),
  };
}
