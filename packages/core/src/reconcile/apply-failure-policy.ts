import type { Observed } from "@jobset-ts/api";
import {
  CONDITION_RESTARTING,
  MESSAGE_FAIL_JOBSET_ACTION,
  MESSAGE_FAILED_JOBS,
  MESSAGE_REACHED_MAX_RESTARTS,
  MESSAGE_RESTART_JOB_ACTION,
  MESSAGE_RESTART_JOB_IGNORE_ACTION,
  MESSAGE_RESTART_JOBSET_ACTION,
  MESSAGE_RESTART_JOBSET_IGNORE_ACTION,
  REASON_DEFAULT_FAILURE_POLICY,
  REASON_FAILURE_POLICY_RULE_PREFIX,
  REASON_RESTART_JOB_ACTION,
  REASON_RESTART_JOB_IGNORE_ACTION,
  REASON_RESTART_JOBSET_ACTION,
  REASON_RESTART_JOBSET_IGNORE_ACTION,
  withFirstFailedJob,
} from "@jobset-ts/api/conditions";
import type { Job } from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { restartJob } from "../child-jobs/restart-job.ts";
import { integerOf, restartsOf } from "../jobset-members.ts";
import type { Plan } from "../plan/plan.ts";
import { evaluateFailurePolicy, type FailureDecision } from "../policies/failure-policy.ts";
import type { Pass } from "./pass.ts";

type RestartJobSet = Extract<FailureDecision, { action: `RestartJobSet${string}` }>;
type RestartJob = Extract<
  FailureDecision,
  { action: "RestartJob" | "RestartJobAndIgnoreMaxRestarts" }
>;

/**
 * Ends the pass of a JobSet with a failed Job: nothing is created, scaled, suspended or resumed in it. Nothing is
 * deleted either; a restart only counts, and the next pass finds all Jobs to be of an earlier attempt.
 */
export function applyFailurePolicy(pass: Pass, jobs: ClassifiedJobs): Plan {
  const { jobSet, statuses, context } = pass;
  const { decision, warnings } = evaluateFailurePolicy(jobSet, jobs.failed, statuses, context);
  for (const warning of warnings) pass.warn(warning);
  explain(pass, decision);
  switch (decision.action) {
    case "None":
      return pass.plan();
    case "FailJobSet":
      pass.fail(decision.reason, withFirstFailedJob(failMessages[decision.reason], decision.job));
      return pass.plan();
    case "RestartJobSet":
    case "RestartJobSetAndIgnoreMaxRestarts":
      restartAll(pass, decision);
      return pass.plan();
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts":
      return restartOne(pass, decision, jobs.failed);
    case "Refuse":
      return pass.refuse("failure-policy", decision.message, { kind: "Job", name: decision.job });
  }
}

const failMessages = {
  FailedJobs: MESSAGE_FAILED_JOBS,
  FailJobSetFailurePolicyAction: MESSAGE_FAIL_JOBSET_ACTION,
  ReachedMaxRestarts: MESSAGE_REACHED_MAX_RESTARTS,
};

const restartReasons = {
  RestartJobSet: REASON_RESTART_JOBSET_ACTION,
  RestartJobSetAndIgnoreMaxRestarts: REASON_RESTART_JOBSET_IGNORE_ACTION,
  RestartJob: REASON_RESTART_JOB_ACTION,
  RestartJobAndIgnoreMaxRestarts: REASON_RESTART_JOB_IGNORE_ACTION,
};

const restartMessages = {
  RestartJobSet: MESSAGE_RESTART_JOBSET_ACTION,
  RestartJobSetAndIgnoreMaxRestarts: MESSAGE_RESTART_JOBSET_IGNORE_ACTION,
  RestartJob: MESSAGE_RESTART_JOB_ACTION,
  RestartJobAndIgnoreMaxRestarts: MESSAGE_RESTART_JOB_IGNORE_ACTION,
};

function explain(pass: Pass, decision: FailureDecision): void {
  if (decision.action === "None") return;
  const rule =
    "rule" in decision && decision.rule !== undefined ? `rule ${decision.rule}` : "no rule";
  const reason = "reason" in decision ? ` (${decision.reason})` : "";
  pass.decide({
    phase: "failure-policy",
    rule: decision.action,
    object: { kind: "Job", name: decision.job },
    message: `Job ${decision.job} failed, ${rule} applies: ${decision.action}${reason}`,
  });
}

function restartAll(pass: Pass, decision: RestartJobSet): void {
  const { jobSet, context } = pass;
  const counted = integerOf(jobSet.status?.restartsCountTowardsMax, 0);
  const executions = pass.executionAttempts;
  pass.change({
    restarts: oneMore(restartsOf(jobSet)),
    ...(decision.countsTowardsMax && { restartsCountTowardsMax: oneMore(counted) }),
    ...(context.features.has("ExecutionAttemptsTracking") &&
      executions !== undefined && { executionAttempts: oneMore(executions) }),
  });
  const message = withFirstFailedJob(restartMessages[decision.action], decision.job);
  const reason =
    decision.rule === undefined
      ? REASON_DEFAULT_FAILURE_POLICY
      : `${REASON_FAILURE_POLICY_RULE_PREFIX}${decision.rule}`;
  pass.condition("Warning", { type: CONDITION_RESTARTING, status: "True", reason, message });
  pass.event({ type: "Warning", reason: restartReasons[decision.action], message });
}

function restartOne(pass: Pass, decision: RestartJob, failed: readonly Observed<Job>[]): Plan {
  const object = { kind: "Job", name: decision.job };
  const job = failed.find((one) => one.metadata?.name === decision.job) ?? {};
  const restarted = restartJob(pass.jobSet, job, pass.statuses, decision.countsTowardsMax);
  if (!restarted.ok) return pass.refuse("failure-policy", restarted.message, object);
  const { replicatedJob, counts } = restarted;
  pass.count(
    pass.statuses.map((status) =>
      status.name === replicatedJob ? { ...status, ...counts } : status,
    ),
    true,
  );
  const message = withFirstFailedJob(restartMessages[decision.action], decision.job);
  pass.event({ type: "Warning", reason: restartReasons[decision.action], message });
  return pass.plan();
}

/** A counter of the API is 32 bits wide, and it never goes down. */
function oneMore(count: number): number {
  return count < MAX_INT32 ? count + 1 : count;
}
