import type { JobSet, JobSetStatus, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type Context, type Effect, type Plan, reconcile, type Step } from "@jobset-ts/core";
import { expect, it } from "vitest";
import {
  createSimController,
  type Planner,
  type SimController,
} from "../jobset-controller/pass-run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import { getTypicalScenario, typicalScenarios } from "./typical-scenarios.ts";
import { replaceStatus } from "./wrong-plan.ts";

type Reconcile = Planner["reconcile"];

/** Creates a controller that is correct except for a change of its plans. */
export function withPlans(
  change: (plan: Plan, ...args: Parameters<Reconcile>) => Plan,
): SimController {
  return createSimController({ reconcile: (...args) => change(reconcile(...args), ...args) });
}

/** Creates a controller that is correct except for a change of its effects. Steps without effects are dropped. */
export function withEffects(change: (effect: Effect) => readonly Effect[]): SimController {
  return withPlans((plan) => ({
    ...plan,
    steps: plan.steps
      .map((step) => ({ ...step, effects: step.effects.flatMap(change) }) as Step)
      .filter(({ effects }) => effects.length > 0),
  }));
}

/** Creates a controller that is correct except for a change of the Jobs that it creates. */
export function withCreatedJobs(change: (job: Job) => Job): SimController {
  return withEffects((effect) => {
    if (effect.verb !== "create" || effect.target.kind !== "Job") return [effect];
    const object = change(effect.object as unknown as Job);
    const target = { ...effect.target, name: object.metadata.name ?? "" };
    return [{ ...effect, target, object: object as typeof effect.object }];
  });
}

/** Creates a controller that is correct except for a change of the statuses that it writes. */
export function withStatus(
  change: (status: JobSetStatus, jobSet: Unvalidated<JobSet>, context: Context) => JobSetStatus,
): SimController {
  return withPlans((plan, _snapshot, jobSet, context) => {
    if (plan.status === undefined) return plan;
    return replaceStatus(plan, change(plan.status, jobSet, context));
  });
}

/** Returns a status with changed counts for each ReplicatedJob. */
export function withCounts(
  status: JobSetStatus,
  change: (
    one: NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
  ) => NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
): JobSetStatus {
  return { ...status, replicatedJobsStatus: (status.replicatedJobsStatus ?? []).map(change) };
}

/** Creates a controller that reconciles a different JobSet from the one it sees. */
export function withReplacedJobSet(change: (jobSet: JobSet) => JobSet): SimController {
  return createSimController({
    reconcile: (snapshot, jobSet, context) =>
      reconcile(snapshot, change(jobSet as JobSet) as Unvalidated<JobSet>, context),
  });
}

/** Returns whether the status of a JobSet is terminal. */
export function isEnded({ status }: { status?: { terminalState?: unknown } | null }): boolean {
  return (status?.terminalState ?? undefined) !== undefined;
}

/** Returns the names of the laws that fail in any of the scenarios. */
export function findDetectingLaws(
  scenarios: Iterable<Scenario>,
  settings: SimulationOptions = {},
): readonly string[] {
  const found = new Set<string>();
  for (const scenario of scenarios) {
    const { violations, rejectedRequests } = simulate(scenario, {
      maxTurns: 800,
      ...settings,
      continueAfterViolation: true,
    });
    expect(rejectedRequests).toEqual([]);
    for (const { law } of violations) found.add(law);
  }
  return [...found].sort();
}

/** The laws that fail with the right controller, by scenario. Several wrong controllers have the same scenario. */
const failingByScenario = new Map<string, readonly string[]>();

/** Returns the names of the laws that fail in a scenario with the right controller. */
function findFailingLaws(scenario: Scenario): readonly string[] {
  const key = JSON.stringify(scenario);
  const found = failingByScenario.get(key) ?? findDetectingLaws([scenario]);
  failingByScenario.set(key, found);
  return found;
}

/** Wrong controllers, each with the scenario that reveals it and all laws that detect it. */
export type WrongControllers = Readonly<
  Record<string, readonly [Scenario, controller: SimController, finders: readonly string[]]>
>;

/** Tests that each wrong controller is detected in its scenario, and that the correct controller is not. */
export function testDetection(wrongIn: WrongControllers): void {
  it.each(Object.entries(wrongIn))(
    "a controller that %s is detected in its scenario",
    (_, [scenario, controller, finders]) => {
      expect(findFailingLaws(scenario)).toEqual([]);
      expect(findDetectingLaws([scenario], { controller })).toEqual(finders);
    },
  );
}

/** Wrong controllers for typical scenarios, each with all laws that detect it and the scenarios in which they do. */
export type WrongInTypicalScenarios = Readonly<
  Record<
    string,
    readonly [controller: SimController, finders: readonly string[], scenarios: readonly string[]]
  >
>;

/**
 * Tests that exactly the listed laws detect each controller.
 *
 * @param playsAll - whether each controller runs in every typical scenario, not only in its own
 */
export function testDetectionInTypicalScenarios(
  wrong: WrongInTypicalScenarios,
  playsAll: boolean,
): void {
  const all = Object.keys(typicalScenarios);
  it.each(Object.entries(wrong))(
    "a controller that %s is detected",
    (_, [controller, finders, scenarios]) => {
      const selected = all.filter((name) => playsAll || scenarios.includes(name));
      expect(findDetectingLaws(selected.map(getTypicalScenario), { controller })).toEqual(finders);
    },
  );
}

/** Tests that no law fails in scenarios that a correct controller cannot change. */
export function testRightControllerPasses(rightIn: Readonly<Record<string, Scenario>>): void {
  it.each(Object.entries(rightIn))("the wrong controller is detected where %s", (_, scenario) => {
    expect(findFailingLaws(scenario)).toEqual([]);
  });
}
