import { isSuspended } from "@jobset-ts/api";
import { findCondition } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import {
  conditionEvidence,
  fail,
  failWaiting,
  fieldEvidence,
  pass,
  sinceTime,
} from "../../checks/check-results.ts";
import type { DiagnosisExtension } from "../../checks/extension.ts";
import { jobKey } from "../../checks/jobs/job-evidence.ts";
import { completionChecks } from "./completion-checks.ts";
import { recreationChecks } from "./recreation-checks.ts";
import { restartChecks } from "./restart-checks.ts";

/**
 * The checks of Jobs that cannot complete because of fields in their spec, and of a JobSet that does not complete or
 * restarts again and again.
 */
export const jobs: DiagnosisExtension = {
  kinds: [],
  jobSet: [...completionChecks, ...restartChecks],
  job: [
    ...recreationChecks,
    {
      id: "job-deadline-exceeded",
      causes: [],
      texts: {
        advice: ["in a new JobSet, raise activeDeadlineSeconds, or find out what takes longer"],
      },
      run: (job) => {
        const conditions = job.job?.status?.conditions;
        const failed = ["Failed", "FailureTarget"]
          .map((type) => findCondition(conditions, type))
          .find((one) => one?.status === "True" && one.reason === "DeadlineExceeded");
        if (failed === undefined) return pass;
        const seconds = job.job?.spec?.activeDeadlineSeconds;
        const limit = typeof seconds === "number" ? ` of ${seconds} s` : "";
        return fail(`job ${job.name} ran longer than its activeDeadlineSeconds${limit}`, {
          objects: [jobKey(job)],
          evidence: [conditionEvidence(jobKey(job), "Failed", "DeadlineExceeded")],
          ...sinceTime(failed.lastTransitionTime),
        });
      },
    },
    {
      id: "job-without-pods",
      causes: [],
      texts: {
        advice: [
          "raise parallelism if the JobSet is elastic, or recreate it with a parallelism above 0",
        ],
      },
      run: (job) => {
        const { jobSet } = job.replicatedJob.jobSet;
        if (job.job === undefined || jobState(job.job) !== "active") return pass;
        if (job.job.spec?.parallelism !== 0 || isSuspended(jobSet)) return pass;
        const text = `job ${job.name} has parallelism 0, so it creates no Pods and does not complete`;
        return failWaiting(text, {
          objects: [jobKey(job)],
          evidence: [fieldEvidence(jobKey(job), "spec.parallelism", "0")],
          ...sinceTime(job.job.metadata?.creationTimestamp),
        });
      },
    },
  ],
  effects: {
    "job-failed": ["job-deadline-exceeded"],
    "job-failing": ["job-deadline-exceeded"],
    "restart-cleanup": ["restart-loop"],
    "job-absent": ["restart-loop"],
    "pods-not-created": ["restart-loop"],
    "scheduler-not-tried": ["restart-loop"],
    "pod-starting": ["restart-loop"],
    "pod-not-ready": ["restart-loop"],
  },
};
