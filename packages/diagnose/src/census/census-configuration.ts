import { asArray, isObject } from "@jobset-ts/api/kubernetes";
import { type FailedReason, failedReasons } from "./failed-pod.ts";
import { type JobOwnedRule, jobOwnedRules } from "./job-owned.ts";

/** What a census looks at, and what it says of it. */
export interface PodCensusOptions {
  /**
   * Namespaces whose Pods and Events do not count; default: `kube-system`,
   * `kube-node-lease`, `kube-public`, `local-path-storage`, `kwok-system`, `argocd`, `flux-system` and `aicr-registry`.
   */
  readonly excludedNamespaces?: readonly string[];
  /** Which Pods are exempt from counting as unscheduled; default `parity`. */
  readonly jobOwned?: JobOwnedRule;
  /** Where the reason of a failed Pod is looked for; default `parity`. */
  readonly failedReason?: FailedReason;
  /** The maximum number of Events in the report. Default: 50. */
  readonly maxEvents?: number;
}

/** How long to wait for Pods to be scheduled, and what to count. */
export interface CensusConfiguration extends Required<PodCensusOptions> {
  /** Nominal: each wait counts for {@link intervalSeconds}, however long it took. */
  readonly deadlineSeconds: number;
  /** At least 1. */
  readonly intervalSeconds: number;
}

/** What a user sets, the numbers in the text of a command line or an environment. */
export interface CensusSettings extends PodCensusOptions {
  /** Seconds; `KWOK_VERIFY_PODS_DEADLINE`. Absent and empty mean 60. */
  readonly deadline?: string;
  /** Seconds; `KWOK_VERIFY_PODS_INTERVAL`. Absent and empty mean 5. */
  readonly interval?: string;
}

/**
 * The namespaces of a cluster's own Pods, and of the tools that a test cluster is set up with.
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
 * The configuration that settings ask for, or what is wrong with the first of them that cannot be used. Nothing is to be
 * verified then: without a positive interval no wait would ever end.
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
  const refuse = (name: string, wanted: string, got: unknown) => ({
    ok: false as const,
    message: `KWOK_VERIFY_PODS_${name} must be ${wanted} (got: '${formatShown(got)}')`,
  });
  if (deadlineSeconds === undefined) return refuse("DEADLINE", "a non-negative integer", deadline);
  if (intervalSeconds === undefined) return refuse("INTERVAL", "a positive integer", interval);
  if (intervalSeconds < 1) return refuse("INTERVAL", "a positive integer >= 1", interval);
  // To such a number nothing can be added one by one, so that a wait for it would have no end.
  if (!Number.isSafeInteger(deadlineSeconds)) return refuse("DEADLINE", TOO_LARGE, deadline);
  if (!Number.isSafeInteger(intervalSeconds)) return refuse("INTERVAL", TOO_LARGE, interval);
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
    jobOwned: jobOwnedRules.find((rule) => rule === jobOwned) ?? "parity",
    failedReason: failedReasons.find((reason) => reason === failedReason) ?? "parity",
    maxEvents: Number.isSafeInteger(maxEvents) ? Math.max(0, Number(maxEvents)) : 50,
  };
}

/** Decimal digits, as many leading zeros as there may be; absent and empty are `otherwise`. */
function toSeconds(text: unknown, otherwise: number): number | undefined {
  if (text === undefined || text === null || text === "") return otherwise;
  return typeof text === "string" && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function formatShown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? `${value}` : typeof value;
}
