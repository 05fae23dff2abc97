import { asString } from "./members.ts";

/** The stage of a feature. A `GA` gate is locked to its default. */
type FeatureStage = "Alpha" | "Beta" | "GA";

/** One feature gate of JobSet's controller. */
interface FeatureGate {
  readonly stage: FeatureStage;
  readonly default: boolean;
}

/**
 * JobSet's feature gates by name.
 *
 * @see JobSet `pkg/features`
 * @example featureGates.RestartJob // => { stage: "Alpha", default: false }
 */
export const featureGates = {
  /** Allows the restart strategy `InPlaceRestart`. */
  InPlaceRestart: { stage: "Alpha", default: false },
  /** Allows the actions `RestartJob` and `RestartJobAndIgnoreMaxRestarts`. */
  RestartJob: { stage: "Alpha", default: false },
  /** Allows `parallelism` and `completions` of Indexed Jobs to change. */
  ElasticJobSet: { stage: "Alpha", default: false },
  /**
   * Counts the execution attempts of a JobSet in `status.executionAttempts` (KEP-1282). Not in a released controller
   * yet.
   */
  ExecutionAttemptsTracking: { stage: "Alpha", default: false },
  /** Allows changes of container resources while suspended (KEP-1150). Not in a released controller yet. */
  MutablePodResourcesForSuspendedJobSets: { stage: "Alpha", default: false },
  /** Configures the controller's TLS. No effect here. */
  TLSOptions: { stage: "GA", default: true },
} as const satisfies Record<string, FeatureGate>;

/** The name of a feature gate of JobSet's controller. */
type FeatureName = keyof typeof featureGates;

/** The enabled feature gates. */
export type FeatureGates = ReadonlySet<FeatureName>;

/**
 * Parses feature gates in the format of the controller's flag `--feature-gates`, for {@link resolveFeatureGates}.
 *
 * @param text - if empty or absent, no gate is set
 * @throws TypeError if a part is not of the form `Gate=true` or `Gate=false`, or a gate is set twice
 * @example parseFeatureGates("RestartJob=true, ElasticJobSet=false") // => { RestartJob: true, ElasticJobSet: false }
 * @example parseFeatureGates("") // => {}
 */
export function parseFeatureGates(text: string): Readonly<Record<string, boolean>> {
  const settings = new Map<string, boolean>();
  for (const part of asString(text)
    .split(",")
    .filter((part) => part.trim() !== "")) {
    const [, name = "", value] = /^\s*([^\s=]+)=(true|false)\s*$/i.exec(part) ?? [];
    if (value === undefined) {
      throw new TypeError(
        `"${part.trim()}" does not set a feature gate in the form Gate=true or Gate=false`,
      );
    }
    if (settings.has(name)) throw new TypeError(`the feature gate "${name}" is set twice`);
    settings.set(name, value.toLowerCase() === "true");
  }
  return Object.fromEntries(settings);
}

/**
 * Returns the enabled gates. Gates without a setting have their default.
 *
 * @param settings - gates by name, as in the controller's configuration; an undefined one keeps its default, and so do all when there are none
 * @throws TypeError when a gate is unknown, is not a boolean, or is locked to another value: a mistake in code
 * or configuration, not in cluster state
 * @example resolveFeatureGates({ RestartJob: true }).has("RestartJob") // => true
 * @example resolveFeatureGates({}).has("ElasticJobSet") // => false
 */
export function resolveFeatureGates(
  settings: Readonly<Partial<Record<string, boolean>>>,
): FeatureGates {
  const set = new Map(Object.entries(settings ?? {}));
  for (const [name, on] of set) {
    if (!Object.hasOwn(featureGates, name)) throw new TypeError(`unknown feature gate "${name}"`);
    if (on === undefined) continue;
    if (typeof on !== "boolean") {
      throw new TypeError(`the feature gate "${name}" is set to ${on}, not to true or false`);
    }
    const gate: FeatureGate = featureGates[name as FeatureName];
    if (gate.stage === "GA" && on !== gate.default) {
      throw new TypeError(`the feature gate "${name}" is locked to ${gate.default}`);
    }
  }
  const names = Object.keys(featureGates) as FeatureName[];
  return new Set(names.filter((name) => set.get(name) ?? featureGates[name].default));
}
