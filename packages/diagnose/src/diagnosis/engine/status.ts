import type { FindingStatus } from "@jobset-ts/checks";
import type { LocatedFinding } from "./located-finding.ts";

/**
 * The status of a JobSet: it has completed, has failed permanently, progresses, waits for an event or a user's
 * decision, or is stuck.
 */
export type DiagnosisStatus = "Finished" | "Failed" | FindingStatus;

/** Returns the status that follows from the findings. */
export function getStatus(
  roots: readonly LocatedFinding[],
  failures: readonly LocatedFinding[],
): DiagnosisStatus {
  const hasFailed = failures.some(
    ({ finding: { id } }) => id === "restarts-exhausted" || id === "jobset-failed",
  );
  if (hasFailed) return "Failed";
  const statuses = new Set(roots.map(statusOf));
  if (statuses.has("Stuck")) return "Stuck";
  return statuses.has("Waiting") ? "Waiting" : "Progressing";
}

/**
 * Sorts roots by their effect on the status: first those that failed the JobSet, then those on which it is stuck, then
 * those that it waits for, then those that resolve themselves. Roots with the same effect keep their order.
 *
 * @param endsIt - reports whether a root caused the JobSet to fail
 */
export function sortRoots<Root>(
  roots: readonly Root[],
  {
    foundOf,
    endsIt,
  }: { foundOf: (root: Root) => LocatedFinding | undefined; endsIt: (root: Root) => boolean },
): readonly Root[] {
  const getRootWeight = (root: Root) => (endsIt(root) ? 0 : getWeight(foundOf(root)));
  const weights = new Map(roots.map((root) => [root, getRootWeight(root)]));
  return [...roots].sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0));
}

/** Compares two findings by their status, the more serious first. */
export function compareStatus(
  one: LocatedFinding | undefined,
  other: LocatedFinding | undefined,
): number {
  return getWeight(one) - getWeight(other);
}

function getWeight(found: LocatedFinding | undefined): number {
  return found === undefined ? 4 : statusWeights[statusOf(found)];
}

const statusWeights = { Stuck: 1, Waiting: 2, Progressing: 3 } as const;

function statusOf({ finding }: LocatedFinding): FindingStatus {
  return finding.status ?? "Stuck";
}
