import type { EpochMillis } from "@jobset-ts/api";
import {
  advance,
  applyExternally,
  type RejectedRequest,
  type StepResult,
} from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster, START_TIME } from "../kernel/cluster.ts";
import { createJudge, livenessLaws, NOTHING_REMEMBERED, safetyLaws } from "../laws/judge.ts";
import type { LawViolation } from "../laws/law.ts";
import { addPending, findOverdue, listGroups, NOTHING_AWAITED } from "../laws/liveness-law.ts";
import { steadyStateLaws } from "../laws/steady-state-laws.ts";
import { KUEUE_START } from "../queueing/kueue.ts";
import { type Checkpoint, checkpointsBefore, MAX_CHECKPOINTS } from "./checkpoint.ts";
import { createClusterConfig, createScenarioContext } from "./cluster-config.ts";
import { faultsEndAt, getNetworkFaults } from "./fault.ts";
import { listInterventions } from "./interventions.ts";
import { isValidUnder } from "./law-validity.ts";
import { PREPARE } from "./node-operator.ts";
import type { Scenario } from "./scenario.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { computeWorkLimit, findTooLarge } from "./size.ts";
import { listUpgrades } from "./upgrade.ts";
import { BEGIN } from "./user.ts";

/** The result of a scenario. */
export interface SimulationResult {
  readonly end: Cluster;
  readonly turns: number;
  /** The instants of writes, in order and without duplicates. */
  readonly changedAt: readonly EpochMillis[];
  /** Whether nothing was left to do before the end of the time or the turns. */
  readonly isIdle: boolean;
  /** Why the run was stopped before its end. Undefined if it was not. */
  readonly abortReason?: string;
  /**
   * The initial objects that the API server rejected. If there are any, the run ends. A scenario that requests more
   * Jobs or Pods than a simulation can hold is rejected before the first turn.
   */
  readonly rejectedRequests: readonly RejectedRequest[];
  readonly violations: readonly LawViolation[];
}

/**
 * Plays a scenario to its end, or to the first violation.
 *
 * @example simulate(randomScenario(1)).violations // => []
 */
export function simulate(scenario: Scenario, settings: SimulationOptions = {}): SimulationResult {
  return getEnd(listTurns(scenario, settings));
}

/** Plays a scenario as {@link simulate} does. Returns its checkpoints as well. */
export function playWithCheckpoints(
  scenario: Scenario,
  settings: SimulationOptions = {},
): SimulationResult & { readonly checkpoints: readonly Checkpoint[] } {
  const checkpoints: Checkpoint[] = [];
  return { ...getEnd(listTurns(scenario, settings, [], checkpoints)), checkpoints };
}

/**
 * Plays a scenario with a single fault from the last checkpoint before the fault. The result equals that of {@link
 * simulate}.
 *
 * @param checkpoints - of the same scenario without faults, under the same settings except `maxTurns` and the steady-state laws
 */
export function playFrom(
  checkpoints: readonly Checkpoint[],
  scenario: Scenario,
  settings: SimulationOptions = {},
): SimulationResult {
  const [fault, ...others] = scenario.faults;
  const isShared = fault !== undefined && others.length === 0 && settings.upgrade === undefined;
  const shared = isShared ? checkpointsBefore(fault, checkpoints) : [];
  return getEnd(listTurns(scenario, settings, shared));
}

function getEnd(turns: Generator<StepResult, SimulationResult, undefined>): SimulationResult {
  for (;;) {
    const next = turns.next();
    if (next.done) return next.value;
  }
}

/**
 * Plays a scenario with a controller that works asynchronously. After each turn, the run waits for `settled`.
 *
 * @example (await simulateAsync(randomScenario(1), {}, async () => undefined)).violations // => []
 */
export async function simulateAsync(
  scenario: Scenario,
  settings: SimulationOptions,
  settled: () => Promise<void>,
): Promise<SimulationResult> {
  const turns = listTurns(scenario, settings);
  for (;;) {
    const next = turns.next();
    if (next.done) return next.value;
    await settled();
  }
}

/**
 * Plays a scenario turn by turn.
 *
 * @param shared - the part of the run before the first turn to play
 * @param kept - receives a checkpoint after each turn
 */
function* listTurns(
  scenario: Scenario,
  settings: SimulationOptions,
  shared: readonly Checkpoint[] = [],
  kept?: Checkpoint[],
): Generator<StepResult, SimulationResult, undefined> {
  const { safetyLaws: laws = safetyLaws, continueAfterViolation = false, onTurn } = settings;
  const lasting = listGroups(
    (settings.livenessLaws ?? livenessLaws).filter(({ validUnder = "Always" }) =>
      isValidUnder(validUnder, scenario.faults),
    ),
  );
  const limit = computeWorkLimit(scenario);
  const { maxTurns = limit.turns } = settings;
  const tooLarge = findTooLarge(scenario);
  const rejectedRequests: RejectedRequest[] = tooLarge === undefined ? [] : [tooLarge];
  // An upgrade replaces these settings and the configuration that follows from them.
  let current = settings;
  let world = createClusterConfig(scenario, current);
  const endsAt = START_TIME + scenario.endsAt;
  const calmAt = START_TIME + faultsEndAt(scenario.faults);
  let awaited = NOTHING_AWAITED;
  let [cluster, remembered, turns, work] = [createInitialCluster(world), NOTHING_REMEMBERED, 0, 0];
  const violations: LawViolation[] = [];
  const changedAt: EpochMillis[] = [];
  const interventions = [...listInterventions(scenario.faults), ...listUpgrades(settings)].sort(
    (one, other) => one.at - other.at,
  );
  const judge = createJudge(
    laws.filter(({ validUnder }) => isValidUnder(validUnder, scenario.faults)),
  );
  for (const { turn } of shared.slice(0, maxTurns)) {
    ({ cluster } = turn);
    turns += 1;
    noteChange(changedAt, turn);
    onTurn?.(turn);
    // A liveness law gets its full time limit after the fault.
    if (calmAt > START_TIME) awaited = addPending(lasting, awaited, turn, calmAt);
  }
  const last = shared[turns - 1];
  if (last !== undefined) {
    ({ remembered } = last);
    if (calmAt === START_TIME) ({ awaited } = last);
    if (settings.maxTurns === undefined) ({ work } = last);
  }
  while (turns < maxTurns && work < limit.turns && rejectedRequests.length === 0) {
    const due = cluster.turns.first?.at ?? Number.POSITIVE_INFINITY;
    const intervention = interventions[0];
    const late = findOverdue(
      awaited,
      cluster.objects,
      idleUntil(Math.min(due, intervention?.at ?? Number.POSITIVE_INFINITY), endsAt, calmAt),
    );
    awaited = late.awaited;
    violations.push(...late.violations);
    if (late.violations.length > 0 && !continueAfterViolation) break;
    if (intervention !== undefined && intervention.at <= Math.min(due, endsAt)) {
      interventions.shift();
      if (intervention.settings !== undefined) {
        current = intervention.settings;
        world = createClusterConfig(scenario, current);
      }
      cluster = intervention.act(world, { ...cluster, now: intervention.at });
      continue;
    }
    const turn = due <= endsAt ? advance(world, cluster) : undefined;
    if (turn === undefined) break;
    cluster = turn.cluster;
    turns += 1;
    // A caller that sets the number of turns is not bound by the default limit.
    if (settings.maxTurns === undefined) work += limit.weightOf(cluster.objects.count);
    noteChange(changedAt, turn);
    onTurn?.(turn);
    // In the first turn, the user creates the initial objects.
    if (turns === 1) rejectedRequests.push(...turn.rejectedRequests);
    if (rejectedRequests.length > 0) break;
    const judged = judge(remembered, turn);
    remembered = judged.remembered;
    // A controller may cause too many violations in one turn for the arguments of one call.
    for (const violation of judged.violations) violations.push(violation);
    awaited = addPending(lasting, awaited, turn, calmAt);
    if (violations.length > 0 && !continueAfterViolation) break;
    if (kept !== undefined && violations.length === 0 && turns <= MAX_CHECKPOINTS) {
      kept.push({ turn, remembered, awaited, work });
    }
    yield turn;
  }
  const isIdle = cluster.turns.size === 0;
  if (
    isIdle &&
    (continueAfterViolation || violations.length === 0) &&
    rejectedRequests.length === 0
  ) {
    violations.push(...checkSteadyState(scenario, current, cluster));
  }
  const isCutOff = !isIdle && (turns >= maxTurns || work >= limit.turns);
  const abortReason = isCutOff
    ? `the run ended after ${turns} turns, the maximum for a run of its size`
    : undefined;
  const ended = { end: cluster, turns, changedAt, isIdle, rejectedRequests, violations };
  return abortReason === undefined ? ended : { ...ended, abortReason };
}

function noteChange(changedAt: EpochMillis[], { changes, cluster: { now } }: StepResult): void {
  if (changes.length > 0 && changedAt.at(-1) !== now) changedAt.push(now);
}

/** Creates a cluster in which the user and other external actors are about to start. */
function createInitialCluster(world: ClusterConfig): Cluster {
  let cluster = newCluster(world);
  for (const [name, key] of STARTERS) {
    if (world.components.some((component) => component.name === name)) {
      cluster = applyExternally(world, cluster, name, (process) => process.wake(key)).cluster;
    }
  }
  return cluster;
}

const STARTERS = [
  ["user", BEGIN],
  ["operator", PREPARE],
  ["kueue", KUEUE_START],
] as const;

/**
 * Returns the time until which the cluster does not change: infinite if no turn and no fault is
 * pending.
 */
function idleUntil(next: EpochMillis, endsAt: EpochMillis, calmAt: EpochMillis): EpochMillis {
  const isOver = next === Number.POSITIVE_INFINITY && calmAt <= endsAt;
  return isOver ? next : Math.min(next, endsAt);
}

/** Returns the violations in an idle cluster. None if a fault lasts to the end. */
function checkSteadyState(
  scenario: Scenario,
  settings: SimulationOptions,
  { now, objects }: Cluster,
): readonly LawViolation[] {
  const { faults } = scenario;
  if (faultsEndAt(faults) > scenario.endsAt) return [];
  const { getClockOffset } = getNetworkFaults(faults);
  const context = { ...createScenarioContext(scenario, settings), now: now + getClockOffset(now) };
  return (settings.steadyStateLaws ?? steadyStateLaws).flatMap(
    ({ name, sentence, onSteadyState }) => {
      const message = onSteadyState(objects, context);
      return message === undefined ? [] : [{ law: name, sentence, at: now, message }];
    },
  );
}
