import {
  foreignControllerLaws,
  type LawStatement,
  randomScenario,
  type SingleFaultLaw,
  shrinkAsync,
  singleFaults,
  singleFaultsDoNotChangeTheOutcome,
} from "@jobset-ts/sim";
import fc from "fast-check";
import type { ControllerSubject } from "./controller.ts";
import {
  describeHistory,
  type HistoryEvaluation,
  PassHangsError,
  simulateController,
} from "./controller-simulation.ts";
import { formatParts } from "./format-case.ts";
import { createLaw, type Law, type Laws, type SubjectViolation } from "./law.ts";
import { HANG_SECONDS } from "./pass-hang.ts";

const { safetyLaws, livenessLaws } = foreignControllerLaws;

/** The maximum number of scenarios to run when shrinking a counterexample. */
const MAX_TRIES = 150;

/**
 * The laws of whole histories, by name. A controller works in a simulated cluster: its caches lag, requests are lost or
 * rejected, it crashes and restarts, nodes fail, and users change the objects.
 *
 * The controller is called when a JobSet changes, or one of its Jobs, its Service or, with in-place restart, its Pods.
 * It is also called when `ttlSecondsAfterFinished` expires, and when a pass requests it. A violation is reported as the
 * shortest history found, line by line.
 *
 * @example
 * for (const [name, law] of historyLaws) test(name, () => fc.assert(law(controller)));
 */
export const historyLaws: Laws<ControllerSubject> = createHistoryLaws(HANG_SECONDS);

/** Creates {@link historyLaws} with another limit for a hanging pass. */
export function createHistoryLaws(hangSeconds: number): Laws<ControllerSubject> {
  return new Map([
    ...safetyLaws.map(
      (one) => [one.name, createRandomHistoryLaw(one, { safetyLaws: [one], hangSeconds })] as const,
    ),
    ...livenessLaws.map(
      (one) =>
        [one.name, createRandomHistoryLaw(one, { livenessLaws: [one], hangSeconds })] as const,
    ),
    [
      singleFaultsDoNotChangeTheOutcome.name,
      createSingleFaultLaw(singleFaultsDoNotChangeTheOutcome, hangSeconds),
    ],
  ]);
}

/**
 * All {@link historyLaws} in one, except the one about single faults. Each history is checked against all of them,
 * which takes a fraction of the time. A failure report starts with the violated law.
 *
 * @example await fc.assert(everyHistoryLaw(controller));
 */
export const everyHistoryLaw: Law<ControllerSubject> = createRandomHistoryLaw(
  { name: "everyHistoryLaw", sentence: "Nothing is wrong in any history." },
  { ...foreignControllerLaws, hangSeconds: HANG_SECONDS },
);

interface HistoryCase {
  readonly seed: number;
}

/** The next seed is an unrelated history. Counterexamples are shrunk by a custom method. */
function historyCases(): fc.Arbitrary<HistoryCase> {
  return fc.noShrink(fc.record({ seed: fc.nat() }));
}

function createRandomHistoryLaw(
  { name, sentence }: LawStatement,
  judged: HistoryEvaluation,
): Law<ControllerSubject> {
  return createHistoryLaw(name, sentence, async (controller, { seed }) => {
    const scenario = randomScenario(seed);
    const run = await simulateController(controller, scenario, judged);
    const [found] = run.violations;
    if (found === undefined) return undefined;
    const shrunk = await shrinkAsync(
      scenario,
      (one) => simulateController(controller, one, judged),
      MAX_TRIES,
    );
    return describeHistory(controller, shrunk?.scenario ?? scenario, judged, found);
  });
}

/** Creates a law of histories. A hanging pass violates every law. */
function createHistoryLaw(
  name: string,
  sentence: string,
  violation: (
    controller: ControllerSubject,
    generated: HistoryCase,
  ) => Promise<SubjectViolation | undefined>,
): Law<ControllerSubject> {
  const text = { sentence, defects: [] };
  return createLaw(name, text, historyCases(), (controller: ControllerSubject, generated) =>
    violation(controller, generated).catch((error: unknown) => {
      if (error instanceof PassHangsError) return { details: error.message };
      throw error;
    }),
  );
}

function createSingleFaultLaw(
  { name, sentence, scenario: undisturbedScenario, findDifferences }: SingleFaultLaw,
  hangSeconds: number,
): Law<ControllerSubject> {
  const judged = { hangSeconds };
  return createHistoryLaw(name, sentence, async (controller, { seed }) => {
    const undisturbed = await simulateController(controller, undisturbedScenario, judged);
    const faulty = [...singleFaults(undisturbedScenario, undisturbed)];
    const scenario = faulty[seed % faulty.length];
    // A history that never converges has no final state to compare.
    if (scenario === undefined || !undisturbed.isIdle) return undefined;
    const disturbed = await simulateController(controller, scenario, judged);
    const differences = findDifferences(undisturbed.end.objects, disturbed.end.objects);
    if (differences.length === 0) return undefined;
    const { details, thrown } = await describeHistory(controller, scenario, judged);
    return { details: `${details}\n\n${formatParts([["How it ends:", differences]])}`, thrown };
  });
}
