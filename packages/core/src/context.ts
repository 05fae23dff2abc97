import {
  type EpochMillis,
  type FeatureGates,
  parseTime,
  resolveFeatureGates,
} from "@jobset-ts/api";
import { NO_QUIRKS, type Quirk, type Quirks, quirks } from "./quirks.ts";
import { type ReleaseBehavior, releaseBehaviors } from "./release-behaviors.ts";

/** The inputs of a decision besides the state of the cluster. */
export interface Context {
  /** The time of the decision, in milliseconds since 1970. */
  readonly now: EpochMillis;
  /** The enabled feature gates. */
  readonly features: FeatureGates;
  /** The upstream defects and the behaviors of a release to reproduce. */
  readonly quirks: Quirks;
}

/**
 * Creates a context from plain settings.
 *
 * @param settings.now - milliseconds since 1970, RFC 3339 text, or a `Date`
 * @param settings.features - gates by name; those left out have their default
 * @param settings.quirks - default: none
 * @throws TypeError when `now` is not a valid time, or a gate or quirk is unknown: a mistake in code or configuration
 * @example createContext({ now: "2026-02-07T06:56:19Z", features: { RestartJob: true } }).now // => 1770447379000
 */
export function createContext(settings: {
  readonly now: EpochMillis | string | Date;
  readonly features?: Readonly<Partial<Record<string, boolean>>>;
  readonly quirks?: Iterable<QuirkName>;
}): Context {
  const now = typeof settings.now === "number" ? settings.now : parseTime(settings.now);
  if (now === undefined || !Number.isFinite(now)) {
    throw new TypeError(`now is not a valid time: ${settings.now}`);
  }
  return {
    now,
    features: resolveFeatureGates(settings.features ?? {}),
    quirks: resolveQuirks(settings.quirks),
  };
}

type QuirkName = Quirk | ReleaseBehavior;

function resolveQuirks(names: Iterable<QuirkName> | undefined): Quirks {
  if (names === undefined) return NO_QUIRKS;
  const known: readonly QuirkName[] = [...quirks, ...releaseBehaviors];
  const chosen = new Set(names);
  for (const name of chosen) {
    if (!known.includes(name)) throw new TypeError(`unknown quirk "${name}"`);
  }
  return chosen;
}
