import { type FailurePolicyRule, type JobSet, parseTime } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  JOB_CONDITION_FAILED,
} from "@jobset-ts/api/conditions";
import { JOB_INDEX_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  type Condition,
  findCondition,
  getLabel,
  type Job,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { RequestNote } from "../jobset-controller/pass-note.ts";
import { getStatusEntries, hasFailed, isDesiredJob, isTerminal } from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { getStatusWrite } from "./request-facts.ts";
import { countLimitedRestarts, countRestarts, getCurrentJobs } from "./restart-attempt.ts";

export const failuresFollowTheFailurePolicy: SafetyLaw = {
  name: "failuresFollowTheFailurePolicy",
  sentence:
    "A pass restarts or fails a JobSet, or restarts one of its Jobs, only for failed Jobs that it sees or for too many in-place restarts. The first failure policy rule that matches decides. Without a match, the JobSet restarts. Without a policy or a remaining restart, it fails. The conditions name the Job that failed first. A pass that sees a failed Job does not complete the JobSet.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || status === undefined || isTerminal(jobSet)) return undefined;
    const next = { ...jobSet, status };
    const end = findCondition<Condition>(status.conditions, CONDITION_FAILED);
    const fails = end?.status === "True";
    const completes = isConditionTrue(status.conditions, CONDITION_COMPLETED);
    const raised = countRestarts(status) - countRestarts(jobSet.status);
    // Other laws check that failures eventually have a consequence.
    if (!fails && !completes && raised === 0) return undefined;
    if (completes) {
      const [first] = getFailedJobs(jobSet, request);
      return first && `it completes, but the pass sees that Job ${first.metadata.name} has failed`;
    }
    const result = getExpectedReaction(jobSet, request);
    if (result === "Unknown") return undefined;
    if (result === undefined) {
      const isInPlace = jobSet.spec.failurePolicy?.restartStrategy === "InPlaceRestart";
      if (fails && isInPlace && end.reason === "ReachedMaxRestarts") return undefined;
      return `it ${fails ? "fails" : "restarts"}, but the pass sees no failed Job`;
    }
    const { action, reason, job } = result;
    if (action === "FailJobSet") {
      if (!fails) return `it restarts, but must fail with ${reason}`;
      if (end.reason !== reason) return `it fails with ${end.reason}, but must fail with ${reason}`;
      return findMissingJobName(job, end);
    }
    if (fails) return `it fails, but the action for ${job.metadata.name} is ${action}`;
    const isSingle = action.startsWith("RestartJob") && !action.startsWith("RestartJobSet");
    const [before, after] = [jobSet, next].map((one) => ({
      restarts: isSingle ? countJobRestarts(one, job) : (one.status?.restarts ?? 0),
      counted: countLimitedRestarts(one.status),
    }));
    const counts = action.endsWith("IgnoreMaxRestarts") ? 0 : 1;
    const isDone =
      after?.restarts === (before?.restarts ?? 0) + 1 &&
      after.counted === (before?.counted ?? 0) + counts;
    if (!isDone)
      return `the action for ${job.metadata.name} is ${action}, but the restart counts do not match it`;
    const restarting = findCondition<Condition>(status.conditions, CONDITION_RESTARTING);
    return isSingle || restarting?.status !== "True"
      ? undefined
      : findMissingJobName(job, restarting);
  },
};

/** Returns how a condition fails to name a Job. The whole name must appear, not as part of a longer name. */
function findMissingJobName({ metadata: { name = "" } }: Job, { message = "" }: Condition) {
  const words = message.split(/[^a-z0-9.-]+/);
  return words.includes(name) ? undefined : `"${message}" does not name Job ${name}`;
}

/** The expected response to the failed Jobs of a JobSet. */
export interface FailureReaction {
  readonly action: string;
  /** The name of the failure policy rule that applies, if any. */
  readonly rule?: string | undefined;
  /** Why the JobSet fails. */
  readonly reason?: string;
  readonly job: Job;
}

/**
 * Returns the expected response to the failed Jobs that a pass sees. `undefined` if it sees none. `"Unknown"` if
 * the response depends on more than plain comparisons.
 */
export function getExpectedReaction(
  jobSet: JobSet,
  request: RequestNote,
): FailureReaction | "Unknown" | undefined {
  const countsSingle = request.context.features.has("RestartJob");
  return evaluateFailures(jobSet, getFailedJobs(jobSet, request), countsSingle);
}

function getFailedJobs(jobSet: JobSet, { snapshot }: RequestNote): readonly Job[] {
  return getCurrentJobs(jobSet, snapshot).filter(
    (job) => hasFailed(job) && isDesiredJob(job, jobSet),
  );
}

/** Returns the expected response to the failed Jobs of a JobSet. `undefined` if none has failed. */
function evaluateFailures(
  jobSet: JobSet,
  failed: readonly Job[],
  countsSingle: boolean,
): FailureReaction | "Unknown" | undefined {
  const inOrder = failed.toSorted(
    (one, other) =>
      failedAt(one) - failedAt(other) ||
      compareBytes(one.metadata.name ?? "", other.metadata.name ?? ""),
  );
  const [first] = inOrder;
  if (first === undefined) return undefined;
  const { failurePolicy } = jobSet.spec;
  if (failurePolicy === undefined) {
    return { action: "FailJobSet", reason: "FailedJobs", job: first };
  }
  const rules = asArray(failurePolicy.rules);
  const patterns = rules.flatMap((rule) => asArray(rule.onJobFailureMessagePatterns));
  // Tests of the failure policy cover other patterns.
  if (!patterns.every(isPlainText)) return "Unknown";
  const matched = rules.flatMap((rule) => {
    const job = inOrder.find((one) => isAbout(rule, one));
    return job === undefined ? [] : [{ action: rule.action as string, rule: rule.name, job }];
  });
  const { action, rule, job } = matched[0] ?? {
    action: "RestartJobSet",
    rule: undefined,
    job: first,
  };
  if (action === "FailJobSet") return { action, reason: "FailJobSetFailurePolicyAction", job };
  const isSingle = !action.startsWith("RestartJobSet");
  if (isSingle && !countsSingle) return "Unknown";
  const counted = countsSingle
    ? countLimitedRestarts(jobSet.status)
    : (jobSet.status?.restartsCountTowardsMax ?? 0);
  const isLimited = !action.endsWith("IgnoreMaxRestarts");
  return isLimited && counted >= (failurePolicy.maxRestarts ?? 0)
    ? { action: "FailJobSet", reason: "ReachedMaxRestarts", job }
    : { action, rule, job };
}

function isAbout(rule: FailurePolicyRule, job: Job): boolean {
  const [reasons, targets] = [
    asArray(rule.onJobFailureReasons) as readonly string[],
    asArray(rule.targetReplicatedJobs),
  ];
  const patterns = asArray(rule.onJobFailureMessagePatterns) as readonly string[];
  const { reason = "", message = "" } = getFailure(job) ?? {};
  return (
    (patterns.length === 0 || patterns.some((pattern) => message.includes(pattern))) &&
    (reasons.length === 0 || reasons.includes(reason)) &&
    (targets.length === 0 || targets.includes(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? ""))
  );
}

/** Reports whether a pattern matches only its own text. */
function isPlainText(pattern: string | undefined): boolean {
  return /^[\w ]+$/.test(pattern ?? "");
}

function getFailure(job: Job): Condition | undefined {
  return findCondition<Condition>(job.status?.conditions as Condition[], JOB_CONDITION_FAILED);
}

function failedAt(job: Job): number {
  return parseTime(getFailure(job)?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
}

/** Returns how often an individual Job was restarted. */
function countJobRestarts(jobSet: JobSet, job: Job): number {
  const entry = getStatusEntries(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
  return asArray(entry?.jobRestarts)[Number(getLabel(job, JOB_INDEX_KEY))] ?? 0;
}
