export {
  type ClassifiedJobs,
  classifyJobs,
  jobState,
  type UnclassifiableJob,
} from "./child-jobs/classify-jobs.ts";
export { type RestartedJob, restartJob } from "./child-jobs/restart-job.ts";
export { type ResumedJob, resumeJob } from "./child-jobs/resume-job.ts";
export { type ScaleDecision, type ScalePatch, scaleJob } from "./child-jobs/scale-job.ts";
export { type ChangedJob, suspendJob } from "./child-jobs/suspend-job.ts";
