import { type EpochMillis, parseTime, type Unvalidated } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_SUSPENDED,
} from "@jobset-ts/api/conditions";
import { type Condition, findCondition } from "@jobset-ts/api/kubernetes";
import type { JobSetView, JobView } from "../view/jobset-view.ts";
import type { MemberPod } from "../view/member-pod.ts";
import type { JobSetPhase } from "./phase.ts";

/**
 * Returns the time since which a phase lasts, from conditions and timestamps in the cluster.
 *
 * @returns `undefined` if the time is unknown or in the future
 */
export function phaseSince(phase: JobSetPhase, view: JobSetView): EpochMillis | undefined {
  const since = findStart(phase, view);
  return since === undefined || since > view.now ? undefined : since;
}

function findStart(phase: JobSetPhase, view: JobSetView): EpochMillis | undefined {
  const { jobSet } = view;
  const trueSince = (type: string) => changedAt(jobSet.status?.conditions, type, "True");
  switch (phase) {
    case "Deleting":
      return parseTime(jobSet.metadata?.deletionTimestamp);
    case "Completed":
      return trueSince(CONDITION_COMPLETED);
    case "Failed":
      return trueSince(CONDITION_FAILED);
    case "Queued":
    case "Suspended":
      return trueSince(CONDITION_SUSPENDED);
    case "Restarting":
      return trueSince(CONDITION_RESTARTING);
    case "Completing":
      return latest(dueJobs(view).map(finishedAt));
    case "Pending":
      return startedAt(view);
    case "Starting":
      return unreadySince(view);
    case "Running":
      return latest(activePods(view).map(readySince));
    case "Stuck":
      // The causes of a stuck JobSet have no timestamps.
      return undefined;
  }
}

type Conditions = readonly Unvalidated<Condition>[] | null | undefined;

function dueJobs({ replicatedJobs }: JobSetView): readonly JobView[] {
  return replicatedJobs.flatMap(({ jobs }) => jobs.filter(({ isDue }) => isDue));
}

function activePods(view: JobSetView): readonly MemberPod[] {
  return dueJobs(view).flatMap(({ pods }) => pods.filter(({ isActive }) => isActive));
}

/** Returns when a condition got a status. `undefined` if it has another one. */
function changedAt(conditions: Conditions, type: string, status: string): EpochMillis | undefined {
  const found = findCondition(conditions, type);
  return found?.status === status ? parseTime(found.lastTransitionTime) : undefined;
}

/** Returns the latest time. `undefined` if the list is empty or one is unknown. */
function latest(times: readonly (EpochMillis | undefined)[]): EpochMillis | undefined {
  return times.reduce((last, time) => {
    return last === undefined || time === undefined ? undefined : Math.max(last, time);
  }, times[0]);
}

function finishedAt({ job }: JobView): EpochMillis | undefined {
  const conditions = job?.status?.conditions;
  return (
    changedAt(conditions, "SuccessCriteriaMet", "True") ?? changedAt(conditions, "Complete", "True")
  );
}

function readySince({ pod }: MemberPod): EpochMillis | undefined {
  return changedAt(pod.status?.conditions, "Ready", "True");
}

/** Returns when the JobSet was last created, resumed or restarted. */
function startedAt({ jobSet }: JobSetView): EpochMillis | undefined {
  const created = parseTime(jobSet.metadata?.creationTimestamp);
  const { conditions } = jobSet.status ?? {};
  const started = [CONDITION_SUSPENDED, CONDITION_RESTARTING]
    .map((type) => changedAt(conditions, type, "False"))
    .filter((time) => time !== undefined);
  return created === undefined ? undefined : Math.max(created, ...started);
}

/** Returns since when at least one Pod has not been ready, without interruption. `undefined` if Pods are missing. */
function unreadySince(view: JobSetView): EpochMillis | undefined {
  const pods = activePods(view);
  if (dueJobs(view).some(({ numbers }) => (numbers.missing ?? 1) > 0)) return undefined;
  const spans = pods.map(({ pod, isReady }) => {
    const { conditions } = pod.status ?? {};
    const created = parseTime(pod.metadata?.creationTimestamp);
    return isReady
      ? { from: created, until: changedAt(conditions, "Ready", "True") }
      : { from: changedAt(conditions, "Ready", "False") ?? created, until: view.now };
  });
  let since: EpochMillis | undefined = view.now;
  // The latest end comes first, so that overlapping spans leave no gap.
  for (const { from, until } of spans.sort((one, other) => (other.until ?? 0) - (one.until ?? 0))) {
    if (from === undefined || until === undefined) return undefined;
    if (until >= since) since = Math.min(since, from);
  }
  return since === view.now ? undefined : since;
}
