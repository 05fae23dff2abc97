import { asArray, asRecord, asString, isObject } from "@jobset-ts/api/kubernetes";
import type { NodePodCount, PodCounts } from "./census.ts";

/**
 * Returns one sentence for each law that the counts violate: counts that no single list of Pods can have. Empty if they
 * violate none.
 *
 * Counts from separate requests violate these laws now and then, because Pods change in between. For example, a Pod
 * that gets a node and starts between two requests yields 1 unscheduled and 0 pending. A violated law proves that the
 * counts are not from one instant. The absence of violations proves nothing, because two errors can cancel each other
 * out.
 *
 * @param counts - the known counts; laws about others are skipped
 * @param distribution - the same Pods by node, if known
 * @example findCountInconsistencies({ total: 20, running: 20, pending: 0, failed: 0, unscheduled: 1 }) // => ["unscheduled 1 > pending 0"]
 */
export function findCountInconsistencies(
  counts: Partial<PodCounts>,
  distribution?: readonly NodePodCount[],
): readonly string[] {
  const known = Object.fromEntries(names.map((name) => [name, asRecord(counts)[name]]));
  const shares = Array.isArray(distribution) ? asArray(distribution).filter(isObject) : undefined;
  const noCounts = [
    ...names.filter((name) => known[name] !== undefined && !isCount(known[name])),
    ...(shares ?? [])
      .filter(({ podCount }) => !isCount(podCount))
      .map(({ node }) => (node === undefined ? "no node" : `node ${asString(node)}`)),
  ];
  // A value that is not a number cannot be compared.
  if (noCounts.length > 0) return noCounts.map((name) => `${name}: no count`);
  return listViolatedLaws(known, shares);
}

/** Every Pod is counted by exactly one of these. */
const phases = ["running", "pending", "failed", "succeeded", "other"] as const;
const names = [...phases, "total", "unscheduled"] as const;

function listViolatedLaws(
  known: Partial<PodCounts>,
  shares: readonly NodePodCount[] | undefined,
): readonly string[] {
  const { total, pending, unscheduled } = known;
  const parts = phases.filter((phase) => known[phase] !== undefined);
  const sum = parts.reduce((before, phase) => before + (known[phase] ?? 0), 0);
  const sumText = `${parts.map((phase) => `${phase} ${known[phase]}`).join(" + ")} = ${sum}`;
  const broken: string[] = [];
  if (exceeds(unscheduled, pending)) broken.push(`unscheduled ${unscheduled} > pending ${pending}`);
  if (exceeds(unscheduled, total)) broken.push(`unscheduled ${unscheduled} > total ${total}`);
  if (exceeds(sum, total)) broken.push(`${sumText} > total ${total}`);
  if (parts.length === phases.length && exceeds(total, sum)) {
    broken.push(`${sumText} < total ${total}`);
  }
  if (shares === undefined) return broken;
  const spread = shares.reduce((before, { podCount }) => before + podCount, 0);
  const unassigned = shares.find(({ node }) => node === undefined)?.podCount ?? 0;
  if (total !== undefined && spread !== total) {
    broken.push(`${spread} on nodes and unassigned, but total ${total}`);
  }
  if (exceeds(unscheduled, unassigned)) {
    broken.push(`unscheduled ${unscheduled} > ${unassigned} without a node`);
  }
  return broken;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function exceeds(part: number | undefined, whole: number | undefined): boolean {
  return part !== undefined && whole !== undefined && part > whole;
}
