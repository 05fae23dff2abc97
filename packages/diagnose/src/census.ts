export { countPods, type PodCensus } from "./census/census.ts";
export type { PodCensusOptions } from "./census/census-configuration.ts";
export { findCountInconsistencies } from "./census/impossible-counts.ts";
export type { JobOwnedRule } from "./census/job-owned.ts";
export { INITIAL_WAIT_STATE, stepWait } from "./census/settle.ts";
export { formatWaitResult } from "./census/settled.ts";
