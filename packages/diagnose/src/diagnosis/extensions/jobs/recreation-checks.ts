import { parseTime } from "@jobset-ts/api";
import { JOB_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { asArray, getLabel } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import {
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  pass,
  sinceTime,
} from "../../checks/check-results.ts";
import { jobKey } from "../../checks/jobs/job-evidence.ts";
import type { JobView } from "../../view/jobset-view.ts";
import { firstCreationOf } from "./first-creation.ts";

/**
 * The check of a Job that was created much later than others, although it waits for none. If its TTL deletes it before the
 * JobSet completes, the controller creates it again, and its Pods repeat their work.
 */
export const recreationChecks: readonly DiagnosisCheck<JobView>[] = [
  {
    id: "job-recreated",
    causes: [],
    texts: {
      advice: [
        "in a new JobSet, remove ttlSecondsAfterFinished from the Job template: the TTL of the JobSet deletes its Jobs, too",
      ],
    },
    run: (view) => {
      const { job, name, replicatedJob } = view;
      const { spec, position, jobSet } = replicatedJob;
      const ttl: unknown = job?.spec?.ttlSecondsAfterFinished;
      if (job === undefined || typeof ttl !== "number" || jobState(job) !== "active") return pass;
      const isInOrder = jobSet.jobSet.spec?.startupPolicy?.startupPolicyOrder === "InOrder";
      const hasWaited = asArray(spec?.dependsOn).length > 0 || (isInOrder && position > 0);
      // A restart of the Job creates it again, too.
      if (hasWaited || (getLabel(job, JOB_RESTART_ATTEMPT_KEY) ?? "0") !== "0") return pass;
      const delay = (parseTime(job.metadata?.creationTimestamp) ?? 0) - firstCreationOf(jobSet);
      if (delay < (ttl + jobSet.thresholds.podCreationSeconds) * 1000) return pass;
      return fail(
        `job ${name} was created again, probably because its ttlSecondsAfterFinished of ${ttl} s deleted it after it had finished`,
        {
          objects: [jobKey(view)],
          evidence: [fieldEvidence(jobKey(view), "spec.ttlSecondsAfterFinished", `${ttl}`)],
          ...sinceTime(job.metadata?.creationTimestamp),
          status: "Progressing",
        },
      );
    },
  },
];
