import type { DecisionRule } from "../plan/decision-rules.ts";
import { evaluateSuccessPolicy } from "../policies/success-policy.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Completes the JobSet when enough Jobs have succeeded. The next pass deletes its active Jobs. */
export function applySuccessPolicy(facts: Facts, draft: Draft): Next {
  const { jobSet, jobs, context } = facts;
  const decision = evaluateSuccessPolicy(
    jobSet,
    jobs.successful.list().map(({ job }) => job),
    context,
  );
  if (decision.action === "None") return draft.continue();
  const { operator, done, needed } = decision;
  return draft
    .decide({
      phase: "success-policy",
      rule: getRule(operator),
      object: jobSetReference(facts),
      message: `${done} of the ${needed} Jobs that the success policy requires have succeeded`,
    })
    .complete()
    .end();
}

function getRule(operator: string): DecisionRule {
  if (operator === "All") return "OperatorAll";
  return operator === "Any" ? "OperatorAny" : "OperatorUnknown";
}
