import type { Violation } from "../oracles/oracle.ts";
import { type Played, type PlaySettings, play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A scenario in which a sentence does not hold. */
export interface Found {
  readonly scenario: Scenario;
  readonly violation: Violation;
}

export interface Explored {
  /** How many scenarios were played. */
  readonly played: number;
  /** How many states were reached that differ in kind. */
  readonly states: number;
  /** How many runs came to rest. */
  readonly quiet: number;
  readonly found: readonly Found[];
}

export interface ExploreSettings extends PlaySettings {
  /** After so many violations no more are looked for. */
  readonly maxFound?: number;
  /** Asked after each scenario whether to go on. */
  readonly goesOn?: (explored: Explored) => boolean;
}

/** Plays one scenario after the other, as long as there are any and nobody says to stop. */
export function explore(scenarios: Iterable<Scenario>, settings: ExploreSettings = {}): Explored {
  const { maxFound = 1, goesOn = () => true } = settings;
  const states = new Set<string>();
  let explored: Explored = { played: 0, states: 0, quiet: 0, found: [] };
  for (const scenario of scenarios) {
    const played = play(scenario, settings);
    states.add(stateOf(played));
    const violation = played.violations[0];
    explored = {
      played: explored.played + 1,
      states: states.size,
      quiet: explored.quiet + (played.isQuiet ? 1 : 0),
      found:
        violation === undefined ? explored.found : [...explored.found, { scenario, violation }],
    };
    if (explored.found.length >= maxFound || !goesOn(explored)) break;
  }
  return explored;
}

/** The kind of a state: what the JobSets' conditions say, and how often there were restarts. */
function stateOf({ end }: Played): string {
  const jobSets = end.objects.ofKind<JobSetFacts>("JobSet");
  return JSON.stringify(
    jobSets.map(({ status }) => [
      status?.restarts ?? 0,
      (status?.conditions ?? []).map(({ type, status: value, reason }) => [type, value, reason]),
    ]),
  );
}

interface JobSetFacts {
  readonly status?: {
    readonly restarts?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }[];
  };
}
