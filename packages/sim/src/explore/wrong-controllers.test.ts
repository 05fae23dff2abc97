import { type Plan, reconcile, type Step } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { type Controller, controllerOfPlans, type Planner } from "../manager/pass-run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { explore } from "./explore.ts";
import { randomScenario } from "./random-scenario.ts";

type Reconcile = Planner["reconcile"];

/** A controller that is right but for what is done to its plans. */
function withPlans(change: (plan: Plan, ...args: Parameters<Reconcile>) => Plan): Controller {
  return controllerOfPlans({ reconcile: (...args) => change(reconcile(...args), ...args) });
}

type EachEffect = Step["effects"][number];

function withEffects(change: (effect: EachEffect) => readonly EachEffect[]): Controller {
  return withPlans((plan) => ({
    ...plan,
    steps: plan.steps
      .map((step) => ({ ...step, effects: step.effects.flatMap(change) }) as Step)
      .filter(({ effects }) => effects.length > 0),
  }));
}

const isEnded = (jobSet: Parameters<Reconcile>[1]) => jobSet.status?.terminalState !== undefined;

/** Each time it plans, the first effects of its steps come in another order. */
function shuffling(): Controller {
  let count = 0;
  return withPlans((plan) => {
    count += 1;
    const steps = plan.steps.map((step) =>
      count % 2 === 0 ? ({ ...step, effects: step.effects.toReversed() } as Step) : step,
    );
    return { ...plan, steps };
  });
}

const wrong: Readonly<Record<string, readonly [oracles: readonly string[], Controller]>> = {
  "plans by the restart count before (H1)": [
    [
      "jobsAreOfTheCurrentAttempt",
      "restartsRiseByOne",
      "podsOfOneAttemptAtATime",
      "countsAreWhatIsSeen",
    ],
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const { restarts = 0 } = jobSet.status ?? {};
        if (restarts === 0) return reconcile(snapshot, jobSet, context);
        const stale = { ...jobSet, status: { ...jobSet.status, restarts: restarts - 1 } };
        return reconcile(snapshot, stale as typeof jobSet, context);
      },
    }),
  ],
  "leaves Jobs of a JobSet that has ended (H5)": [
    ["endedJobSetsRunNothing", "nothingIsLeftToDo"],
    withPlans((plan, _, jobSet) =>
      isEnded(jobSet)
        ? { ...plan, steps: plan.steps.filter(({ effects }) => effects[0]?.target.kind !== "Job") }
        : plan,
    ),
  ],
  "forgets that it wants to look again (H6)": [
    ["nothingIsLeftToDo"],
    withPlans(({ requeueAfterSeconds: _, ...plan }) => plan),
  ],
  "plans in an order of chance (H8)": [["equalViewsGetEqualPlans"], shuffling()],
  "deletes in the background": [
    ["deletionsWaitAndAreDue"],
    withEffects((effect) => [
      effect.verb === "delete" ? { ...effect, propagationPolicy: "Background" } : effect,
    ]),
  ],
  "counts each restart twice": [
    ["restartsRiseByOne", "countedRestartsStayWithinTheLimit"],
    withEffects((effect) => {
      if (effect.verb !== "updateStatus" || effect.target.kind !== "JobSet") return [effect];
      const object = effect.object as { status?: { restarts?: number } };
      const restarts = (object.status?.restarts ?? 0) * 2;
      return [
        { ...effect, object: { ...object, status: { ...object.status, restarts } } },
      ] as never;
    }),
  ],
  "looks again at once, for ever": [
    ["passesAreSpacedOut"],
    withPlans((plan) => ({ ...plan, requeueAfterSeconds: 0.001 })),
  ],
  "starts the Jobs of a suspended JobSet": [
    ["suspendedJobSetsStartNothing"],
    withEffects((effect) => {
      if (effect.verb !== "create" || effect.target.kind !== "Job") return [effect];
      const object = effect.object as unknown as { spec: object };
      return [
        { ...effect, object: { ...object, spec: { ...object.spec, suspend: false } } },
      ] as never;
    }),
  ],
  "never deletes what has to go": [
    ["nothingIsLeftToDo", "endedJobSetsRunNothing"],
    withEffects((effect) => (effect.verb === "delete" ? [] : [effect])),
  ],
};

/** What has failed or is to fail does, and all else runs until it is stopped, so that whatever is left shows. */
function endless(seed: number): Scenario {
  const scenario = randomScenario(seed);
  return { ...scenario, workload: scenario.workload.filter(({ exitCode }) => exitCode === 1) };
}

function* scenarios(count: number) {
  for (let seed = 1; seed <= count; seed++) {
    yield randomScenario(seed);
    yield endless(seed);
  }
}

describe("a wrong controller", () => {
  it.each(Object.entries(wrong))("that %s is found out", (_, [oracles, controller]) => {
    const { found } = explore(scenarios(100), { controller, maxTurns: 3000 });
    expect(oracles).toContain(found[0]?.violation.oracle);
  });
});
