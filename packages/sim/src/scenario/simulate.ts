import type { EpochMillis } from "@jobset-ts/api";
import {
  advance,
  applyExternally,
  type RejectedRequest,
  type StepResult,
} from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster, START_TIME } from "../kernel/cluster.ts";
import { createJudge, livenessLaws, NO_MEMORIES, safetyLaws } from "../laws/judge.ts";
import type { LawViolation } from "../laws/law.ts";
import { addPending, findOverdue, listGroups, NO_PENDING_LAWS } from "../laws/liveness-law.ts";
import { steadyStateLaws } from "../laws/steady-state-laws.ts";
import { KUEUE_START } from "../queueing/kueue.ts";
import { type Checkpoint, checkpointsBefore, MAX_CHECKPOINTS } from "./checkpoint.ts";
import { createClusterConfig, createScenarioContext } from "./cluster-config.ts";
import { faultsEndAt, getNetworkFaults } from "./fault.ts";
import { type Intervention, listInterventions } from "./interventions.ts";
import { isValidUnder } from "./law-validity.ts";
import { PREPARE } from "./node-operator.ts";
import type { Scenario } from "./scenario.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { computeWorkLimit, findTooLarge, type WorkLimit } from "./size.ts";
import { listUpgrades } from "./upgrade.ts";
import { BEGIN } from "./user.ts";

/** The result of a scenario. */
export interface SimulationResult {
  readonly end: Cluster;
  readonly turns: number;
  /** The instants of writes, in order and without duplicates. */
  readonly changedAt: readonly EpochMillis[];
  /** Whether the cluster became idle before the run exceeded its time or its turns. */
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
export function simulateWithCheckpoints(
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
export function simulateFrom(
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
 * @param shared - the part of the run before the first turn to simulate
 * @param kept - receives a checkpoint after each turn
 */
function listTurns(
  scenario: Scenario,
  settings: SimulationOptions,
  shared: readonly Checkpoint[] = [],
  kept?: Checkpoint[],
): Generator<StepResult, SimulationResult, undefined> {
  const run = new ScenarioRun(scenario, settings);
  run.resumeFrom(shared);
  return run.listTurns(kept);
}

/** A run of a scenario in progress. */
class ScenarioRun {
  readonly #scenario: Scenario;
  readonly #settings: SimulationOptions;
  readonly #limit: WorkLimit;
  readonly #maxTurns: number;
  readonly #endsAt: EpochMillis;
  /** When the last fault ends. */
  readonly #calmAt: EpochMillis;
  readonly #judge: ReturnType<typeof createJudge>;
  readonly #livenessLaws: ReturnType<typeof listGroups>;
  /** The interventions that are still to come, in order. */
  readonly #interventions: Intervention[];
  readonly #violations: LawViolation[] = [];
  readonly #rejectedRequests: RejectedRequest[] = [];
  readonly #changedAt: EpochMillis[] = [];
  /** The settings of the current version of the controller. An upgrade replaces them, and the configuration that follows. */
  #current: SimulationOptions;
  #config: ClusterConfig;
  #cluster: Cluster;
  #remembered = NO_MEMORIES;
  #awaited = NO_PENDING_LAWS;
  #turns = 0;
  #work = 0;

  constructor(scenario: Scenario, settings: SimulationOptions) {
    const { faults } = scenario;
    const { safetyLaws: laws = safetyLaws, livenessLaws: awaited = livenessLaws } = settings;
    this.#scenario = scenario;
    this.#settings = settings;
    this.#limit = computeWorkLimit(scenario);
    this.#maxTurns = settings.maxTurns ?? this.#limit.turns;
    this.#endsAt = START_TIME + scenario.endsAt;
    this.#calmAt = START_TIME + faultsEndAt(faults);
    this.#judge = createJudge(laws.filter(({ validUnder }) => isValidUnder(validUnder, faults)));
    this.#livenessLaws = listGroups(
      awaited.filter(({ validUnder = "Always" }) => isValidUnder(validUnder, faults)),
    );
    this.#interventions = [...listInterventions(faults), ...listUpgrades(settings)].sort(
      (one, other) => one.at - other.at,
    );
    const tooLarge = findTooLarge(scenario);
    if (tooLarge !== undefined) this.#rejectedRequests.push(tooLarge);
    this.#current = settings;
    this.#config = createClusterConfig(scenario, settings);
    this.#cluster = createInitialCluster(this.#config);
  }

  /** Continues after turns of another run. */
  resumeFrom(shared: readonly Checkpoint[]): void {
    const isFaulty = this.#calmAt > START_TIME;
    for (const { turn } of shared.slice(0, this.#maxTurns)) {
      this.#recordTurn(turn);
      // A liveness law gets its full time limit after the fault.
      if (isFaulty) this.#addPending(turn);
    }
    const last = shared[this.#turns - 1];
    if (last === undefined) return;
    this.#remembered = last.remembered;
    if (!isFaulty) this.#awaited = last.awaited;
    if (this.#settings.maxTurns === undefined) this.#work = last.work;
  }

  /** @param kept - receives a checkpoint after each turn */
  *listTurns(kept?: Checkpoint[]): Generator<StepResult, SimulationResult, undefined> {
    while (!this.#isOverLimit && this.#rejectedRequests.length === 0) {
      const due = this.#cluster.turns.first?.at ?? Number.POSITIVE_INFINITY;
      const intervention = this.#interventions[0];
      this.#judgeWaiting(Math.min(due, intervention?.at ?? Number.POSITIVE_INFINITY));
      if (this.#isStoppedByViolation) break;
      if (intervention !== undefined && intervention.at <= Math.min(due, this.#endsAt)) {
        this.#interventions.shift();
        this.#intervene(intervention);
        continue;
      }
      const turn = due <= this.#endsAt ? advance(this.#config, this.#cluster) : undefined;
      if (turn === undefined) break;
      this.#recordTurn(turn);
      // A caller that sets the number of turns is not bound by the default limit.
      if (this.#settings.maxTurns === undefined)
        this.#work += this.#limit.getWeight(this.#cluster.objects.count);
      // In the first turn, the user creates the initial objects.
      if (this.#turns === 1) this.#rejectedRequests.push(...turn.rejectedRequests);
      if (this.#rejectedRequests.length > 0) break;
      this.#judgeTurn(turn);
      if (this.#isStoppedByViolation) break;
      if (kept !== undefined && this.#violations.length === 0 && this.#turns <= MAX_CHECKPOINTS)
        kept.push(this.#createCheckpoint(turn));
      yield turn;
    }
    return this.#end();
  }

  get #isOverLimit(): boolean {
    return this.#turns >= this.#maxTurns || this.#work >= this.#limit.turns;
  }

  get #isStoppedByViolation(): boolean {
    return this.#violations.length > 0 && !this.#settings.continueAfterViolation;
  }

  #recordTurn(turn: StepResult): void {
    this.#cluster = turn.cluster;
    this.#turns += 1;
    const { now } = turn.cluster;
    if (turn.changes.length > 0 && this.#changedAt.at(-1) !== now) this.#changedAt.push(now);
    this.#settings.onTurn?.(turn);
  }

  /** @param next - the time of the next turn or intervention */
  #judgeWaiting(next: EpochMillis): void {
    const until = idleUntil(next, this.#endsAt, this.#calmAt);
    const { awaited, violations } = findOverdue(this.#awaited, this.#cluster.objects, until);
    this.#awaited = awaited;
    this.#violations.push(...violations);
  }

  #intervene({ at, act, settings }: Intervention): void {
    if (settings !== undefined) {
      this.#current = settings;
      this.#config = createClusterConfig(this.#scenario, settings);
    }
    this.#cluster = act(this.#config, { ...this.#cluster, now: at });
  }

  #judgeTurn(turn: StepResult): void {
    const { remembered, violations } = this.#judge(this.#remembered, turn);
    this.#remembered = remembered;
    // A controller may cause too many violations in one turn for the arguments of one call.
    for (const violation of violations) this.#violations.push(violation);
    this.#addPending(turn);
  }

  #addPending(turn: StepResult): void {
    this.#awaited = addPending(this.#livenessLaws, this.#awaited, turn, this.#calmAt);
  }

  #createCheckpoint(turn: StepResult): Checkpoint {
    return { turn, remembered: this.#remembered, awaited: this.#awaited, work: this.#work };
  }

  #end(): SimulationResult {
    const isIdle = this.#cluster.turns.size === 0;
    if (isIdle && !this.#isStoppedByViolation && this.#rejectedRequests.length === 0)
      this.#violations.push(...checkSteadyState(this.#scenario, this.#current, this.#cluster));
    const abortReason = `the run ended after ${this.#turns} turns, the maximum for a run of its size`;
    return {
      end: this.#cluster,
      turns: this.#turns,
      changedAt: this.#changedAt,
      isIdle,
      rejectedRequests: this.#rejectedRequests,
      violations: this.#violations,
      ...(!isIdle && this.#isOverLimit && { abortReason }),
    };
  }
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
