import { type EpochMillis, parseTime } from "@jobset-ts/api";
import { CONDITION_RESTARTING, CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import { asArray, findCondition, isObject } from "@jobset-ts/api/kubernetes";
import type { FindingStatus } from "@jobset-ts/checks";
import type { JobSetView, JobView } from "./jobset-view.ts";
import { memoizeByObject } from "./memoize.ts";

/** The time since which a state lasts, and the resulting status. */
export interface Age {
  readonly since?: EpochMillis;
  readonly status: FindingStatus;
}

/**
 * Returns the age of a state that is normal for a time.
 *
 * @param since - RFC 3339 text or milliseconds; if it is unknown, the state counts as young
 * @param normalSeconds - how long the state is normal
 * @param young - the status until then. Default: `Progressing`
 */
export function ageOf(
  { now }: JobSetView,
  since: unknown,
  normalSeconds: number,
  young: FindingStatus = "Progressing",
): Age {
  const start = typeof since === "number" ? since : parseTime(since as string | undefined);
  if (start === undefined || !Number.isFinite(start)) return { status: young };
  return { since: start, status: now - start < normalSeconds * 1000 ? young : "Stuck" };
}

/**
 * Returns the age of a state that is normal shortly after a JobSet was created, resumed or restarted: a controller has
 * not reconciled yet. For absent and suspended Jobs, the progress of other Jobs counts as well.
 *
 * @param job - the Job of the state, whose creation counts instead of the JobSet's
 * @param isAfterResume - whether only a resume makes the state normal
 */
export function ageSinceStart(view: JobSetView, job?: JobView, isAfterResume = false): Age {
  const starts = asArray(view.jobSet.status?.conditions)
    .filter(isObject)
    .filter(({ type, status }) =>
      type === CONDITION_SUSPENDED
        ? status === "False"
        : type === CONDITION_RESTARTING && status === "True" && !isAfterResume,
    )
    .map(({ lastTransitionTime }) => lastTransitionTime);
  if (!isAfterResume) starts.push((job?.job ?? view.jobSet).metadata?.creationTimestamp);
  if (isAfterResume || !job?.job) starts.push(lastProgressOf(view));
  const since = findLatest(starts);
  if (since === undefined) return { status: "Stuck" };
  return ageOf(view, since, view.thresholds.reconcileSeconds);
}

/**
 * Returns when a Pod last got ready or ended, or a Job last completed. The controller may then create or resume the Jobs
 * that wait for it. The Pods of a completed Job may be gone.
 */
const lastProgressOf = /* @__PURE__ */ memoizeByObject(({ replicatedJobs }: JobSetView) =>
  findLatest(
    replicatedJobs
      .flatMap(({ jobs }) => jobs)
      .flatMap(({ job, pods }) => [
        job?.status?.completionTime,
        ...pods.map(
          ({ pod }) => findCondition(pod.status?.conditions, "Ready")?.lastTransitionTime,
        ),
      ]),
  ),
);

type Timestamp = string | Date | undefined;

/** Returns the latest of some timestamps. Ignores invalid ones. */
function findLatest(times: readonly Timestamp[]): Timestamp {
  return times.reduce<Timestamp>(
    (last, time) => ((parseTime(time) ?? -1) > (parseTime(last) ?? -1) ? time : last),
    undefined,
  );
}
