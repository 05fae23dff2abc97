import { ageOf } from "../../view/age.ts";
import type { JobView } from "../../view/jobset-view.ts";
import {
  absenceEvidence,
  type DiagnosisCheck,
  fail,
  failTransiently,
  pass,
  unknown,
} from "../check-results.ts";
import {
  createEventEvidence,
  jobKey,
  needsEvents,
  rejectionAge,
  unknownNumbers,
} from "../jobs/job-evidence.ts";
import { pluralize, toBe } from "../pluralize.ts";

/** A Job, and whether its leader is known to be at fault. `undefined` if that is unknown. */
export interface JobWithLeader {
  readonly job: JobView;
  readonly hasLeaderFault: boolean | undefined;
  /** The kinds that would contain the object. */
  readonly unread: readonly string[];
}

/** The checks of a Job's missing Pods. */
export const missingPodChecks: readonly DiagnosisCheck<JobWithLeader>[] = [
  {
    id: "followers-refused",
    causes: [],
    run: ({ job, hasLeaderFault, unread }) => {
      const { numbers, failedCreation: failed, name } = job;
      const { blockedFollowers } = numbers;
      if (blockedFollowers === undefined) return unknownNumbers(job);
      if (blockedFollowers === 0 || failed === undefined) return pass;
      // A denial Event remains for an hour after its cause, and Pods are recreated up to a minute later.
      if (hasLeaderFault === false) return pass;
      if (hasLeaderFault === undefined) return unknown(...unread);
      const text = `${pluralize(blockedFollowers, "follower")} of ${name} ${toBe(blockedFollowers)} denied at admission: ${failed.failure.message}`;
      return failTransiently(text, createEventEvidence(job, failed.event));
    },
  },
  {
    id: "pods-rejected",
    causes: ["webhook-unavailable"],
    texts: { advice: ["fix the cause in the message: quota, policy or the template"] },
    run: ({ job }) => {
      const { numbers, failedCreation: failed, name, leaderState } = job;
      if (numbers.missing === 0 || leaderState === "Absent") return pass;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (failed === undefined) return needsEvents(job);
      if (failed.failure.cause === "FollowerDenied") return pass;
      const text = `pods of ${name} could not be created: ${failed.failure.message}`;
      return fail(text, {
        ...createEventEvidence(job, failed.event),
        ...rejectionAge(job, failed.failure.message),
      });
    },
  },
  {
    id: "pods-not-created",
    causes: ["job-absent", "job-suspended", "pods-rejected", "pod-terminating"],
    texts: { advice: ["wait: the Job controller retries within a minute"] },
    run: ({ job, hasLeaderFault, unread }) => {
      const { missing, blockedFollowers } = job.numbers;
      if (missing === undefined) return unknownNumbers(job);
      // The controller deletes the other Jobs of a JobSet that has failed.
      if (missing === 0 || !job.replicatedJob.jobSet.needsJobs) return pass;
      if (blockedFollowers === undefined) return unknown("Event");
      const isRefused = blockedFollowers > 0 ? hasLeaderFault : false;
      if (isRefused === undefined) return unknown(...unread);
      if (isRefused) return pass;
      const evidence = [
        absenceEvidence(jobKey(job), `${pluralize(missing, "Pod")} ${toBe(missing)} missing`),
      ];
      const text = `${pluralize(missing, "pod")} of ${job.name} ${toBe(missing)} not created`;
      const jobSet = job.replicatedJob.jobSet;
      const age = ageOf(jobSet, startOfJob(job), jobSet.thresholds.podCreationSeconds);
      return failTransiently(text, { objects: [jobKey(job)], evidence, ...age });
    },
  },
];

/** Returns when the Job last started to create Pods. Its start time changes when it is resumed. */
function startOfJob({ job }: JobView) {
  return job?.status?.startTime ?? job?.metadata?.creationTimestamp;
}
