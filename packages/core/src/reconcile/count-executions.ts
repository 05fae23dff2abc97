import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { executionDecision } from "../policies/execution-decision.ts";
import type { Pass } from "./pass.ts";
import { endSuspension } from "./suspend-or-resume.ts";

/** Begins to count executions (gate `ExecutionAttemptsTracking`, not in a released controller yet). */
export function beginToCountExecutions(pass: Pass, jobs: ClassifiedJobs): void {
  const decision = executionDecision(pass.jobSet, jobs, pass.context);
  if (decision.action === "Initialize") setExecutionAttempts(pass, decision);
}

/**
 * Counts the execution that a resume begins (same gate). That ends the pass with the write that counts it; the
 * next one lets the Jobs run.
 */
export function countResume(pass: Pass, jobs: ClassifiedJobs): "Resumed" | "GoesOn" {
  const decision = executionDecision(pass.jobSet, jobs, pass.context);
  if (decision.action !== "Resume") return "GoesOn";
  setExecutionAttempts(pass, decision);
  endSuspension(pass);
  return "Resumed";
}

function setExecutionAttempts(
  pass: Pass,
  decision: { readonly action: string; readonly attempts: number },
): void {
  pass.change({ executionAttempts: decision.attempts });
  pass.decide({
    phase: "execution-attempts",
    rule: decision.action,
    object: pass.self,
    message: `status.executionAttempts becomes ${decision.attempts}`,
  });
}
