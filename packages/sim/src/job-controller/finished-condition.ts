import { type EpochMillis, parseTime } from "@jobset-ts/api";
import { asArray, findCondition, type Job, type JobCondition } from "@jobset-ts/api/kubernetes";
import { FAILURE_TARGET, SUCCESS_CRITERIA_MET } from "../api-server/job/batch-constants.ts";
import { type IndexSet, parseIndexes } from "../api-server/job/index-set.ts";
import type { JobView } from "./job-view.ts";
import { matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { hasFailed } from "./pod-state.ts";

/** The outcome of a finishing Job: its interim condition. The final condition takes over the reason and the message. */
export interface FinishedCondition {
  readonly type: typeof FAILURE_TARGET | typeof SUCCESS_CRITERIA_MET;
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the interim condition of a Job that finishes before its Pods are created or stopped. The first matching rule
 * wins.
 */
export function findFinishedCondition(
  view: JobView,
  now: EpochMillis,
): FinishedCondition | undefined {
  const { job, indexes } = view;
  return (
    getInterimCondition(job) ??
    findPolicyFailure(view) ??
    findLimitFailure(view) ??
    findDeadlineFailure(job, now) ??
    (indexes?.failed && findIndexFailure(job, indexes.succeeded, indexes.failed)) ??
    (indexes && findPolicySuccess(job, indexes.succeeded))
  );
}

/** Returns the interim condition of a Job whose Pods have all completed. */
export function findCompletion(
  { job, succeededCount }: JobView,
  activeCount: number,
): FinishedCondition | undefined {
  const { completions = 1 } = job.spec;
  if (activeCount > 0 || succeededCount < completions) return undefined;
  return {
    type: SUCCESS_CRITERIA_MET,
    reason: "CompletionsReached",
    message: "Reached expected number of succeeded pods",
  };
}

/** Returns for how many milliseconds a Job can still run. `undefined` if it has no deadline or does not run. */
export function getRemainingDeadline(
  { spec, status }: Pick<Job, "spec" | "status">,
  now: EpochMillis,
): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || spec.suspend) return undefined;
  const startedAt = parseTime(status?.startTime);
  if (startedAt === undefined) return undefined;
  return spec.activeDeadlineSeconds * 1000 - (now - startedAt);
}

function getInterimCondition({ status }: Job): FinishedCondition | undefined {
  const interimCondition = [SUCCESS_CRITERIA_MET, FAILURE_TARGET]
    .map((type) => findCondition(status?.conditions, type))
    .find((condition) => condition?.status === "True");
  if (interimCondition === undefined) return undefined;
  const { type, reason = "", message = "" } = interimCondition as JobCondition & FinishedCondition;
  return { type, reason, message };
}

function findPolicyFailure({ job, pods }: JobView): FinishedCondition | undefined {
  if (job.spec.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    if (!hasFailed(pod, job)) continue;
    const { message } = matchPodFailurePolicy(job, pod);
    if (message !== undefined) return createFailure("PodFailurePolicy", message);
  }
  return undefined;
}

function findLimitFailure(view: JobView): FinishedCondition | undefined {
  const { backoffLimit = 6 } = view.job.spec;
  if (view.failedCount <= backoffLimit && !exceedsRestartLimit(view, backoffLimit))
    return undefined;
  return createFailure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
}

/** Container restarts of Pods with in-place restart count as failures. */
function exceedsRestartLimit({ job, pods }: JobView, backoffLimit: number): boolean {
  if (job.spec.template.spec?.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== "Running" && status?.phase !== "Pending") continue;
    const statuses = [
      ...asArray(status.initContainerStatuses),
      ...asArray(status.containerStatuses),
    ];
    for (const { restartCount } of statuses) restarts += restartCount;
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

function findDeadlineFailure(job: Job, now: EpochMillis): FinishedCondition | undefined {
  const remaining = getRemainingDeadline(job, now);
  if (remaining === undefined || remaining > 0) return undefined;
  return createFailure("DeadlineExceeded", "Job was active longer than specified deadline");
}

function findIndexFailure(
  { spec }: Job,
  succeeded: IndexSet,
  failed: IndexSet,
): FinishedCondition | undefined {
  const { maxFailedIndexes, completions = 0 } = spec;
  if (maxFailedIndexes !== undefined && failed.size > maxFailedIndexes) {
    return createFailure(
      "MaxFailedIndexesExceeded",
      "Job has exceeded the specified maximal number of failed indexes",
    );
  }
  if (failed.size === 0 || failed.size + succeeded.size < completions) return undefined;
  return createFailure("FailedIndexes", "Job has failed indexes");
}

interface SuccessRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

function findPolicySuccess({ spec }: Job, succeeded: IndexSet): FinishedCondition | undefined {
  const rules: readonly SuccessRule[] = asArray(spec.successPolicy?.rules);
  const at = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeeded.size >= (succeededCount ?? Number.NaN);
    const wantedCount = parseIndexes(succeededIndexes, spec.completions ?? 0);
    const there = [...wantedCount].filter((index) => succeeded.has(index)).length;
    return there >= (succeededCount ?? wantedCount.size);
  });
  if (at < 0) return undefined;
  return {
    type: SUCCESS_CRITERIA_MET,
    reason: "SuccessPolicy",
    message: `Matched rules at index ${at}`,
  };
}

function createFailure(reason: string, message: string): FinishedCondition {
  return { type: FAILURE_TARGET, reason, message };
}
