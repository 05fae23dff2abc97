import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_COMPLETE } from "@jobset-ts/api/conditions";
import { asArray, asString, type Condition } from "@jobset-ts/api/kubernetes";
import { findTrueCondition } from "@jobset-ts/core/status";
import {
  conditionEvidence,
  type DiagnosisCheck,
  fail,
  failTransiently,
  fieldEvidence,
  jobSetKey,
  pass,
} from "../../checks/check-results.ts";
import { jobKey } from "../../checks/jobs/job-evidence.ts";
import { ageOf } from "../../view/age.ts";
import type { JobSetView } from "../../view/jobset-view.ts";

/** The time for a controller with many JobSets to reconcile the completion of a Job. */
const COMPLETION_SECONDS = 300;

/** The checks of a JobSet whose Jobs have all completed. */
export const completionChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "not-completed",
    causes: ["managed-elsewhere"],
    run: (view) => {
      const last = findLastCompletion(view);
      if (last === undefined) return pass;
      const { job, condition } = last;
      const completed = conditionEvidence(
        jobKey(job),
        JOB_CONDITION_COMPLETE,
        asString(condition.message),
      );
      const targets = asArray(view.jobSet.spec?.successPolicy?.targetReplicatedJobs).map(asString);
      if (targets.length > 0 && !targets.some((target) => view.named.has(target))) {
        const named = targets.join(", ");
        const at = "spec.successPolicy.targetReplicatedJobs";
        return fail(
          `all Jobs have completed, but the success policy names no ReplicatedJob of the JobSet: ${named}`,
          {
            objects: [jobSetKey(view)],
            evidence: [fieldEvidence(jobSetKey(view), at, named), completed],
            advice: [
              `recreate JobSet ${view.name} with targetReplicatedJobs that exist: the success policy is immutable`,
            ],
          },
        );
      }
      const age = ageOf(view, condition.lastTransitionTime, COMPLETION_SECONDS);
      return failTransiently("all Jobs have completed, but the JobSet has not", {
        objects: [jobSetKey(view)],
        evidence: [completed],
        ...age,
        advice: [
          age.status === "Stuck"
            ? "check that the JobSet controller runs, and read its log"
            : "wait for the JobSet controller",
        ],
      });
    },
  },
];

/** Returns the Job that completed last. Undefined while a Job of the JobSet is missing or has not completed. */
function findLastCompletion({ replicatedJobs }: JobSetView) {
  const due = replicatedJobs.flatMap(({ jobs }) => jobs.filter(({ isDue }) => isDue));
  if (due.length === 0 || replicatedJobs.some(({ unlisted }) => unlisted.count > 0))
    return undefined;
  const completions = due.flatMap((job) => {
    const condition = findTrueCondition(job.job?.status?.conditions, JOB_CONDITION_COMPLETE);
    return condition === undefined ? [] : [{ job, condition }];
  });
  if (completions.length < due.length) return undefined;
  return completions.reduce((last, one) =>
    getTransition(one.condition) > getTransition(last.condition) ? one : last,
  );
}

function getTransition({ lastTransitionTime }: Unvalidated<Condition>): number {
  return parseTime(lastTransitionTime) ?? 0;
}
