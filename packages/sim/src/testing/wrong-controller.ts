import type { JobSet, JobSetStatus, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type Context, type Effect, type Plan, reconcile, type Step } from "@jobset-ts/core";
import { expect, it } from "vitest";
import {
  createSimController,
  type Planner,
  type SimController,
} from "../jobset-controller/pass-run.ts";
import { simulate } from "../scenario/play.ts";
import type { SimulationOptions } from "../scenario/play-settings.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { typical, typicalScenarios } from "./typical-scenarios.ts";
import { copyStatus } from "./wrong-plan.ts";

type Reconcile = Planner["reconcile"];

/** A controller that is right but for what is done to its plans. */
export function withPlans(
  change: (plan: Plan, ...args: Parameters<Reconcile>) => Plan,
): SimController {
  return createSimController({ reconcile: (...args) => change(reconcile(...args), ...args) });
}

/** The same, to each of its effects; steps without any are left out. */
export function withEffects(change: (effect: Effect) => readonly Effect[]): SimController {
  return withPlans((plan) => ({
    ...plan,
    steps: plan.steps
      .map((step) => ({ ...step, effects: step.effects.flatMap(change) }) as Step)
      .filter(({ effects }) => effects.length > 0),
  }));
}

/** The same, to each Job that it creates. */
export function withCreatedJobs(change: (job: Job) => Job): SimController {
  return withEffects((effect) => {
    if (effect.verb !== "create" || effect.target.kind !== "Job") return [effect];
    const object = change(effect.object as unknown as Job);
    const target = { ...effect.target, name: object.metadata.name ?? "" };
    return [{ ...effect, target, object: object as typeof effect.object }];
  });
}

/** The same, to each status that it writes. */
export function withStatus(
  change: (status: JobSetStatus, jobSet: Unvalidated<JobSet>, context: Context) => JobSetStatus,
): SimController {
  return withPlans((plan, _snapshot, jobSet, context) => {
    if (plan.status === undefined) return plan;
    return copyStatus(plan, change(plan.status, jobSet, context));
  });
}

/** A status with other counts of each ReplicatedJob. */
export function withCounts(
  status: JobSetStatus,
  change: (
    one: NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
  ) => NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
): JobSetStatus {
  return { ...status, replicatedJobsStatus: (status.replicatedJobsStatus ?? []).map(change) };
}

/** A controller that is right about another JobSet than the one it sees. */
export function aboutAnother(change: (jobSet: JobSet) => JobSet): SimController {
  return createSimController({
    reconcile: (snapshot, jobSet, context) =>
      reconcile(snapshot, change(jobSet as JobSet) as Unvalidated<JobSet>, context),
  });
}

/** Whether a JobSet says that it has ended. */
export function isEnded({ status }: { status?: { terminalState?: unknown } | null }): boolean {
  return (status?.terminalState ?? undefined) !== undefined;
}

/** The laws that find something in any of some scenarios, by name. */
export function findersIn(
  scenarios: Iterable<Scenario>,
  settings: SimulationOptions = {},
): readonly string[] {
  const found = new Set<string>();
  for (const scenario of scenarios) {
    const { violations, refused } = simulate(scenario, {
      maxTurns: 800,
      ...settings,
      continueAfterViolation: true,
    });
    expect(refused).toEqual([]);
    for (const { law } of violations) found.add(law);
  }
  return [...found].sort();
}

/** Controllers that are wrong where something happens, each with the scenario in which it does, and all that find it. */
export type WrongIn = Readonly<
  Record<string, readonly [Scenario, controller: SimController, finders: readonly string[]]>
>;

/** Tests that each of them is found out in its scenario, and that the right controller is not. */
export function testFoundOut(wrongIn: WrongIn): void {
  it.each(Object.entries(wrongIn))(
    "that %s is found out where that happens",
    (_, [scenario, controller, finders]) => {
      expect(findersIn([scenario])).toEqual([]);
      expect(findersIn([scenario], { controller })).toEqual(finders);
    },
  );
}

/** Controllers that are wrong in typical scenarios: each with all laws that find it, and scenarios in which they do. */
export type WrongInTypical = Readonly<
  Record<
    string,
    readonly [controller: SimController, finders: readonly string[], scenarios: readonly string[]]
  >
>;

/**
 * Tests that exactly its laws find each controller.
 *
 * @param playsAll - whether each controller plays every typical scenario, not only its own
 */
export function testFoundOutInTypical(wrong: WrongInTypical, playsAll: boolean): void {
  const all = Object.keys(typicalScenarios);
  it.each(Object.entries(wrong))("that %s is found out", (_, [controller, finders, scenarios]) => {
    const played = all.filter((name) => playsAll || scenarios.includes(name));
    expect(findersIn(played.map(typical), { controller })).toEqual(finders);
  });
}

/** Tests that nothing is found where a right controller can do nothing about what happens. */
export function testToldFromRight(rightIn: Readonly<Record<string, Scenario>>): void {
  it.each(Object.entries(rightIn))("the wrong controller is detected where %s", (_, scenario) => {
    expect(findersIn([scenario])).toEqual([]);
  });
}
