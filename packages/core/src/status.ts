export { replicatedJobsStatus } from "./status/replicated-jobs-status.ts";
export { trueCondition } from "./status/set-condition.ts";
