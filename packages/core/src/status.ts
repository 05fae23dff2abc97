export { replicatedJobsStatus } from "./status/replicated-jobs-status.ts";
export { findTrueCondition } from "./status/set-condition.ts";
