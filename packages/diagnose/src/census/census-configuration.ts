import { asArray, isObject } from "@jobset-ts/api/kubernetes";
import { type FailedReason, failedReasons } from "./failed-pod.ts";
import { type JobOwnedRule, jobOwnedRules } from "./job-owned.ts";

/** The options of a Pod count. */
export interface PodCensusOptions {
  /**
   * Namespaces whose Pods and Events are not counted. Default: `kube-system`, `kube-node-lease`, `kube-public`,
   * `local-path-storage`, `kwok-system`, `argocd`, `flux-system` and `aicr-registry`.
   */
  readonly excludedNamespaces?: readonly string[];
  /** The Pods that never count as unscheduled. Default: `KindContainsJob`. */
  readonly jobOwned?: JobOwnedRule;
  /** The source of a failed Pod's reason. Default: `FirstContainer`. */
  readonly failedReason?: FailedReason;
  /** The maximum number of Events in the report. Default: 50. */
  readonly maxEvents?: number;
}

/** The duration of the wait for Pods to be scheduled, and the Pods to count. */
export interface CensusConfiguration extends Required<PodCensusOptions> {
  /** Nominal: each wait counts as {@link intervalSeconds}, however long it took. */
  readonly deadlineSeconds: number;
  /** At least 1. */
  readonly intervalSeconds: number;
}

/** The settings of a user, with numbers as text from a command line or the environment. */
export interface CensusSettings extends PodCensusOptions {
  /** Seconds; `KWOK_VERIFY_PODS_DEADLINE`. The default, also for an empty text, is 60. */
  readonly deadline?: string;
  /** Seconds; `KWOK_VERIFY_PODS_INTERVAL`. The default, also for an empty text, is 5. */
  readonly interval?: string;
}

/**
 * The namespaces of system Pods and of the tools that set up a test cluster.
 *
 * @example EXCLUDED_NAMESPACES.includes("kube-system") // => true
 */
export const EXCLUDED_NAMESPACES: readonly string[] = [
  "kube-system",
  "kube-node-lease",
  "kube-public",
  "local-path-storage",
  "kwok-system",
  "argocd",
  "flux-system",
  "aicr-registry",
];

/**
 * Parses the settings. Returns the configuration, or an error for the first invalid setting. In case of an error, do
 * not wait: without a positive interval the wait would never end.
 *
 * @example censusConfiguration({ interval: "0" }) // => { ok: false, message: "KWOK_VERIFY_PODS_INTERVAL must be a positive integer >= 1 (got: '0')" }
 */
export function censusConfiguration(
  settings: CensusSettings = {},
):
  | { readonly ok: true; readonly configuration: CensusConfiguration }
  | { readonly ok: false; readonly message: string } {
  const { deadline, interval } = isObject(settings) ? settings : {};
  const deadlineSeconds = toSeconds(deadline, 60);
  const intervalSeconds = toSeconds(interval, 5);
  const createSettingError = (name: string, desired: string, actual: unknown) => ({
    ok: false as const,
    message: `KWOK_VERIFY_PODS_${name} must be ${desired} (got: '${formatShown(actual)}')`,
  });
  if (deadlineSeconds === undefined)
    return createSettingError("DEADLINE", "a non-negative integer", deadline);
  if (intervalSeconds === undefined)
    return createSettingError("INTERVAL", "a positive integer", interval);
  if (intervalSeconds < 1)
    return createSettingError("INTERVAL", "a positive integer >= 1", interval);
  // Adding an interval to a larger number may not change it, so the wait would never end.
  if (!Number.isSafeInteger(deadlineSeconds))
    return createSettingError("DEADLINE", TOO_LARGE, deadline);
  if (!Number.isSafeInteger(intervalSeconds))
    return createSettingError("INTERVAL", TOO_LARGE, interval);
  const options = getCensusOptions(settings);
  return { ok: true, configuration: { deadlineSeconds, intervalSeconds, ...options } };
}

const TOO_LARGE = `at most ${Number.MAX_SAFE_INTEGER}`;

/** Returns the options with their defaults. A value of the wrong type counts as absent. */
export function getCensusOptions(options: PodCensusOptions): Required<PodCensusOptions> {
  const { excludedNamespaces, jobOwned, failedReason, maxEvents } = isObject(options)
    ? options
    : {};
  return {
    excludedNamespaces: Array.isArray(excludedNamespaces)
      ? asArray(excludedNamespaces)
      : EXCLUDED_NAMESPACES,
    jobOwned: jobOwnedRules.find((rule) => rule === jobOwned) ?? "KindContainsJob",
    failedReason: failedReasons.find((reason) => reason === failedReason) ?? "FirstContainer",
    maxEvents: Number.isSafeInteger(maxEvents) ? Math.max(0, Number(maxEvents)) : 50,
  };
}

/** Parses decimal digits with any number of leading zeros. An absent or empty text yields `otherwise`. */
function toSeconds(text: unknown, otherwise: number): number | undefined {
  if (text === undefined || text === null || text === "") return otherwise;
  return typeof text === "string" && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function formatShown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? `${value}` : typeof value;
}
