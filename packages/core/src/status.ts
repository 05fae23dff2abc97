export {
  type CountedJobs,
  replicatedJobsStatus,
  sameReplicatedJobsStatus,
} from "./status/replicated-jobs-status.ts";
export { type ConditionChange, setCondition, trueCondition } from "./status/set-condition.ts";
