export {
  ApiClient,
  type ApiResponse,
  type ClientOptions,
  type ClientRequest,
} from "./api-client.ts";
export { type ApiError, errorMessage, isRetryAfter, retryAfterSeconds } from "./api-error.ts";
export {
  type CacheChange,
  ClusterCache,
  cachedKinds,
} from "./cluster-cache.ts";
export { ConditionLog, type ConditionOptions, type ConditionReporter } from "./condition-log.ts";
export type { Connection, Fetch } from "./connection.ts";
export { EventRecorder } from "./event-recorder.ts";
export { LeaderElection } from "./leader-election.ts";
export { type LogLine, logLine, writeLine } from "./log-line.ts";
export { findPrunedField } from "./pruned-field.ts";
export { sleep } from "./sleep.ts";
export { type ReconcileResult, WorkQueue, type WorkQueueConcurrency } from "./work-queue.ts";
