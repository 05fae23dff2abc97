// A second implementation of the policies, slow and simple, for comparison.
import type { FailurePolicyRule, JobSet } from "@jobset-ts/api";
import type { Job, JobCondition, Pod } from "@jobset-ts/api/kubernetes";

const key = (name: string) => `jobset.sigs.k8s.io/${name}`;

/** The decision about failed Jobs, with the Job and the rule that caused it. */
export interface ReferenceFailure {
  /** The action of the rule, or `ReachedMaxRestarts`, or `FailedJobs` without a policy. */
  readonly outcome: string;
  readonly job: Job;
  /** The rule's name. Absent if no rule applies. */
  readonly rule: string | undefined;
}

/**
 * Returns the decision about failed Jobs. If Jobs failed in the same second, the first by name counts as the first.
 *
 * @param failed - sorted by name
 */
export function referenceFailure(
  jobSet: JobSet,
  failed: readonly Job[],
  restartJob: boolean,
): ReferenceFailure | undefined {
  const { failurePolicy } = jobSet.spec;
  const rule = failurePolicy?.rules?.find((one) => failed.some((job) => applies(one, job)));
  const judged = rule === undefined ? failed : failed.filter((job) => applies(rule, job));
  // The Jobs are sorted by name, and sorting keeps the order of equal ones.
  const [job] = judged.toSorted((one, other) => failedAt(one) - failedAt(other));
  if (job === undefined) return undefined;
  if (failurePolicy === undefined) return { outcome: "FailedJobs", job, rule: undefined };
  const action = rule?.action ?? "RestartJobSet";
  const counted = jobSet.status?.restartsCountTowardsMax ?? 0;
  const left = (failurePolicy.maxRestarts ?? 0) - counted;
  const leftForAll = left - (restartJob ? countSingleJobRestarts(jobSet) : 0);
  const counts = action === "RestartJobSet" || (action === "RestartJob" && restartJob);
  const outcome = counts && Math.min(left, leftForAll) <= 0 ? "ReachedMaxRestarts" : action;
  return { outcome, job, rule: rule?.name };
}

function applies(rule: FailurePolicyRule, job: Job): boolean {
  const { reason = "", message = "" } = getFailure(job);
  const { onJobFailureReasons = [], onJobFailureMessagePatterns = [] } = rule;
  const { targetReplicatedJobs = [] } = rule;
  const replicatedJob = job.metadata.labels?.[key("replicatedjob-name")] ?? "";
  return (
    replicatedJob !== "" &&
    (onJobFailureReasons.length === 0 || onJobFailureReasons.includes(reason)) &&
    (targetReplicatedJobs.length === 0 || targetReplicatedJobs.includes(replicatedJob)) &&
    (onJobFailureMessagePatterns.length === 0 ||
      // One of the patterns in these clusters is invalid.
      onJobFailureMessagePatterns.some((text) => text !== "(" && new RegExp(text).test(message)))
  );
}

function getFailure({ status }: Job): Partial<JobCondition> {
  const conditions = status?.conditions ?? [];
  return conditions.find((one) => one.type === "Failed" && one.status === "True") ?? {};
}

function failedAt(job: Job): number {
  return Date.parse(getFailure(job).lastTransitionTime ?? "");
}

function countSingleJobRestarts({ spec, status }: JobSet): number {
  const names = (spec.replicatedJobs ?? []).map(({ name }) => name);
  return (status?.replicatedJobsStatus ?? [])
    .filter(({ name }) => names.includes(name))
    .flatMap(({ jobRestartsCountTowardsMax }) => jobRestartsCountTowardsMax ?? [])
    .reduce((sum, count) => sum + count, 0);
}

/** Reports whether the successful Jobs satisfy the success policy. */
export function referenceSucceeded(jobSet: JobSet, successful: readonly Job[]): boolean {
  const { operator = "All", targetReplicatedJobs = [] } = jobSet.spec.successPolicy ?? {};
  const isTarget = (name: string) =>
    targetReplicatedJobs.length === 0 || targetReplicatedJobs.includes(name);
  if (operator === "Any") {
    return successful.some(({ metadata }) =>
      isTarget(metadata.labels?.[key("replicatedjob-name")] ?? ""),
    );
  }
  const needed = (jobSet.spec.replicatedJobs ?? [])
    .filter(({ name }) => isTarget(name))
    .flatMap(({ name, replicas = 1 }) =>
      Array.from({ length: replicas }, (_, index) => `${jobSet.metadata.name}-${name}-${index}`),
    );
  const names = successful.map(({ metadata }) => metadata.name);
  return needed.length > 0 && needed.every((name) => names.includes(name));
}

/** The attempts of in-place restarts that result from the Pods. */
export interface ReferenceAttempts {
  readonly current: number | undefined;
  readonly previous: number | undefined;
  /** Whether there were more restarts than allowed. */
  readonly fails: boolean;
}

/**
 * The attempts that result from the Pods. Each Pod announces a number or nothing.
 *
 * @param pods - the Pods that count
 * @param currentFalls - whether the current attempt decreases if all Pods announce an earlier one
 */
export function referenceAttempts(
  jobSet: JobSet,
  pods: readonly Pod[],
  currentFalls: boolean,
): ReferenceAttempts {
  const { failurePolicy, replicatedJobs = [] } = jobSet.spec;
  const { status } = jobSet;
  let current = status?.currentInPlaceRestartAttempt;
  let previous = status?.previousInPlaceRestartAttempt;
  const announced = pods.flatMap(({ metadata }) => {
    const attempt = metadata.annotations?.[key("in-place-restart-attempt")];
    return attempt === undefined ? [] : [Number(attempt)];
  });
  const highest = Math.max(0, ...announced);
  const uncounted = (status?.restarts ?? 0) - (status?.restartsCountTowardsMax ?? 0);
  const fails = highest - uncounted > (failurePolicy?.maxRestarts ?? 0);
  if (fails) return { current, previous, fails };
  let expected = 0;
  for (const { replicas = 1, template } of replicatedJobs) {
    expected += replicas * (template.spec.parallelism ?? 1);
  }
  const together = announced.length > 0 && announced.every((attempt) => attempt === highest);
  if (together && announced.length === expected) {
    current = currentFalls ? highest : Math.max(highest, current ?? 0);
  } else if (highest > 0) previous = Math.max(highest - 1, previous ?? 0);
  return { current, previous, fails };
}
