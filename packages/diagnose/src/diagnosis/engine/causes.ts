import type { FindingId } from "../checks/finding-ids.ts";
import type { JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { JobSetFindings } from "./find.ts";
import type { LocatedFinding } from "./located-finding.ts";

/**
 * Returns the possible causes of a finding: findings with the IDs that its check names, of the same object, of a part
 * of it, or of a parent. For a ReplicatedJob that waits for an earlier one, every finding of that one counts.
 *
 * No ReplicatedJob waits for itself or for a later one, so no finding causes itself.
 */
export function listCauses({
  found,
  replicatedJobs,
}: JobSetFindings): (effect: LocatedFinding) => readonly LocatedFinding[] {
  const rejected = firstRejections(found);
  const peers = groupByPod(found);
  return (effect) => {
    const { at, finding, waitsFor } = effect;
    const causes: LocatedFinding[] = [];
    for (const id of effect.causes) {
      for (const cause of at.within(id)) if (isCause(effect, cause)) causes.push(cause);
      for (let place = at.parent; place !== undefined; place = place.parent) {
        for (const cause of place.own(id)) causes.push(cause);
      }
    }
    if (waitsFor !== undefined && isBefore(waitsFor, at.replicatedJob)) {
      // There may be more findings than a call may have arguments.
      for (const cause of replicatedJobs.get(waitsFor)?.allWithin() ?? []) causes.push(cause);
    }
    for (const cause of peers.get(findPeer(effect) ?? "") ?? []) causes.push(cause);
    if (finishedPasses.has(finding.id)) {
      const earlier = rejected.find(
        ({ at: { replicatedJob } }) =>
          isBefore(replicatedJob, at.replicatedJob) ||
          // A repeated Event keeps its first message, which names only the Jobs of that time.
          (finding.id === "job-absent" && replicatedJob === at.replicatedJob),
      );
      if (earlier !== undefined) causes.push(earlier);
    }
    return causes;
  };
}

/** Findings about containers that ended or that wait for another container, which may be the fault of another Pod. */
const endings: ReadonlySet<FindingId> = new Set([
  "pod-waiting",
  "pod-restarting",
  "pod-failed",
  "pod-starting",
]);

/** Returns the name of the other Pod because of which a container ended. */
function findPeer({ at: { pod }, finding: { id, objects } }: LocatedFinding): string | undefined {
  if (pod === undefined || !endings.has(id)) return undefined;
  return objects.find(({ kind, name }) => kind === "Pod" && name !== pod.name)?.name;
}

/** Returns the failures of each Pod. A Pod that ends because of another Pod has none, so no finding causes itself. */
function groupByPod(found: readonly LocatedFinding[]): ReadonlyMap<string, LocatedFinding[]> {
  const groups = new Map<string, LocatedFinding[]>();
  const followers = found.filter(findPeer);
  if (followers.length === 0) return groups;
  for (const one of found) {
    const { pod } = one.at;
    if (pod === undefined || one.finding.outcome !== "Fail") continue;
    const group = groups.get(pod.name);
    if (group === undefined) groups.set(pod.name, [one]);
    else group.push(one);
  }
  for (const { at } of followers) groups.delete(at.pod?.name ?? "");
  return groups;
}

/** Findings of a ReplicatedJob that the reconcile does not reach. */
const finishedPasses: ReadonlySet<FindingId> = new Set([
  "job-absent",
  "dependency-not-ready",
  "startup-order",
] as const);

/**
 * Returns the first rejections. The controller ends a reconcile at the first ReplicatedJob with a rejected Job. Later
 * ones get no Jobs, and the status does not show later starts.
 */
function firstRejections(found: readonly LocatedFinding[]): readonly LocatedFinding[] {
  let first: LocatedFinding | undefined;
  for (const one of found) {
    const isRefused = one.finding.id === "job-rejected" || one.finding.id === "job-foreign";
    if (!isRefused || one.finding.outcome !== "Fail") continue;
    if (first === undefined || isBefore(one.at.replicatedJob, first.at.replicatedJob)) first = one;
  }
  return first === undefined ? [] : [first];
}

function isBefore(
  one: ReplicatedJobView | undefined,
  other: ReplicatedJobView | undefined,
): boolean {
  return one !== undefined && other !== undefined && one.position < other.position;
}

/** Reports whether one finding causes another. The rules are stricter than a common parent. */
function isCause({ finding, at }: LocatedFinding, cause: LocatedFinding): boolean {
  // The location of an unread object is unknown.
  if (cause.finding.outcome === "Unknown") return true;
  const isAnothersEnd = cause.finding.id === "pod-terminating" || cause.finding.id === "pod-failed";
  if (!isAnothersEnd) return true;
  switch (finding.id) {
    case "restart-cleanup":
      return cause.at.isPrevious;
    case "leader-terminating":
    case "leader-failed":
      return cause.at.pod?.isLeader === true;
    case "pods-not-created":
      // After a failure, the Job controller waits longer and longer before it creates the next Pod.
      return cause.finding.id === "pod-failed" || waitsForPodsToEnd(at.job);
    default:
      return true;
  }
}

/** Reports whether a Job replaces a Pod only after it has terminated. */
function waitsForPodsToEnd(job: JobView | undefined): boolean {
  return job?.job?.spec?.podReplacementPolicy === "Failed";
}
