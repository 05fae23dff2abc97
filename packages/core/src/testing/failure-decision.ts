import { type FailurePolicyRule, resolveFeatureGates } from "@jobset-ts/api";
import { type AJob, aJobSet } from "@jobset-ts/testing";
import { evaluateFailurePolicy } from "../policies/failure-policy.ts";

/** Contexts without and with the gate RestartJob. */
export const gates = {
  off: { features: resolveFeatureGates({}) },
  on: { features: resolveFeatureGates({ RestartJob: true }) },
};

/** Evaluates a failure policy with these rules for failed Jobs, with restarts left. */
export function decideFailure(
  rules: readonly FailurePolicyRule[],
  jobs: readonly AJob[],
  context = gates.on,
) {
  const jobSet = aJobSet("train").withSpec({
    failurePolicy: { maxRestarts: 9, rules: [...rules] },
  });
  return evaluateFailurePolicy(jobSet, jobs, [], context);
}
