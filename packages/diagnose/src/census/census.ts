import type { Unvalidated } from "@jobset-ts/api";
import {
  asString,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import { getCensusOptions, type PodCensusOptions } from "./census-configuration.ts";
import { type FailedPod, getFailure } from "./failed-pod.ts";
import { jobOwnership } from "./job-owned.ts";
import { type ScheduleAttempts, scheduleAttempts } from "./schedule-attempts.ts";

/** The counts of one Pod list. All numbers and lists are from one instant, so they are consistent. */
export interface PodCensus {
  readonly counts: PodCounts;
  /** By node name, in byte order. Unassigned Pods are listed and sorted as `<none>`. */
  readonly distribution: readonly NodePodCount[];
  /** The Pods in `counts.unscheduled`, by namespace and name. */
  readonly unscheduled: readonly PodName[];
  /** The Pods in `counts.failed`, by namespace and name. */
  readonly failed: readonly FailedPod[];
  /** The scheduler's attempts for the unscheduled Pods. */
  readonly attempts: ScheduleAttempts;
}

/** Numbers of Pods. The five phases add up to the total. Pods that are being deleted count by their phase. */
export interface PodCounts {
  readonly total: number;
  readonly running: number;
  readonly pending: number;
  readonly failed: number;
  readonly succeeded: number;
  /** Phase `Unknown`, an unrecognized phase, or no phase. */
  readonly other: number;
  /** Pending, without a node, and not exempt as a Job's Pod. */
  readonly unscheduled: number;
}

/** The number of Pods on a node. Without `node` it counts the unassigned Pods. */
export interface NodePodCount {
  readonly node?: string;
  readonly podCount: number;
}

/** The name of a Pod. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** The counts, or the reason why they are unknown. A list that was not read completely does not count as empty. */
export type PodCensusResult =
  | { readonly ok: true; readonly census: PodCensus }
  | { readonly ok: false; readonly message: string };

/** The name under which unassigned Pods are counted and sorted. No node can have it. */
export const NO_NODE = "<none>";

/**
 * Counts the Pods of a snapshot outside the excluded namespaces.
 *
 * Reads each Pod once. Reads Events only if a Pod is unscheduled.
 *
 * @returns an error if Pods were not or could not be read, or if a Pod has no namespace or name
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * const pod = (name: string, phase: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "ml" }, status: { phase } });
 * const taken = countPods(createSnapshot([pod("a", "Pending"), pod("b", "Failed")]));
 * taken.ok && taken.census.unscheduled // => [{ namespace: "ml", name: "a" }]
 */
export function countPods(snapshot: Snapshot, options: PodCensusOptions = {}): PodCensusResult {
  const why = incompleteReason(snapshot);
  if (why !== undefined) return { ok: false, message: why };
  const { excludedNamespaces, jobOwned, failedReason, maxEvents } = getCensusOptions(options);
  const excluded = new Set(excludedNamespaces);
  const isJobOwned = jobOwnership(jobOwned, snapshot);
  const counts = { running: 0, pending: 0, failed: 0, succeeded: 0, other: 0 };
  const unscheduled: Unvalidated<Pod>[] = [];
  const failed: FailedPod[] = [];
  const shares = new Map<string, number>();
  let unassignedCount = 0;
  let total = 0;
  // Pods are sorted by namespace, so each namespace is looked up once.
  let namespace: string | undefined;
  let isExcluded = false;
  for (const pod of snapshot.objects("Pod") as readonly Unvalidated<Pod>[]) {
    const own = getNamespace(pod);
    if (own === "") return { ok: false, message: `Pod ${getName(pod)} has no namespace` };
    if (own !== namespace) {
      namespace = own;
      isExcluded = excluded.has(own);
    }
    if (isExcluded) continue;
    total += 1;
    const node = createNode(pod);
    if (node === "") unassignedCount += 1;
    else shares.set(node, (shares.get(node) ?? 0) + 1);
    const phase = getPhase(pod);
    counts[phase] += 1;
    if (phase === "pending" && node === "" && !isJobOwned(pod)) unscheduled.push(pod);
    if (phase === "failed") failed.push({ ...getPodName(pod), ...getFailure(pod, failedReason) });
  }
  const attempts = scheduleAttempts(snapshot, unscheduled, maxEvents);
  return {
    ok: true,
    census: {
      counts: { total, ...counts, unscheduled: unscheduled.length },
      distribution: countDistribution(shares, unassignedCount),
      unscheduled: unscheduled.map(getPodName),
      failed,
      attempts,
    },
  };
}

/** Returns why the snapshot does not contain all listed Pods. */
function incompleteReason(snapshot: Snapshot): string | undefined {
  const reading = snapshot.kindStatus("Pod");
  if (reading.outcome !== "Read") return reading.message;
  const invalid = snapshot.invalidObjects.find(({ object }) => mightBePod(object));
  return invalid && `${invalid.at} ${invalid.message}`;
}

/**
 * Reports whether an object that a snapshot cannot store might be a Pod or a Pod list. An object without a kind might.
 */
function mightBePod(object: unknown): boolean {
  if (!isObject(object as object | null)) return true;
  const { apiVersion = "v1", kind = "Pod" } = object as Unvalidated<KubernetesObject>;
  return apiVersion === "v1" && (kind === "Pod" || kind === "PodList" || kind === "List");
}

function getPhase(pod: Unvalidated<Pod>): Exclude<keyof PodCounts, "total" | "unscheduled"> {
  switch (pod.status?.phase) {
    case "Running":
      return "running";
    case "Pending":
      return "pending";
    case "Failed":
      return "failed";
    case "Succeeded":
      return "succeeded";
    default:
      return "other";
  }
}

/** Returns the node of a Pod, or an empty string. */
function createNode(pod: Unvalidated<Pod>): string {
  return asString(pod.spec?.nodeName);
}

function getPodName(pod: Unvalidated<Pod>): PodName {
  return { namespace: getNamespace(pod), name: getName(pod) };
}

function countDistribution(
  shares: ReadonlyMap<string, number>,
  unassignedCount: number,
): readonly NodePodCount[] {
  const distribution: NodePodCount[] = [...shares].map(([node, podCount]) => ({ node, podCount }));
  if (unassignedCount > 0) distribution.push({ podCount: unassignedCount });
  return distribution.sort((a, b) => compareBytes(a.node ?? NO_NODE, b.node ?? NO_NODE));
}
