export {
  type Census,
  census,
  type NodeShare,
  type PodCounts,
  type PodName,
  type TakenCensus,
} from "./census/census.ts";
export {
  type CensusConfiguration,
  type CensusOptions,
  type CensusSettings,
  censusConfiguration,
  EXCLUDED_NAMESPACES,
} from "./census/census-configuration.ts";
export type { FailedPod, FailedReason } from "./census/failed-pod.ts";
export { impossibleCounts } from "./census/impossible-counts.ts";
export type { JobOwned } from "./census/job-owned.ts";
export type { FailedAttempt, ScheduleAttempts } from "./census/schedule-attempts.ts";
export {
  SETTLE_START,
  type SettleAction,
  type SettleInput,
  type SettleState,
  settle,
} from "./census/settle.ts";
export { listErrorLines, type Settled, settledLines } from "./census/settled.ts";
