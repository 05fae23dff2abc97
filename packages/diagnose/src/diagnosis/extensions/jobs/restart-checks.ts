import { parseTime } from "@jobset-ts/api";
import { asInteger } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  jobSetKey,
  pass,
} from "../../checks/check-results.ts";
import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";

/** Restarts after which an attempt that ends as early as the others is not a coincidence. */
const MIN_RESTARTS = 5;

/**
 * The check of a JobSet that restarts again and again, each time after a few minutes. Each restart deletes the failed Pods,
 * so in most dumps all Pods are new. If one has failed, its failure is the cause.
 */
export const restartChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "restart-loop",
    causes: [],
    run: (view) => {
      const restarts = asInteger(view.jobSet.status?.restarts, 0);
      const seconds = getAttemptSeconds(view, restarts);
      if (seconds === undefined) return pass;
      const event = findLatest(view.events.filter(({ reason }) => reason.startsWith("Restart")));
      const object = jobSetKey(view);
      return fail(
        `the JobSet has restarted ${restarts} times, every ${seconds} s on average${event === undefined ? "" : `: ${event.message}`}`,
        {
          objects: [object],
          evidence: [
            fieldEvidence(object, "status.restarts", `${restarts}`),
            ...(event === undefined ? [] : [eventEvidence(object, event)]),
          ],
          advice: ["save the logs of the current Pods: the next restart deletes them"],
        },
      );
    },
  },
];

/** Returns how long the earlier attempts took on average, if that is short and the current one is not longer yet. */
function getAttemptSeconds(
  { jobSet, needsJobs, replicatedJobs, now, thresholds }: JobSetView,
  restarts: number,
): number | undefined {
  const createdAt = parseTime(jobSet.metadata?.creationTimestamp);
  if (!needsJobs || restarts < MIN_RESTARTS || createdAt === undefined) return undefined;
  let startedAt = now;
  for (const { jobs } of replicatedJobs) {
    for (const { job, numbers } of jobs) {
      if (numbers.byPhase.Failed + asInteger(job?.status?.failed, 0) > 0) return undefined;
      startedAt = Math.min(startedAt, parseTime(job?.metadata?.creationTimestamp) ?? now);
    }
  }
  const average = (startedAt - createdAt) / restarts;
  return now - startedAt < average && average < thresholds.podReadySeconds * 1000
    ? Math.round(average / 1000)
    : undefined;
}
