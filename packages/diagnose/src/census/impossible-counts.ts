import { isObject, listOf } from "@jobset-ts/api/kubernetes";
import type { NodeShare, PodCounts } from "./census.ts";

/**
 * What no list of Pods can be counted to, one sentence for each law that the numbers break; nothing when they break none.
 *
 * Numbers that were asked for one after the other break these laws now and then, since Pods go on in between: one that has
 * no node at first and runs a moment later makes 1 unscheduled and 0 pending. A broken law proves that the numbers
 * are not of one instant. That none is broken proves nothing: two errors can cancel each other out.
 *
 * @param counts - those that were counted; laws about others are not asked
 * @param distribution - the same Pods by node, where they were counted so
 * @example impossibleCounts({ total: 20, running: 20, pending: 0, failed: 0, unscheduled: 1 }) // => ["unscheduled 1 > pending 0"]
 */
export function impossibleCounts(
  counts: Partial<PodCounts>,
  distribution?: readonly NodeShare[],
): readonly string[] {
  const known: Partial<PodCounts> = isObject(counts) ? counts : {};
  const shares = Array.isArray(distribution) ? listOf(distribution).filter(isObject) : undefined;
  const parts = phases.filter((phase) => known[phase] !== undefined);
  const sum = parts.reduce((sofar, phase) => sofar + Number(known[phase]), 0);
  const sumText = parts.map((phase) => `${phase} ${known[phase]}`).join(" + ");
  const { total, pending, unscheduled } = known;
  const spread = shares?.reduce((sofar, { podCount }) => sofar + Number(podCount), 0);
  const unassigned = shares?.find(({ node }) => node === undefined)?.podCount;
  const broken: string[] = [];
  const names = [...phases, "total", "unscheduled"] as const;
  for (const name of names) {
    if (known[name] !== undefined && !isCount(known[name])) {
      broken.push(`${name} ${known[name]} is no count`);
    }
  }
  for (const { node = "no node", podCount } of shares ?? []) {
    if (!isCount(podCount)) broken.push(`${podCount} on ${node} is no count`);
  }
  if (exceeds(unscheduled, pending)) broken.push(`unscheduled ${unscheduled} > pending ${pending}`);
  if (exceeds(unscheduled, total)) broken.push(`unscheduled ${unscheduled} > total ${total}`);
  if (parts.length === phases.length && total !== undefined && sum !== total) {
    broken.push(`${sumText} = ${sum}, total ${total}`);
  } else if (exceeds(sum, total)) broken.push(`${sumText} = ${sum} > total ${total}`);
  if (spread !== undefined && total !== undefined && spread !== total) {
    broken.push(`${spread} on all nodes and none, total ${total}`);
  }
  if (shares !== undefined && exceeds(unscheduled, unassigned ?? 0)) {
    broken.push(`unscheduled ${unscheduled} > ${unassigned ?? 0} without a node`);
  }
  return broken;
}

/** Every Pod is counted as one of these. */
const phases = ["running", "pending", "failed", "succeeded", "other"] as const;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function exceeds(part: number | undefined, whole: number | undefined): boolean {
  return part !== undefined && whole !== undefined && part > whole;
}
