export { classifyJobs } from "./child-jobs/classify-jobs.ts";
export { areJobsFoundByOwnerName, listChildJobs } from "./child-jobs/list-child-jobs.ts";
export { restartJob } from "./child-jobs/restart-job.ts";
export { isReady, jobState } from "./snapshot/child-job.ts";
export { readChildJobs } from "./snapshot/child-jobs.ts";
