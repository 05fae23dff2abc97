import {
  CONDITION_RESTARTING,
  jobSetMessages,
  jobSetReasons,
  withFirstFailedJob,
} from "@jobset-ts/api/conditions";
import { incrementInt32 } from "@jobset-ts/api/typed";
import { restartJob } from "../child-jobs/restart-job.ts";
import { asInteger, getRestarts, isSuspended } from "../jobset-members.ts";
import type { Decision } from "../plan/plan.ts";
import { evaluateFailurePolicy, type FailureDecision } from "../policies/failure-policy.ts";
import type { Draft } from "./draft.ts";
import type { Facts, Next } from "./phase.ts";
import { suspendJobs } from "./suspend-or-resume.ts";

type RestartJobSet = Extract<FailureDecision, { action: `RestartJobSet${string}` }>;
type RestartJob = Extract<
  FailureDecision,
  { action: "RestartJob" | "RestartJobAndIgnoreMaxRestarts" }
>;

/**
 * Ends the pass of a JobSet with a failed Job: it creates, scales and resumes nothing. It deletes nothing either: a
 * restart only increases a counter, and the next pass treats all Jobs as Jobs of an earlier attempt. In a suspended
 * JobSet that does not fail, active Jobs are suspended nevertheless.
 */
export function applyFailurePolicy(facts: Facts, draft: Draft): Next {
  const { jobSet, jobs, context } = facts;
  if (jobs.failed.size === 0) return draft.continue();
  const failed = jobs.failed.list().map(({ job }) => job);
  const { decision, warnings } = evaluateFailurePolicy(jobSet, failed, draft.counters, context);
  const warned = draft.warn(...warnings);
  if (decision.action === "None") return warned.end();
  // Suspension cannot wait until the user has corrected the rule.
  if (decision.action === "Refuse") {
    return failPass(suspendIfRequested(facts, warned), decision.job, decision.message);
  }
  const explained = warned.decide(createDecision(decision));
  switch (decision.action) {
    case "FailJobSet": {
      const message = withFirstFailedJob(failMessages()[decision.reason], decision.job);
      return explained.fail(decision.reason, message).end();
    }
    case "RestartJobSet":
    case "RestartJobSetAndIgnoreMaxRestarts":
      return suspendIfRequested(facts, restartAll(facts, explained, decision)).end();
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts":
      return restartOne(facts, explained, decision);
  }
}

// These are functions, so that a bundler can leave them out.
const failMessages = () => ({
  FailedJobs: jobSetMessages.FailedJobs,
  FailJobSetFailurePolicyAction: jobSetMessages.FailJobSetAction,
  ReachedMaxRestarts: jobSetMessages.ReachedMaxRestarts,
});

const restartReasons = () => ({
  RestartJobSet: jobSetReasons.RestartJobSetAction,
  RestartJobSetAndIgnoreMaxRestarts: jobSetReasons.RestartJobSetIgnoreAction,
  RestartJob: jobSetReasons.RestartJobAction,
  RestartJobAndIgnoreMaxRestarts: jobSetReasons.RestartJobIgnoreAction,
});

const restartMessages = () => ({
  RestartJobSet: jobSetMessages.RestartJobSetAction,
  RestartJobSetAndIgnoreMaxRestarts: jobSetMessages.RestartJobSetIgnoreAction,
  RestartJob: jobSetMessages.RestartJobAction,
  RestartJobAndIgnoreMaxRestarts: jobSetMessages.RestartJobIgnoreAction,
});

function createDecision(
  decision: Exclude<FailureDecision, { action: "None" | "Refuse" }>,
): Decision {
  const { action, job } = decision;
  const rule = "rule" in decision ? decision.rule : undefined;
  const applies = rule === undefined ? "no rule" : `rule ${rule}`;
  const reason = "reason" in decision ? ` (${decision.reason})` : "";
  return {
    phase: "failure-policy",
    rule: action,
    object: { kind: "Job", name: job },
    message: `Job ${job} failed, ${applies} applies: ${action}${reason}`,
  };
}

/** Upstream's failure policy ends the pass, so Jobs of a suspended JobSet run until the restart deletes them. */
function suspendIfRequested(facts: Facts, draft: Draft): Draft {
  return isSuspended(facts.jobSet) && !facts.context.quirks.has("FailureSkipsSuspension")
    ? suspendJobs(facts, draft)
    : draft;
}

function failPass(draft: Draft, job: string, message: string): Next {
  const object = { kind: "Job", name: job };
  return draft.abort({ phase: "failure-policy", object, message });
}

function restartAll({ jobSet, context }: Facts, draft: Draft, decision: RestartJobSet): Draft {
  const counted = asInteger(jobSet.status?.restartsCountTowardsMax, 0);
  const executions = draft.executionAttempts;
  const message = withFirstFailedJob(restartMessages()[decision.action], decision.job);
  const reason =
    decision.rule === undefined
      ? jobSetReasons.DefaultFailurePolicy
      : `${jobSetReasons.FailurePolicyRulePrefix}${decision.rule}`;
  return draft
    .change({
      restarts: incrementInt32(getRestarts(jobSet)),
      ...(decision.countsTowardsMax && { restartsCountTowardsMax: incrementInt32(counted) }),
      ...(context.features.has("ExecutionAttemptsTracking") &&
        executions !== undefined && { executionAttempts: incrementInt32(executions) }),
    })
    .condition("Warning", { type: CONDITION_RESTARTING, status: "True", reason, message })
    .event({ type: "Warning", reason: restartReasons()[decision.action], message });
}

function restartOne(facts: Facts, draft: Draft, decision: RestartJob): Next {
  const { jobSet, jobs } = facts;
  const job = jobs.failed.list().find(({ job }) => job.metadata?.name === decision.job)?.job ?? {};
  const restarted = restartJob(jobSet, job, draft.counters, decision.countsTowardsMax);
  if (!restarted.ok) {
    return failPass(suspendIfRequested(facts, draft), decision.job, restarted.message);
  }
  const { replicatedJob, counts } = restarted;
  const message = withFirstFailedJob(restartMessages()[decision.action], decision.job);
  const counted = draft
    .count(
      draft.counters.map((entry) =>
        entry.name === replicatedJob ? { ...entry, ...counts } : entry,
      ),
      true,
    )
    .event({ type: "Warning", reason: restartReasons()[decision.action], message });
  return suspendIfRequested(facts, counted).end();
}
