export { type Census, census } from "./census/census.ts";
export type { CensusOptions } from "./census/census-configuration.ts";
export { impossibleCounts } from "./census/impossible-counts.ts";
export type { JobOwned } from "./census/job-owned.ts";
export { SETTLE_START, settle } from "./census/settle.ts";
export { settledLines } from "./census/settled.ts";
