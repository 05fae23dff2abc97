import { evaluateExecutionAttempts } from "../policies/execution-attempts.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";
import { endSuspension } from "./suspend-or-resume.ts";

/** Starts the count of execution attempts (gate `ExecutionAttemptsTracking`, in no released controller yet). */
export function initializeExecutionAttempts(facts: Facts, draft: Draft): Next {
  const decision = evaluateExecutionAttempts(facts.jobSet, facts.jobs, facts.context);
  if (decision.action !== "Initialize") return draft.continue();
  return withExecutions(facts, draft, decision).continue();
}

/**
 * Counts the execution attempt that a resume starts (same gate). The write of the count ends the pass; the next one
 * resumes the Jobs.
 */
export function countResume(facts: Facts, draft: Draft): Next {
  const decision = evaluateExecutionAttempts(facts.jobSet, facts.jobs, facts.context);
  if (decision.action !== "Resume") return draft.continue();
  return endSuspension(withExecutions(facts, draft, decision)).end();
}

function withExecutions(
  facts: Facts,
  draft: Draft,
  { action, attempts }: { readonly action: "Initialize" | "Resume"; readonly attempts: number },
): Draft {
  return draft.change({ executionAttempts: attempts }).decide({
    phase: "execution-attempts",
    rule: action,
    object: jobSetReference(facts),
    message: `status.executionAttempts becomes ${attempts}`,
  });
}
