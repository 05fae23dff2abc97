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
import {
  countLimitedRestarts,
  countRestarts,
  getCurrentJobs,
  getStatusEntries,
  getStatusWrite,
  hasFailed,
  isDesiredJob,
  isTerminal,
} from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";

export const failuresAreAnsweredByThePolicy: SafetyLaw = {
  name: "failuresAreAnsweredByThePolicy",
  sentence:
    "A pass restarts or fails a JobSet, or restarts one of its Jobs, only for failed Jobs that it sees, or for Pods that restart in place too often, and as the first rule says that is about any of them: where none is, it restarts the JobSet, and where no restart is left or there is no policy, it fails it; the conditions name the Job that failed first. It completes none that it sees to have a failed Job.",
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
    // That failures lead to something in the end, others ask.
    if (!fails && !completes && raised === 0) return undefined;
    if (completes) {
      const [first] = getFailedJobs(jobSet, request);
      return first && `it completes, and Job ${first.metadata.name} is seen to have failed`;
    }
    const answer = getExpectedAnswer(jobSet, request);
    if (answer === "Unknown") return undefined;
    if (answer === undefined) {
      const isInPlace = jobSet.spec.failurePolicy?.restartStrategy === "InPlaceRestart";
      if (fails && isInPlace && end.reason === "ReachedMaxRestarts") return undefined;
      return `it ${fails ? "fails" : "restarts"}, and the pass sees no failed Job`;
    }
    const { action, reason, job } = answer;
    if (action === "FailJobSet") {
      if (!fails) return `it restarts, and ${reason} is due`;
      if (end.reason !== reason) return `it fails for ${end.reason}, and ${reason} is due`;
      return findMissingJobName(job, end);
    }
    if (fails) return `it fails, and ${action} of ${job.metadata.name} is due`;
    const isSingle = action.startsWith("RestartJob") && !action.startsWith("RestartJobSet");
    const [before, after] = [jobSet, next].map((one) => ({
      restarts: isSingle ? countJobRestarts(one, job) : (one.status?.restarts ?? 0),
      counted: countLimitedRestarts(one.status),
    }));
    const counts = action.endsWith("IgnoreMaxRestarts") ? 0 : 1;
    const isDone =
      after?.restarts === (before?.restarts ?? 0) + 1 &&
      after.counted === (before?.counted ?? 0) + counts;
    if (!isDone) return `${action} of ${job.metadata.name} is due, and not counted so`;
    const restarting = findCondition<Condition>(status.conditions, CONDITION_RESTARTING);
    return isSingle || restarting?.status !== "True"
      ? undefined
      : findMissingJobName(job, restarting);
  },
};

/** What is wrong with a condition that has to name a Job: the whole name, and no part of a longer one. */
function findMissingJobName({ metadata: { name = "" } }: Job, { message = "" }: Condition) {
  const words = message.split(/[^a-z0-9.-]+/);
  return words.includes(name) ? undefined : `${message}: Job ${name} is not named`;
}

/** What becomes of a JobSet with failed Jobs. */
export interface FailureAnswer {
  readonly action: string;
  /** The rule that says so, if any does. */
  readonly rule?: string | undefined;
  /** Why a JobSet fails. */
  readonly reason?: string;
  readonly job: Job;
}

/**
 * What is due of a JobSet for the failed Jobs that a pass sees; `undefined` where it sees none. What it takes more than
 * reading to tell is unknown.
 */
export function getExpectedAnswer(jobSet: JobSet, request: RequestNote): FailureAnswer | "Unknown" | undefined {
  const countsSingle = request.context.features.has("RestartJob");
  return evaluateFailures(jobSet, getFailedJobs(jobSet, request), countsSingle);
}

function getFailedJobs(jobSet: JobSet, { snapshot }: RequestNote): readonly Job[] {
  return getCurrentJobs(jobSet, snapshot).filter(
    (job) => hasFailed(job) && isDesiredJob(job, jobSet),
  );
}

/** What the failed Jobs of a JobSet lead to; `undefined` where none has failed. */
function evaluateFailures(
  jobSet: JobSet,
  failed: readonly Job[],
  countsSingle: boolean,
): FailureAnswer | "Unknown" | undefined {
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
  // What other patterns find is tested with the policy.
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

/** Whether a pattern finds just its own text. */
function isPlainText(pattern: string | undefined): boolean {
  return /^[\w ]+$/.test(pattern ?? "");
}

function getFailure(job: Job): Condition | undefined {
  return findCondition<Condition>(job.status?.conditions as Condition[], JOB_CONDITION_FAILED);
}

function failedAt(job: Job): number {
  return parseTime(getFailure(job)?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
}

/** How often a single Job was restarted. */
function countJobRestarts(jobSet: JobSet, job: Job): number {
  const entry = getStatusEntries(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
  return asArray(entry?.jobRestarts)[Number(getLabel(job, JOB_INDEX_KEY))] ?? 0;
}
