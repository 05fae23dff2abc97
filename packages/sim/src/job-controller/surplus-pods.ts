import { parseTime } from "@jobset-ts/api";
import { asArray, findCondition, getName, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { getIndex, isIndexed, isReady } from "./pod-state.ts";

/**
 * Returns the active Pods to delete. Pods with a duplicate or invalid index are always included. Then follow as many as
 * needed, least progress first.
 *
 * @param count - the number of Pods above the wanted number
 */
export function findSurplusPods(job: Job, active: readonly Pod[], count: number): readonly Pod[] {
  if (count === 0 && !hasMisplaced(job, active)) return [];
  const worstFirst = active.map((pod) => getRank(pod, job)).sort(compareRanks);
  if (!isIndexed(job)) return worstFirst.slice(0, count).map(({ pod }) => pod);
  const best = new Map(worstFirst.map((rank) => [rank.index, rank.pod]));
  const isNeeded = ({ index, pod }: Rank) => index !== undefined && best.get(index) === pod;
  const surplus = worstFirst.filter((rank) => !isNeeded(rank));
  const others = worstFirst.filter(isNeeded);
  return [...surplus, ...others.slice(0, Math.max(0, count - surplus.length))].map(
    ({ pod }) => pod,
  );
}

/** Returns whether a Pod of an Indexed Job has an invalid or duplicate index. */
function hasMisplaced(job: Job, active: readonly Pod[]): boolean {
  if (!isIndexed(job)) return false;
  const indexes = new Set(active.map((pod) => getIndex(pod, job)));
  return indexes.size < active.length || indexes.has(undefined);
}

/** The progress of a Pod. The Pod with the smaller numbers is deleted first. */
interface Rank {
  readonly pod: Pod;
  readonly index: number | undefined;
  readonly stages: readonly number[];
}

const PHASES = ["Pending", "Unknown", "Running"];

function getRank(pod: Pod, job: Job): Rank {
  const { spec, status, metadata } = pod;
  const ready = isReady(pod);
  const readySince = findCondition(status?.conditions, "Ready")?.lastTransitionTime;
  const restarts = asArray(status?.containerStatuses).map(({ restartCount }) => restartCount);
  const index = getIndex(pod, job);
  const stages = [
    spec.nodeName ? 1 : 0,
    PHASES.indexOf(status?.phase ?? "Pending"),
    ready ? 1 : 0,
    ready ? -(parseTime(readySince) ?? 0) : 0,
    -Math.max(0, ...restarts),
    -(parseTime(metadata.creationTimestamp) ?? 0),
    index ?? -1,
  ];
  return { pod, index, stages };
}

function compareRanks(one: Rank, other: Rank): number {
  for (const [at, stage] of one.stages.entries()) {
    const difference = stage - (other.stages[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareBytes(getName(one.pod), getName(other.pod));
}
