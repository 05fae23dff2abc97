import { parseTime } from "@jobset-ts/api";
import { asRecord, findCondition } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { jobState } from "@jobset-ts/core/child-jobs";
import { isConsequence } from "../view/creation-failure.ts";
import type { JobSetView, JobView } from "../view/jobset-view.ts";
import type { LocatedFinding } from "./located-finding.ts";

/** Returns the notes of a diagnosis, without duplicates. */
export function listNotes(
  view: JobSetView,
  failures: readonly LocatedFinding[],
  roots: readonly LocatedFinding[],
): readonly string[] {
  const notes = new Set<string>();
  const isMisleading = failures.some(
    ({ finding, at }) =>
      finding.id === "followers-refused" && at.job !== undefined && showsConsequence(at.job),
  );
  if (isMisleading && roots.length > 0)
    notes.add("the message in the Events reports only a symptom of the root cause");
  const isAwaited = roots.some(
    ({ finding, at }) =>
      finding.id === "pods-not-created" && at.job !== undefined && isRetriedSoon(view, at.job),
  );
  if (isAwaited) notes.add("the Job controller retries the creation with a back-off of up to 60 s");
  const outdated = describeOutdatedJobs(view);
  if (outdated !== undefined) notes.add(outdated);
  return [...notes];
}

const BACKOFF_MILLISECONDS = 60_000;

/** Reports whether the last denial came before the leader had a node, or so late that the next retry is pending. */
function isRetriedSoon({ now }: JobSetView, { failedCreation, leaders }: JobView): boolean {
  if (failedCreation?.failure.cause !== "FollowerDenied") return false;
  const { seenAt } = failedCreation.event;
  if (now - seenAt < BACKOFF_MILLISECONDS) return true;
  const leader = leaders.find(({ isActive, nodeName }) => isActive && nodeName !== "");
  const scheduled = findCondition(leader?.pod.status?.conditions, "PodScheduled");
  const scheduledAt = parseTime(scheduled?.lastTransitionTime);
  return scheduledAt !== undefined && seenAt < scheduledAt;
}

/**
 * Describes Jobs that run with an older node selector than the JobSet's. The controller updates the Pod template while
 * a Job is suspended. These Jobs missed a suspension that started and ended while the controller did not run.
 */
function describeOutdatedJobs({ jobSet, replicatedJobs }: JobSetView): string | undefined {
  if (jobSet.spec?.suspend === true) return undefined;
  const outdated = replicatedJobs.flatMap(({ spec, jobs }) => {
    const desired = getLabels(spec?.template?.spec?.template?.spec?.nodeSelector);
    if (desired.length === 0) return [];
    return jobs.flatMap(({ name, job }) => {
      if (job === undefined || job.spec?.suspend === true || jobState(job) !== "active") return [];
      const selector = new Map(getLabels(job.spec?.template?.spec?.nodeSelector));
      const [label, value] = desired.find(([key, text]) => selector.get(key) !== text) ?? [];
      if (label === undefined) return [];
      const has = selector.has(label) ? `${label}=${selector.get(label)}` : `no ${label}`;
      return [{ name, difference: `${has}, but the JobSet has ${label}=${value}` }];
    });
  });
  const [first, ...others] = outdated;
  if (first === undefined) return undefined;
  const subject =
    others.length === 0
      ? `job ${first.name} runs`
      : `job ${first.name} and ${others.length} more run`;
  return `${subject} with an older node selector (${first.difference}); suspend and resume the JobSet, through its Workload if Kueue manages it`;
}

/** Returns the labels that a node selector requires, by name. */
function getLabels(selector: Readonly<Record<string, string>> | undefined) {
  return Object.entries(asRecord(selector))
    .filter(([, value]) => typeof value === "string")
    .sort(([one], [other]) => compareBytes(one, other));
}

/** Reports whether the message of a Job's last denial describes only a consequence. */
function showsConsequence({ failedCreation }: JobView): boolean {
  const failure = failedCreation?.failure;
  return failure?.cause === "FollowerDenied" && isConsequence(failure.denial);
}
