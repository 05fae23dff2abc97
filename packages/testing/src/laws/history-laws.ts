import {
  foreignControllerLaws,
  type LawStatement,
  randomScenario,
  type SingleFaultLaw,
  shrinkAsync,
  singleFaults,
  singleFaultsLeaveNothingBehind,
} from "@jobset-ts/sim";
import fc from "fast-check";
import type { ControllerSubject } from "./controller.ts";
import {
  describeHistory,
  type HistoryJudgment,
  PassHangs,
  simulateController,
} from "./controller-simulation.ts";
import { HANG_SECONDS } from "./hang.ts";
import { type Broken, getLaw, type Law, type Laws } from "./law.ts";
import { shownParts } from "./show.ts";

const { safetyLaws, livenessLaws } = foreignControllerLaws;

/** A counterexample is shrunk by playing at most this many scenarios. */
const MAX_TRIES = 150;

/**
 * The laws of whole histories, by name. A controller works in a simulated cluster: its caches lag, its requests get lost or
 * are refused, it crashes and comes back, nodes are cut off, users change their minds. It is called when a JobSet, a Job or
 * Service of it or, under in-place restart, a Pod changes, when `ttlSecondsAfterFinished` is over, and when a pass has asked for
 * it. What it breaks comes back as the smallest history that was found, told line by line.
 *
 * @example
 * for (const [name, law] of historyLaws) test(name, () => fc.assert(law(controller)));
 */
export const historyLaws: Laws<ControllerSubject> = createHistoryLaws(HANG_SECONDS);

/** {@link historyLaws} that take a pass sooner or later for one that hangs. */
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
      singleFaultsLeaveNothingBehind.name,
      createSingleFaultLaw(singleFaultsLeaveNothingBehind, hangSeconds),
    ],
  ]);
}

/**
 * {@link historyLaws} in one, but for that about single faults: each history is asked all of them, so that as many take
 * a fraction of the time. What is told begins with the law that is broken.
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

/** A neighbouring seed is another history; what is found is made smaller in its own way. */
function historyCases(): fc.Arbitrary<HistoryCase> {
  return fc.noShrink(fc.record({ seed: fc.nat() }));
}

function createRandomHistoryLaw(
  { name, sentence }: LawStatement,
  judged: HistoryJudgment,
): Law<ControllerSubject> {
  return createHistoryLaw(name, sentence, async (controller, { seed }) => {
    const scenario = randomScenario(seed);
    const played = await simulateController(controller, scenario, judged);
    const [found] = played.violations;
    if (found === undefined) return undefined;
    const shrunk = await shrinkAsync(
      scenario,
      (one) => simulateController(controller, one, judged),
      MAX_TRIES,
    );
    return describeHistory(controller, shrunk?.scenario ?? scenario, judged, found);
  });
}

/** A law of histories. A pass that hangs breaks it, whatever it is about. */
function createHistoryLaw(
  name: string,
  sentence: string,
  violation: (controller: ControllerSubject, drawn: HistoryCase) => Promise<Broken | undefined>,
): Law<ControllerSubject> {
  const text = { sentence, defects: [] };
  return getLaw(name, text, historyCases(), (controller: ControllerSubject, drawn) =>
    violation(controller, drawn).catch((error: unknown) => {
      if (error instanceof PassHangs) return { words: error.message };
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
    const { words, thrown } = await describeHistory(controller, scenario, judged);
    return { words: `${words}\n\n${shownParts([["How it ends:", differences]])}`, thrown };
  });
}
