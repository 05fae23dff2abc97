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
import { firstCreationOf } from "./first-creation.ts";

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
function getAttemptSeconds(view: JobSetView, restarts: number): number | undefined {
  const { jobSet, needsJobs, replicatedJobs, now, thresholds } = view;
  const createdAt = parseTime(jobSet.metadata?.creationTimestamp);
  if (!needsJobs || restarts < MIN_RESTARTS || createdAt === undefined) return undefined;
  const hasFailed = replicatedJobs.some(({ jobs }) =>
    jobs.some(({ job, numbers }) => numbers.byPhase.Failed + asInteger(job?.status?.failed, 0) > 0),
  );
  if (hasFailed) return undefined;
  const startedAt = Math.min(now, firstCreationOf(view));
  const average = (startedAt - createdAt) / restarts;
  return now - startedAt < average && average < thresholds.podReadySeconds * 1000
    ? Math.round(average / 1000)
    : undefined;
}
