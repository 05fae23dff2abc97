import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_RESTARTING, CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import { asArray, type Condition, isObject } from "@jobset-ts/api/kubernetes";
import type { FindingId } from "../checks/finding-ids.ts";
import type { JobSetView } from "../view/jobset-view.ts";
import type { LocatedFinding } from "./located-finding.ts";

/**
 * The status of a JobSet: it has completed, has failed permanently, progresses, waits for an event or a user's
 * decision, or is stuck.
 */
export type DiagnosisStatus = "Finished" | "Failed" | "Progressing" | "Waiting" | "Stuck";

/** Roots that resolve themselves shortly. */
const transientFindings: ReadonlySet<FindingId> = new Set([
  "pod-starting",
  "scheduler-not-tried",
  "pods-not-created",
] as const);

/** Roots that are normal shortly after the object was created or restarted. */
const startupFindings: ReadonlySet<FindingId> = new Set([
  "not-reconciled",
  "in-place-ignored",
  "job-absent",
  "leader-absent",
  "job-suspended",
] as const);

/** Roots that a user has chosen, or that end when Pods terminate. */
const waitingFindings: ReadonlySet<FindingId> = new Set([
  "queued",
  "suspended",
  "managed-elsewhere",
  "scheduling-gated",
  "dependency-not-ready",
  "startup-order",
  "restart-cleanup",
  "pod-terminating",
  "deleting",
] as const);

const YOUNG_SECONDS = 30;

/** Returns the status that follows from the findings. */
export function getStatus(
  view: JobSetView,
  roots: readonly LocatedFinding[],
  held: readonly LocatedFinding[],
): DiagnosisStatus {
  const hasFailed = held.some(
    ({ finding: { id } }) => id === "restarts-exhausted" || id === "jobset-failed",
  );
  if (hasFailed) return "Failed";
  const isPassing = (root: LocatedFinding) => isTransient(view, root);
  if (roots.every(isPassing)) return "Progressing";
  return roots.every((root) => isPassing(root) || isWaiting(root)) ? "Waiting" : "Stuck";
}

/**
 * Sorts roots by their effect on the status: first those that failed the JobSet, then those on which it is stuck, then
 * those that it waits for, then those that resolve themselves. Roots with the same effect keep their order.
 *
 * @param endsIt - reports whether a root caused the JobSet to fail
 */
export function sortRoots<Root>(
  view: JobSetView,
  roots: readonly Root[],
  {
    foundOf,
    endsIt,
  }: { foundOf: (root: Root) => LocatedFinding | undefined; endsIt: (root: Root) => boolean },
): readonly Root[] {
  const weightOf = (root: Root) => {
    if (endsIt(root)) return 0;
    const found = foundOf(root);
    if (found === undefined || isTransient(view, found)) return 3;
    return isWaiting(found) ? 2 : 1;
  };
  const weights = new Map(roots.map((root) => [root, weightOf(root)]));
  return [...roots].sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0));
}

function isTransient(view: JobSetView, { finding: { id }, at }: LocatedFinding): boolean {
  if (transientFindings.has(id)) return true;
  if (!startupFindings.has(id)) return false;
  const restarted = secondsSinceConditions(view, id);
  if (id === "job-suspended") return restarted < YOUNG_SECONDS;
  const createdAt = parseTime(at.job?.job?.metadata?.creationTimestamp);
  const seconds = createdAt === undefined ? ageSeconds(view) : (view.now - createdAt) / 1000;
  return Math.min(seconds, restarted) < YOUNG_SECONDS;
}

/**
 * Returns the seconds since the JobSet was resumed, or for findings about recreated objects, restarted. Infinite if it
 * never was.
 */
function secondsSinceConditions({ jobSet, now }: JobSetView, id: FindingId): number {
  const isOfStart = ({ type, status }: Unvalidated<Condition>) =>
    type === CONDITION_SUSPENDED
      ? status === "False"
      : type === CONDITION_RESTARTING && status === "True" && id !== "job-suspended";
  const times = asArray(jobSet.status?.conditions)
    .filter((condition) => isObject(condition) && isOfStart(condition))
    .map(({ lastTransitionTime }) => parseTime(lastTransitionTime) ?? Number.NEGATIVE_INFINITY);
  return (now - Math.max(...times)) / 1000;
}

/** Reports whether a root only needs time. A failed Pod does while its failing Job terminates its other Pods. */
function isWaiting({ finding: { id }, at }: LocatedFinding): boolean {
  if (waitingFindings.has(id)) return true;
  if (id !== "pod-failed") return false;
  const inJob = at.pod === undefined ? at : at.parent;
  return inJob?.own("job-failing").some(({ finding }) => finding.outcome === "Fail") === true;
}

/** Returns the age of a JobSet in seconds. Infinite if it has no creation time. */
function ageSeconds({ jobSet, now }: JobSetView): number {
  const createdAt = parseTime(jobSet.metadata?.creationTimestamp);
  return createdAt === undefined ? Number.POSITIVE_INFINITY : (now - createdAt) / 1000;
}
