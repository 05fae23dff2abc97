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

/** How the Pods of one list stand: every number and every list is of the same instant, so that they fit together. */
export interface PodCensus {
  readonly counts: PodCounts;
  /** By the names of nodes, in byte order. An unassigned Pod stands under `<none>`, as it is printed and sorted. */
  readonly distribution: readonly NodePodCount[];
  /** The Pods that `counts.unscheduled` counts, by namespace and name. */
  readonly unscheduled: readonly PodName[];
  /** The Pods that `counts.failed` counts, by namespace and name. */
  readonly failed: readonly FailedPod[];
  /** What the scheduler said of the unscheduled Pods. */
  readonly attempts: ScheduleAttempts;
}

/** Numbers of Pods. The five phases add up to the total; Pods that are being deleted count like any other. */
export interface PodCounts {
  readonly total: number;
  readonly running: number;
  readonly pending: number;
  readonly failed: number;
  readonly succeeded: number;
  /** Of phase `Unknown`, of one newer than ours, or of none. */
  readonly other: number;
  /** Pending, without a node, and not exempt because a Job owns them. */
  readonly unscheduled: number;
}

/** How many Pods a node has; without a `node` these are the unassigned ones. */
export interface NodePodCount {
  readonly node?: string;
  readonly podCount: number;
}

/** What names a Pod. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** A census, or why there is none: what was not listed in full is never taken for empty. */
export type PodCensusResult =
  | { readonly ok: true; readonly census: PodCensus }
  | { readonly ok: false; readonly message: string };

/** Under which name unassigned Pods are counted and sorted; no node can have it. */
export const NO_NODE = "<none>";

/**
 * Counts and lists the Pods of a snapshot, but for those in the excluded namespaces.
 *
 * One look at each Pod; Events are only looked at when a Pod is unscheduled.
 *
 * @returns no census when Pods were not or could not be read, or when one of them has no namespace or no name
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

/** Why the snapshot does not hold all Pods that there were in the list. */
function incompleteReason(snapshot: Snapshot): string | undefined {
  const reading = snapshot.kindStatus("Pod");
  if (reading.outcome !== "Read") return reading.message;
  const lost = snapshot.invalidObjects.find(({ object }) => mightBePod(object));
  return lost && `${lost.at} ${lost.message}`;
}

/** Whether something that a snapshot cannot hold may be a Pod or a list of them; what does not say its kind may. */
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

/** The node that a Pod is bound to; empty when there is none. */
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
