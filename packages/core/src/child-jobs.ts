export { classifyJobs } from "./child-jobs/classify-jobs.ts";
export { creationIsBlocked, missingJobs, takenJobs } from "./child-jobs/missing-jobs.ts";
export { restartJob } from "./child-jobs/restart-job.ts";
export { type ResumedJob, resumeJob } from "./child-jobs/resume-job.ts";
export { isReady, type JobTraits, jobState } from "./snapshot/child-job.ts";
export { childJobsOf } from "./snapshot/child-jobs.ts";
