import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { evaluateSuccessPolicy } from "../policies/success-policy.ts";
import type { Pass } from "./pass.ts";

/** Completes the JobSet when enough Jobs have succeeded; its active Jobs go in the next pass. */
export function applySuccessPolicy(pass: Pass, jobs: ClassifiedJobs): "Completed" | "GoesOn" {
  const decision = evaluateSuccessPolicy(pass.jobSet, jobs.successful, pass.context);
  if (decision.action === "None") return "GoesOn";
  const { operator, done, needed } = decision;
  pass.decide({
    phase: "success-policy",
    rule: `Operator${operator}`,
    object: pass.self,
    message: `${done} of the ${needed} Jobs that the success policy needs have succeeded`,
  });
  pass.complete();
  return "Completed";
}
