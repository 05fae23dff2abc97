import { formatTime } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  entryOfViolation,
  type HistoryEntry,
  historyOf,
  livenessOracles,
  OpenPass,
  type Played,
  type PlaySettings,
  playAsync,
  randomScenario,
  type Scenario,
  type Controller as SimulatedController,
  safetyOracles,
  shrinkAsync,
  timelineText,
} from "@jobset-ts/sim";
import type { Advanced } from "@jobset-ts/sim/kernel";
import fc from "fast-check";
import type { ApiOutcome, ApiRequest } from "./api-request.ts";
import { type Controller, clientOf, READ_KINDS } from "./controller.ts";
import { type Law, type Laws, lawOf } from "./law.ts";
import { shownParts, yamlLines } from "./show.ts";

/**
 * The laws of whole histories, by name. A controller works in a simulated cluster: its caches lag, its requests get lost or
 * are refused, it crashes and comes back, nodes are cut off, users change their minds. What it breaks comes back as the
 * smallest history that was found, told line by line.
 *
 * @example
 * for (const [name, law] of historyLaws) test(name, () => fc.assert(law(controller)));
 */
export const historyLaws: Laws<Controller> = new Map([
  ...safetyOracles
    // They look into plans, which a foreign controller need not have.
    .filter(({ onPlan }) => onPlan === undefined)
    .map((oracle) => [oracle.name, lawOfOracle(oracle, { oracles: [oracle] })] as const),
  ...livenessOracles
    // It needs a controller that asks to be called again, which this kind cannot.
    .filter(({ name }) => name !== "theTtlIsKept")
    .map((oracle) => [oracle.name, lawOfOracle(oracle, { livenessOracles: [oracle] })] as const),
]);

/** What of a run is judged: one sentence. */
type Judged = Pick<PlaySettings, "oracles" | "livenessOracles">;

interface HistoryCase {
  readonly seed: number;
}

function lawOfOracle(
  { name, sentence }: { readonly name: string; readonly sentence: string },
  judged: Judged,
): Law<Controller> {
  // A neighbouring seed is another history; what is found is made smaller in its own way.
  const cases: fc.Arbitrary<HistoryCase> = fc.noShrink(fc.record({ seed: fc.nat() }));
  return lawOf(name, { sentence, defects: [] }, cases, async (controller, { seed }) => {
    const scenario = randomScenario(seed);
    const passes: OpenPass[] = [];
    const played = await playedBy(controller, scenario, judged, {
      onPass: (pass) => passes.push(pass),
    });
    if (passes.some(({ isHung }) => isHung)) {
      return "A pass does not come to an end, and waits for no answer.";
    }
    if (played.violations.length === 0) return undefined;
    const shrunk = await shrinkAsync(
      scenario,
      (one) => playedBy(controller, one, judged),
      MAX_TRIES,
    );
    return told(controller, shrunk?.scenario ?? scenario, judged);
  });
}

interface Onlooker {
  readonly onTurn?: (turn: Advanced) => void;
  readonly onPass?: (pass: OpenPass) => void;
}

/** So many scenarios are played to make a counterexample smaller. */
const MAX_TRIES = 150;

/** Plays a scenario with a controller in place of JobSet's own. */
function playedBy(
  controller: Controller,
  scenario: Scenario,
  judged: Judged,
  { onTurn, onPass }: Onlooker = {},
): Promise<Played> {
  const simulated: SimulatedController = (key, snapshot, context) => {
    // Who repairs placement is another subject.
    if (key.kind !== "JobSet") return undefined;
    const pass = new OpenPass();
    onPass?.(pass);
    const client = clientOf({
      state: READ_KINDS.flatMap((kind) => snapshot.objects(kind)) as KubernetesObject[],
      get: (kind, namespace, name) =>
        snapshot.object(kind, namespace, name) as KubernetesObject | undefined,
      perform: (request) => outcomeOf(pass, request),
    });
    const { namespace, name } = key;
    const now = formatTime(context.now);
    const features = [...context.features];
    carryOut(pass, async () => controller(client, { namespace, name, now, features }));
    return pass;
  };
  const settings = {
    controller: simulated,
    oracles: [],
    livenessOracles: [],
    // They ask what the production code would do next.
    restOracles: [],
    ...judged,
    ...(onTurn && { onTurn }),
  };
  return playAsync(scenario, settings, settled);
}

/** Runs one pass of a controller; one that throws has failed. */
async function carryOut(pass: OpenPass, controller: () => Promise<void>): Promise<void> {
  try {
    await controller();
    pass.finish(true);
  } catch {
    pass.finish(false);
  }
}

/** What becomes of a request in the simulated cluster. What is applied is patched, or created where it is not there. */
async function outcomeOf(pass: OpenPass, request: ApiRequest): Promise<ApiOutcome> {
  const { verb, ...rest } = request;
  if (verb !== "apply") return pass.ask({ verb, ...rest });
  const patched = await pass.ask({ verb: "patch", ...rest });
  return patched.ok || patched.code !== 404 ? patched : pass.ask({ verb: "create", ...rest });
}

/** So often a program comes to its turn before time goes on; then it is asked again a little later. */
const TICKS = 20;

async function settled(): Promise<void> {
  for (let tick = 0; tick < TICKS; tick++) await undefined;
}

/** A history in which a controller breaks a law: what there was, what went wrong, and what happened. */
async function told(controller: Controller, scenario: Scenario, judged: Judged): Promise<string> {
  const entries: HistoryEntry[] = [];
  const { violations } = await playedBy(controller, scenario, judged, {
    onTurn: (turn) => entries.push(...historyOf(turn)),
  });
  entries.push(...violations.slice(0, 1).map(entryOfViolation));
  const { objects, actions, faults } = scenario;
  const jobSet = objects.find(({ kind }) => kind === "JobSet");
  return shownParts([
    ["The JobSet:", jobSet === undefined ? [] : yamlLines(jobSet)],
    ["What users do:", actions.map((action) => JSON.stringify(action))],
    ["What goes wrong:", faults.map((fault) => JSON.stringify(fault))],
    ["What happens:", timelineText(entries).trimEnd().split("\n")],
  ]);
}
