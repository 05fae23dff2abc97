export { countPods, type PodCensus } from "./census/census.ts";
export type { PodCensusOptions } from "./census/census-configuration.ts";
export { findCountInconsistencies } from "./census/count-inconsistencies.ts";
export type { JobOwnedRule } from "./census/job-owned.ts";
export { INITIAL_WAIT_STATE, stepWait } from "./census/wait-for-pods.ts";
export { formatWaitResult } from "./census/wait-result.ts";
