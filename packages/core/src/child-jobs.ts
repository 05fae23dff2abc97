export {
  type ClassifiedJobs,
  classifyJobs,
  type UnclassifiableJob,
} from "./child-jobs/classify-jobs.ts";
export {
  creationIsBlocked,
  missingJobs,
  type TakenJobs,
  takenJobs,
} from "./child-jobs/missing-jobs.ts";
export { type RestartedJob, restartJob } from "./child-jobs/restart-job.ts";
export { type ResumedJob, resumeJob } from "./child-jobs/resume-job.ts";
export { type ScaleDecision, type ScalePatch, scaleJob } from "./child-jobs/scale-job.ts";
export { type ChangedJob, suspendJob } from "./child-jobs/suspend-job.ts";
export {
  type ChildJob,
  isReady,
  type JobState,
  type JobTraits,
  jobState,
} from "./snapshot/child-job.ts";
export { type ChildJobs, childJobsOf, type JobGroup } from "./snapshot/child-jobs.ts";
