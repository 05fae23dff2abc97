import type { FindingId } from "../checks/finding-ids.ts";
import type { JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { JobSetFindings } from "./find.ts";
import type { LocatedFinding } from "./found.ts";

/**
 * What may have brought a finding about: findings of the kinds that its check names, at the same place, in a part of it, or
 * in what it is a part of; and of a ReplicatedJob that waits for an earlier one, whatever was found there.
 *
 * Nothing waits for a later ReplicatedJob or for itself, so that no finding brings itself about.
 */
export function listCauses({
  found,
  replicatedJobs,
}: JobSetFindings): (effect: LocatedFinding) => readonly LocatedFinding[] {
  const rejected = firstRejections(found);
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
      causes.push(...(replicatedJobs.get(waitsFor)?.allWithin() ?? []));
    }
    if (finishedPasses.has(finding.id)) {
      const earlier = rejected.find(({ at: { replicatedJob } }) =>
        isBefore(replicatedJob, at.replicatedJob),
      );
      if (earlier !== undefined) causes.push(earlier);
    }
    return causes;
  };
}

/** What is found of a ReplicatedJob to which passes do not come. */
const finishedPasses: ReadonlySet<FindingId> = new Set([
  "job-absent",
  "dependency-not-ready",
  "startup-order",
] as const);

/**
 * The controller leaves a pass at the first ReplicatedJob of which a Job is refused: the later ones get none, and the status does
 * not tell what has started since.
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

/** What is narrower than to be in a part of the same. */
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
      return waitsForPodsToEnd(at.job);
    default:
      return true;
  }
}

/** Whether a Job replaces a Pod only once that has ended. */
function waitsForPodsToEnd(job: JobView | undefined): boolean {
  return job?.job?.spec?.podReplacementPolicy === "Failed";
}
