import { featuresOf } from "@jobset-ts/api";
import { NO_QUIRKS, type Quirks } from "@jobset-ts/core";
import { builtInAdmission } from "../api-server/built-in-admission.ts";
import { type Advanced, advance, intervene, type RefusedRequest } from "../kernel/advance.ts";
import { BEGINNING, type Cluster, newCluster, type World } from "../kernel/cluster.ts";
import type { Component } from "../kernel/component.ts";
import { manager } from "../manager/manager.ts";
import type { Controller } from "../manager/pass-run.ts";
import { managerWebhooks } from "../manager/webhooks.ts";
import { cutOffNode, reconnectNode } from "../nodes/silence.ts";
import { type RestOracle, restOracles } from "../oracles/at-rest.ts";
import { judge, NOTHING_REMEMBERED, safetyOracles } from "../oracles/judge.ts";
import type { Oracle, Violation } from "../oracles/oracle.ts";
import { builtInComponents } from "./built-in-components.ts";
import { type Fault, faultsEndAt, networkFaultsOf } from "./fault.ts";
import type { Scenario } from "./scenario.ts";
import { BEGIN, user } from "./user.ts";

/**
 * How a scenario is played.
 *
 * @example
 * const settings: PlaySettings = { keepsGoing: true };
 * play(randomScenario(1), settings).violations // => []
 */
export interface PlaySettings {
  /** What decides about JobSets; by default the production code. */
  readonly controller?: Controller;
  /** The upstream defects to reproduce. */
  readonly quirks?: Quirks;
  /** What the run is held to; by default all safety oracles. */
  readonly oracles?: readonly Oracle[];
  /** What has to hold where it comes to rest; by default all that is known. */
  readonly restOracles?: readonly RestOracle[];
  /** Whether the run goes on after a violation. */
  readonly keepsGoing?: boolean;
  /** After so many turns the run ends, whatever it does. */
  readonly maxTurns?: number;
  readonly onTurn?: (turn: Advanced) => void;
}

/**
 * What became of a scenario.
 *
 * @example
 * const played: Played = play(randomScenario(1));
 * played.isQuiet // => true
 */
export interface Played {
  readonly end: Cluster;
  readonly turns: number;
  /** Whether nothing was left to do, before the time or the turns were over. */
  readonly isQuiet: boolean;
  /** What of the objects at the beginning the API server did not take: then the run ends there. */
  readonly refused: readonly RefusedRequest[];
  readonly violations: readonly Violation[];
}

/** The life of a JobSet on 15,000 nodes takes a quarter of a million. */
const MAX_TURNS = 2_000_000;

/**
 * Plays a scenario to its end, or to the first violation.
 *
 * @example play(randomScenario(1)).violations // => []
 */
export function play(scenario: Scenario, settings: PlaySettings = {}): Played {
  const turns = turnsOf(scenario, settings);
  for (;;) {
    const next = turns.next();
    if (next.done) return next.value;
  }
}

/**
 * The same, where the controller is a program that takes its time: after each turn it has so long as `settled` takes.
 *
 * @example (await playAsync(randomScenario(1), {}, async () => undefined)).violations // => []
 */
export async function playAsync(
  scenario: Scenario,
  settings: PlaySettings,
  settled: () => Promise<void>,
): Promise<Played> {
  const turns = turnsOf(scenario, settings);
  for (;;) {
    const next = turns.next();
    if (next.done) return next.value;
    await settled();
  }
}

/** Plays a scenario turn by turn. */
function* turnsOf(
  scenario: Scenario,
  settings: PlaySettings,
): Generator<Advanced, Played, undefined> {
  const { oracles = safetyOracles, keepsGoing = false, maxTurns = MAX_TURNS, onTurn } = settings;
  const refused: RefusedRequest[] = [];
  const world = worldOf(scenario, settings);
  const endsAt = BEGINNING + scenario.endsAt;
  const begun = intervene(world, newCluster(world), "user", ({ wake }) => wake(BEGIN));
  let [cluster, remembered, turns] = [begun.cluster, NOTHING_REMEMBERED, 0];
  const violations: Violation[] = [];
  const interventions = [...interventionsOf(scenario.faults)];
  while (turns < maxTurns) {
    const due = cluster.turns.first?.at ?? Number.POSITIVE_INFINITY;
    const intervention = interventions[0];
    if (intervention !== undefined && intervention.at <= Math.min(due, endsAt)) {
      interventions.shift();
      cluster = intervention.act(world, { ...cluster, now: intervention.at });
      continue;
    }
    const turn = due <= endsAt ? advance(world, cluster) : undefined;
    if (turn === undefined) break;
    cluster = turn.cluster;
    turns += 1;
    onTurn?.(turn);
    // The first turn is the user's, who makes what there is at the beginning.
    if (turns === 1) refused.push(...turn.refused);
    if (refused.length > 0) break;
    const judged = judge(oracles, remembered, turn);
    remembered = judged.remembered;
    violations.push(...judged.violations);
    if (violations.length > 0 && !keepsGoing) break;
    yield turn;
  }
  const isQuiet = cluster.turns.size === 0;
  if (isQuiet && violations.length === 0 && refused.length === 0) {
    violations.push(...atRest(scenario, settings, cluster));
  }
  return { end: cluster, turns, isQuiet, refused, violations };
}

/** What does not hold in a cluster that has come to rest; nothing is asked of one in which something goes wrong to the end. */
function atRest(
  scenario: Scenario,
  settings: PlaySettings,
  { now, objects }: Cluster,
): readonly Violation[] {
  const { faults } = scenario;
  if (faultsEndAt(faults) > scenario.endsAt) return [];
  const { clockOffsetMs } = networkFaultsOf(faults, BEGINNING);
  const context = { ...contextOf(scenario, settings), now: now + clockOffsetMs };
  return (settings.restOracles ?? restOracles).flatMap(({ name, sentence, onRest }) => {
    const message = onRest(objects, context);
    return message === undefined ? [] : [{ oracle: name, sentence, at: now, message }];
  });
}

function contextOf({ features = {} }: Scenario, { quirks = NO_QUIRKS }: PlaySettings) {
  return { features: featuresOf(features), quirks };
}

/** What happens to the cluster from outside, in the order of time. */
function interventionsOf(faults: readonly Fault[]): readonly {
  readonly at: number;
  readonly act: (world: World, cluster: Cluster) => Cluster;
}[] {
  return faults
    .flatMap((fault) =>
      fault.fault === "CutOffNode"
        ? [
            {
              at: fault.from,
              act: (world: World, cluster: Cluster) => cutOffNode(world, cluster, fault.node),
            },
            {
              at: fault.until,
              act: (world: World, cluster: Cluster) => reconnectNode(world, cluster, fault.node),
            },
          ]
        : [],
    )
    .map(({ at, act }) => ({ at: BEGINNING + at, act }))
    .sort((one, other) => one.at - other.at);
}

/** The cluster that a scenario asks for. */
export function worldOf(scenario: Scenario, settings: PlaySettings = {}): World {
  const { controller } = settings;
  const context = contextOf(scenario, settings);
  const faults = networkFaultsOf(scenario.faults, BEGINNING);
  const managed = manager({ context, faults, ...(controller !== undefined && { controller }) });
  return {
    seed: scenario.seed,
    components: [
      user(scenario),
      ...builtInComponents(scenario),
      managed as Component,
    ] as readonly Component[],
    admission: [
      ...builtInAdmission,
      ...managerWebhooks(managed.name, context, faults.webhooksAreDown),
    ],
  };
}
